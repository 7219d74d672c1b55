# common.bash - what the scripts of this folder share.  $1: the command; $2: its build folder.
set -euo pipefail
gcstorm=$1
binaries=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
failures=0

# A build folder with this build under the preset that a run without sanitizer looks for.
mkdir builds
ln -s "$binaries" builds/plain
ln -s "$binaries" builds/plain-faults
export GCSTORM_BUILD=$work/builds

# expect CODE TEXT COMMAND… : the exit code, and a text in what the command printed.
expect() {
  local code=$1 text=$2 status=0 out
  shift 2
  out=$("$gcstorm" "$@" 2>&1 </dev/null) || status=$?
  if [ "$status" -ne "$code" ] || [[ $out != *"$text"* ]]; then
    echo "gcstorm $*: exit $status, wanted $code and '$text'; printed:"
    echo "$out" | tail -20
    failures=$((failures + 1))
  fi
}

# bad TEXT COMMAND… : exit 2 and exactly one line on stderr, nothing on stdout.
bad() {
  local text=$1 status=0 out err
  shift
  out=$("$gcstorm" "$@" 2>"$work/stderr" </dev/null) || status=$?
  err=$(cat "$work/stderr")
  if [ "$status" -ne 2 ] || [[ $err != *"$text"* ]] || [ -n "$out" ] ||
    [ "$(wc -l <"$work/stderr")" -ne 1 ]; then
    echo "gcstorm $*: exit $status, wanted 2 and one line with '$text'; printed:"
    echo "$out$err" | tail -20
    failures=$((failures + 1))
  fi
}

finish() {
  [ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
}
