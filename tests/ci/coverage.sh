#!/bin/bash
# What ci/coverage says to bad use, before it builds anything; that the worker takes what it is given; and how it sums up.
#   coverage.sh GCSTORM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
worker=$(cd "$(dirname "$1")" && pwd)/harnesses/gcstorm-worker
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# bad TEXT ARGUMENT… : exit 2 and one line on stderr with the text.
bad() {
  local text=$1 status=0 out
  shift
  out=$("$root/ci/coverage" "$@" 2>err </dev/null) || status=$?
  if [ $status -ne 2 ] || [[ $(cat err) != *"$text"* ]] || [ "$(wc -l <err)" -ne 1 ] || [ -n "$out" ]; then
    echo "ci/coverage $*: exit $status, wanted 2 and '$text'; printed: $out$(cat err)"
    failures=$((failures + 1))
  fi
}

mkdir empty full
echo mine >full/file
bad "unknown argument 'extra'" extra
bad "unknown argument '--nonsense'" --nonsense 1
bad "--time needs a value" --time
bad "no time like" --time soon
bad "--time needs a value" --time=
bad "is no folder" --corpus missing
bad "neither a folder ractor_program" --corpus empty
bad "holds other files" --html full
bad "is no folder" --html full/file
bad "cannot be written" --html /proc/pages
[ "$(cat full/file)" = mine ] || { echo "--html took the place of a file"; failures=$((failures + 1)); }
[[ $("$root/ci/coverage" --help) == *"--corpus DIR"* ]] || { echo "no --help"; failures=$((failures + 1)); }

cat >lcov <<'END'
SF:/there/gc-core/mark/mark.h
FN:3,a.c:inline_one
FNDA:0,a.c:inline_one
FNDA:2,b.c:inline_one
FNDA:0,a.c:inline_two
DA:3,2
DA:4,0
DA:5,0
DA:7,0
BRDA:3,0,0,1
BRDA:3,0,1,-
end_of_record
SF:/there/gc-core/base/bits.c
FNDA:1,bits_set
DA:1,1
DA:2,1
DA:9,0
end_of_record
END

# The script with the worker of this build, among tools that stand in for those of LLVM.
mkdir -p tree/{ci,bin,gc-core} tree/build/coverage/harnesses
cp "$root"/ci/coverage{,.awk} tree/ci/
fake() { # FILE LINE…
  printf '#!/bin/sh\n' >"$1"
  printf '%s\n' "${@:2}" >>"$1"
  chmod +x "$1"
}
fake tree/ci/install
fake tree/ci/build
fake tree/bin/llvm-profdata-19 'for last; do :; done; test -f "$last"'
fake tree/bin/llvm-cov-19 "[ \$1 != export ] || cat '$work/lcov'"
fake tree/build/coverage/harnesses/gcstorm-worker ': >"$LLVM_PROFILE_FILE"' "exec '$worker' \"\$@\""
for harness in ractor_program gc_events; do
  mkdir -p "tree/corpus/$harness/seeds" "grown/$harness"
  seeds=("$root/corpus/$harness/seeds"/*.rb)
  cp "${seeds[@]:0:3}" "tree/corpus/$harness/seeds/"
  head -c 40 "$root/ci/coverage" >"grown/$harness/-bytes with a blank"
done

# sums_up CODE TEXT : what it does with the corpora as they are
sums_up() {
  local status=0 out
  out=$(PATH=$work/tree/bin:$PATH tree/ci/coverage --corpus grown --html pages 2>&1 </dev/null) || status=$?
  if [ $status -ne "$1" ] || [[ $out != *"$2"* || $out != *"total               7    42.9%"* ]]; then
    echo "ci/coverage with a worker: exit $status, wanted $1 and '$2'; printed: $out"
    failures=$((failures + 1))
  fi
}
sums_up 0 "8 files of the corpus"
echo "# gcstorm: nonsense" >grown/gc_events/bad.rb
sums_up 1 "the worker ended with 2; not all of gc_events counts"

awk -v root=/there/ -v unreached=unreached -f "$root/ci/coverage.awk" lcov >summary
diff - summary <<'END' || failures=$((failures + 1))
                lines  reached functions  reached branches  reached
base                3    66.7%        1   100.0%        0   100.0%
mark                4    25.0%        2    50.0%        2    50.0%
total               7    42.9%        3    66.7%        2    50.0%
END
diff - unreached <<'END' || failures=$((failures + 1))
gc-core/mark/mark.h:4-7
gc-core/base/bits.c:9
END
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
