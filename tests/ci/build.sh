#!/bin/bash
# ci/build, and so ci/fuzz, end with 3 when there is nothing to fuzz: a build that fails, a folder that cannot be written.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# The scripts among a cmake and a ninja that do what the test says.
mkdir -p "$work"/{ci,bin}
cp "$root"/ci/{build,fuzz,presets.bash} "$work/ci/"
cp "$root/CMakePresets.json" "$work/"
printf '#!/bin/sh\n' | tee "$work/ci/install" "$work/bin/ninja" >/dev/null
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
mkdir -p "build/$2"
printf '#!/bin/sh\necho fuzzed\n' >"build/$2/gcstorm"
chmod +x "build/$2/gcstorm"
END
chmod +x "$work"/ci/install "$work"/bin/*

# ends CODE LINES TEXT COMMAND… : exit code, lines printed, and a text among them
ends() {
  local code=$1 lines=$2 text=$3 status=0 out
  shift 3
  out=$(PATH=$work/bin:$PATH "$work/$1" "${@:2}" 2>&1 </dev/null) || status=$?
  if [ $status -ne "$code" ] || [ "$(wc -l <<<"$out")" -ne "$lines" ] || [[ $out != *"$text"* ]]; then
    echo "$*: exit $status, wanted $code, $lines lines and '$text'; printed: $out"
    failures=$((failures + 1))
  fi
}

touch "$work/build"
ends 3 1 "build cannot be written" ci/build plain
ends 3 1 "build cannot be written" ci/fuzz --sanitizer none
rm "$work/build"
mkdir "$work/build"
touch "$work/build/plain"
ends 3 1 "build/plain cannot be written" ci/build plain
rm "$work/build/plain"
ends 0 1 "built build/plain" ci/build plain
ends 0 2 fuzzed ci/fuzz --sanitizer none
[ -z "$(find "$work/build" -name '.probe*')" ] || { echo "a probe was left"; failures=$((failures + 1)); }
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w "$work/build"
  ends 3 1 "build cannot be written" ci/fuzz --sanitizer none
  chmod u+w "$work/build"
fi
printf '#!/bin/sh\necho ninja: no space; exit 1\n' >"$work/bin/ninja"
ends 3 2 "ci/build: failed: ninja -C build/plain" ci/build plain
ends 3 2 "ci/build: failed: ninja -C build/plain" ci/fuzz --sanitizer none
ends 0 3 "Exit: 0 built, 2 bad use, 3 " ci/build --help
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
