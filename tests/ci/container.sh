#!/bin/bash
# The container, without an engine: what the Dockerfile names is there, it ends as an ordinary user,
# packages come from ci/packages.txt, and ci/container does with its arguments what it says.
# tests/ci/in-chroot.sh carries the Dockerfile out for real.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
failed() {
  echo "$1"
  failures=$((failures + 1))
}

file=$root/Dockerfile
grep -qx 'FROM debian:12' "$file" || failed "not from debian:12"
if grep -E '^RUN .*(apt|dpkg|curl|wget)' "$file" | grep -vE '^RUN ci/install core && rm'; then
  failed "packages past ci/install"
fi
user=$(awk '$1 == "USER" { user = $2 } $1 == "RUN" && /ci\/build/ { print user }' "$file")
[ "$user" = storm ] || failed "ci/build runs as '$user'"
[ "$(awk '$1 == "USER" { user = $2 } END { print user }' "$file")" = storm ] || failed "ends as root"
while read -r word; do
  [ -e "$root/$word" ] || failed "COPY $word: there is no such file"
done < <(sed -n 's/^COPY \(--[^ ]* \)*\(.*\) [^ ]*$/\2/p' "$file" | tr ' ' '\n')
while read -r script; do
  [ -x "$root/$script" ] || failed "$script cannot be run"
done < <(grep -v '^#' "$file" | grep -oE 'ci/(install|build|container|fuzz)\b' | sort -u)

# ci/container among programs that only say what they were called with.
mkdir -p "$work"/{ci,build,in}
cp "$root/ci/container" "$work/ci/"
for name in ci/fuzz build/gcstorm; do
  printf '#!/bin/sh\necho %s "$@"\ncase "$*" in *tsan*) exit 1 ;; esac\n' $name >"$work/$name"
  chmod +x "$work/$name"
done
echo bytes >"$work/in/x.bin"

# does CODE OUTPUT ARGUMENT…
does() {
  local code=$1 text=$2 status=0 out
  shift 2
  out=$("$work/ci/container" "$@" 2>&1 </dev/null) || status=$?
  if [ $status -ne "$code" ] || [[ $out != $text ]]; then
    failed "ci/container $*: exit $status, wanted $code and '$text'; printed: $out"
  fi
}
does 0 "ci/fuzz"
does 0 "ci/fuzz --time 5s" --time 5s
x=$work/in/x.bin
does 1 "build/gcstorm run --sanitizer none $x
build/gcstorm run --sanitizer asan $x
build/gcstorm run --sanitizer tsan $x" "$x"
does 0 "build/gcstorm run $x --sanitizer asan --fault a" "$x" --sanitizer asan --fault a
does 0 "build/gcstorm doctor" build/gcstorm doctor
does 0 "said" echo said
does 2 "*no file and no command /in/missing.bin*mount*" /in/missing.bin
does 2 "*no file and no command missing.bin*" missing.bin
does 0 "*FILE…*" --help
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
