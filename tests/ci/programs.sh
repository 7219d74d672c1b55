#!/bin/bash
# ci/check-programs sees each promise that a program breaks: programs.sh GCSTORM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export REAL=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The script beside a corpus of one seed a harness.
mkdir "$work/ci"
cp "$root"/ci/{check-programs,ruby-wc} "$work/ci/"
for harness in ractor_program gc_events; do
  mkdir -p "$work/corpus/$harness/seeds"
  seeds=("$root/corpus/$harness/seeds"/*.rb)
  cp "${seeds[0]}" "$work/corpus/$harness/seeds/"
done

# Plays gcstorm with this build alone: every sanitizer is none.  $BREAK is the promise that it breaks, of one program.
cat >"$work/gcstorm" <<'EOF'
#!/bin/bash
set -euo pipefail
sanitizer=none
host=sim
args=()
while [ $# -gt 0 ]; do
  args+=("$1")
  case $1 in
    --sanitizer) sanitizer=$2 args+=(none) && shift ;;
    --host) host=$2 ;;
  esac
  shift
done
case "$BREAK ${args[*]}" in
  bytes*" generate "*ractor_program-again) args[4]=8 ;;
  text*" assemble seed7-000001.rb "*) echo "seed7-000001.rb:1:1: wanted a program" >&2 && exit 2 ;;
  back*" assemble seed7-000002.rb "*) args[1]=seed7-000001.rb ;;
  ruby*" show seed7-000001.bin") "$REAL" "${args[@]}" && echo "def unused; value = 1; end" && exit ;;
esac
if [ "${args[0]}" != run ]; then
  exec "$REAL" "${args[@]}"
fi
change=
case $BREAK in
  "trace $sanitizer") [ $host = threads ] || change='0,/"trace_hash": "./s//"trace_hash": "0/' ;;
  "untraced $sanitizer") [ $host = threads ] || change='0,/"trace_hash": ".*"/s//"trace_hash": "none"/' ;;
  "finding $host $sanitizer") change='0,/"verdict": "clean"/s//"verdict": "finding"/' ;;
  "lost $host $sanitizer") unset 'args[-1]' ;;
esac
"$REAL" "${args[@]}" | sed "$change"
EOF
chmod +x "$work/gcstorm"

failures=0
# check STATUS TEXT [BREAK] : what ci/check-programs says of such a gcstorm.
check() {
  local status=0 said
  said=$(BREAK=${3:-} GCSTORM=$work/gcstorm "$work/ci/check-programs" --keep "$work/kept" 3 2>&1 </dev/null) || status=$?
  if [ $status -ne "$1" ] || [[ $said != *"$2"* ]]; then
    echo "broken '${3:-nothing}': exit $status, wanted $1 and '$2'; printed: $said"
    failures=$((failures + 1))
  fi
}

check 0 "one text, one trace, clean"
[ ! -e "$work/kept" ] || { echo "a folder is left where nothing is kept" && failures=1; }
check 1 "not what the same seed made once more" bytes
check 1 "seed7-000001.bin: no text that assembles: seed7-000001.rb:1:1: wanted a program" text
check 1 "seed7-000002.bin: printed and assembled, other bytes" back
check 1 "seed7-000001.bin: ruby -wc: ./seed7-000001.rb:" ruby
[ -s "$work/kept/ractor_program-seed7-000001.bin" ] || { echo "the program is not kept" && failures=1; }
check 1 "another trace under tsan" "trace tsan"
check 1 "no trace under none" "untraced none"
check 1 "reproduce: build/gcstorm run --host sim --sanitizer asan FILE" "finding sim asan"
check 1 "reproduce: build/gcstorm run --host threads --sanitizer tsan --perturb 7 FILE" "finding threads tsan"
check 1 "not a record of each program" "lost threads none"

# bad TEXT ARGUMENT… : exit 2 and one line.
bad() {
  local text=$1 status=0 said
  shift
  said=$(GCSTORM=$REAL "$work/ci/check-programs" "$@" 2>&1 </dev/null) || status=$?
  if [ $status -ne 2 ] || [[ $said != *"$text"* ]] || [ "$(wc -l <<<"$said")" -ne 1 ]; then
    echo "check-programs $*: exit $status, wanted 2 and '$text'; printed: $said"
    failures=$((failures + 1))
  fi
}
bad "COUNT 0 is no number" 0
bad "COUNT 99999 is no number" 99999
bad "one COUNT, not 3 and 4" 3 4
bad "--seed x is no number" --seed x 3
bad "--keep needs a value" --keep
bad "unknown option --bogus" --bogus
bad "cannot write to" --keep "$REAL/no" 3
[ $failures -eq 0 ]
