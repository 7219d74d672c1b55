#!/bin/bash
# Whatever dies in a worker is a record, the command goes on, and nothing stays behind.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

fail() {
  echo "$*"
  failures=$((failures + 1))
}

# The one child of a process, once it is there.
child_of() {
  local pid
  for ((i = 0; i < 100; i++)); do
    pid=$(pgrep -P "$1" | sed -n 1p) && { echo "$pid"; return; }
    sleep 0.05
  done
}

gone() { # PID… : not there any more, soon
  for ((i = 0; i < 100; i++)); do
    kill -0 "$@" 2>/dev/null || return 0
    sleep 0.05
  done
  fail "process $* is still there"
}

expect 0 "1 program in" generate -o programs --count 1 --seed 3
program=$(ls programs/*.bin)
expected=$("$gcstorm" run "$program" | sed -n 1p)

# Runs the program again and again in the background: $parent, its $server, that one's $child.
start_run() {
  "$gcstorm" run --repeat 1000000 "$program" >out 2>err &
  parent=$!
  server=$(child_of $parent)
  child=$(child_of "$server")
  sleep 0.3
}

# Killed in the middle of a run: a finding, and the next runs are as before.
start_run
kill -STOP "$child"
kill -KILL "$child"
sleep 0.5
kill -0 $parent 2>/dev/null || fail "the command died with its worker's child"
grep -q "killed" out || { fail "no record of the killed child"; cat out; }
[ "$(child_of "$server")" != "$child" ] || fail "no new child"

# The server killed: the command starts another one.
kill -KILL "$server"
sleep 0.5
kill -0 $parent 2>/dev/null || fail "the command died with its worker"
other=$(child_of $parent)
[ "$other" != "$server" ] || fail "no new server"
gone "$(child_of "$other" >last && cat last)" & waiter=$!

# The command killed: no process is left.
kill -KILL $parent
wait $parent 2>/dev/null || true
gone "$other"
wait $waiter || fail "a child is still there"

# Ctrl-C ends it at once.
start_run
kill -INT $parent || true
sleep 0.1
kill -TERM $parent 2>/dev/null || true
wait $parent 2>/dev/null || true
gone "$server"
gone "$child"

# The same trace from a process that has run others.
[ "$("$gcstorm" run --repeat 500 "$program" | sed -n 1p)" = "$expected" ] || fail "another trace"

# Garbage where a frame should be: one line, exit 2, no process left.
status=0
echo "this is garbage" | "$binaries/harnesses/gcstorm-worker" --serve >frames 2>err || status=$?
[ $status -eq 2 ] || fail "garbage: exit $status"
[ "$(cat err)" = "gcstorm-worker: what came is no frame" ] || fail "garbage: $(cat err)"
status=0
printf 'GSW\1\2' | "$binaries/harnesses/gcstorm-worker" --serve >frames 2>err || status=$?
[ $status -eq 2 ] || fail "cut frame: exit $status"

# By hand, with a closed file, and with an environment that says nonsense.
worker=$binaries/harnesses/gcstorm-worker
"$worker" "$program" 2>&- | grep -q '"verdict":"clean"' || fail "stderr closed"
status=0
"$worker" "$program" >&- 2>err || status=$?
[ $status -eq 3 ] || fail "stdout closed: exit $status"
grep -q "cannot be written" err || fail "stdout closed: $(cat err)"
status=0
GCSTORM_ORACLES=nobody "$worker" "$program" >out 2>err || status=$?
[ $status -eq 2 ] || fail "GCSTORM_ORACLES: exit $status"

# A worker that speaks something else.
mkdir -p odd/plain/harnesses
touch odd/plain/CMakeCache.txt
printf '#!/bin/sh\necho hello, I am no worker\n' >odd/plain/harnesses/gcstorm-worker
chmod +x odd/plain/harnesses/gcstorm-worker
GCSTORM_BUILD=$work/odd expect 3 "what came is no frame" run "$program"
finish
