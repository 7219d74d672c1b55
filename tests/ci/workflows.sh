#!/bin/bash
# The workflows of GitHub Actions: valid, pinned, bounded, and calling only what is there.
#   workflows.sh GCSTORM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export GCSTORM=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

ruby "$root/tests/ci/workflows.rb" "$root" "$root"/.github/workflows/*.yml || failures=1

# broken TEXT SED-SCRIPT : a workflow changed so is refused with the text.
broken() {
  sed "$2" "$root/.github/workflows/nightly.yml" >"$work/broken.yml"
  if ruby "$root/tests/ci/workflows.rb" "$root" "$work/broken.yml" >"$work/said" ||
    ! grep -qF -- "$1" "$work/said"; then
    echo "sed '$2': not refused with '$1', but: $(cat "$work/said")"
    failures=1
  fi
}
broken "no timeout-minutes" '/timeout-minutes: 330/d'
broken "no major version of an action" 's/checkout@v4/checkout@main/'
broken "permissions are not" 's/contents: read/contents: write/'
broken "no concurrency group" '/^  group:/d'
broken "not on debian:12" 's/image: debian:12/image: debian:latest/'
broken "no ci/buidl" 's/ci\/build plain/ci\/buidl plain/'
broken "ci/fuzz does not know --tmie" 's/--time 4h/--tmie 4h/'
broken "minimize does not know --tmie" 's/--time 10m/--tmie 10m/'
broken "which is no job" 's/needs: fuzz/needs: fuzzing/'
broken "no shell script" 's/; do$/; od/'
broken "an expression in a script" 's/"$ENGINE"/${{ matrix.engine }}/'
broken "from a job that failed" 's/if: ${{ !cancelled() }}/if: ${{ success() }}/'
broken "two artifacts of one name" 's/name: findings-soak/name: threads/'
broken "mapping values are not allowed" 's/^name: nightly/name: a: b/'
exit $failures
