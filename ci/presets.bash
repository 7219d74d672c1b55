# presets.bash - the presets, as CMakePresets.json lists them; for ci/build and ci/test, which set $root.

known=$(sed -n '/"buildPresets"/q; s/^ *"name": "\([a-z-]*\)",$/\1/p' "$root/CMakePresets.json" |
  grep -vx base | paste -sd ' ')
usual=(plain asan tsan plain-faults asan-faults tsan-faults)

# check_presets COMMAND PRESET… : exit 2 with the list when one is none of them.
check_presets() {
  local command=$1 preset
  shift
  for preset in "$@"; do
    if [[ $preset == *[!a-z-]* || -z $preset || " $known " != *" $preset "* ]]; then
      echo "$command: no preset '$preset'; the presets are: $known" >&2
      exit 2
    fi
  done
}
