#!/bin/bash
# Carries the Dockerfile out in a folder, where there is no container engine: as root, with debootstrap, by hand.
#   debootstrap --variant=minbase bookworm DIR
#   tests/ci/in-chroot.sh DIR [ARGUMENT…]     the arguments are the container's
# DIR stays: a second call with arguments runs in what the first has built.  No seccomp filter, no limits: what an
# engine forbids is not seen here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
dir=$1
shift
[ "$(id -u)" -eq 0 ] || { echo "in-chroot.sh: chroot wants root" >&2; exit 3; }
[ -x "$dir/usr/bin/apt-get" ] || { echo "in-chroot.sh: no Debian in $dir; run debootstrap first" >&2; exit 2; }
dir=$(cd "$dir" && pwd)

# In a mount namespace of its own, so that nothing stays mounted whatever happens.
if [ -z "${GCSTORM_IN_CHROOT:-}" ]; then
  GCSTORM_IN_CHROOT=1 exec unshare --mount --pid --fork "$0" "$dir" "$@"
fi
mount --make-rprivate /
mount -t proc proc "$dir/proc"
[ -e "$dir/dev/null" ] || mknod -m 666 "$dir/dev/null" c 1 3
cp /etc/resolv.conf "$dir/etc/"

user=root
workdir=/
enter() { # COMMAND…
  if [ $user = root ]; then
    chroot "$dir" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      sh -c 'cd "$1" && shift && exec "$@"' sh "$workdir" "$@"
  else
    chroot --userspec="$user:$user" "$dir" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/gcstorm \
      sh -c 'cd "$1" && shift && exec "$@"' sh "$workdir" "$@"
  fi
}

copy() { # [--chown=…] SOURCE… TARGET
  local owner=root:root
  [[ $1 != --chown=* ]] || { owner=${1#--chown=}; shift; }
  local target=${*: -1} exclude=() names=()
  while read -r name; do
    exclude+=("--exclude=./$name")
  done <"$root/.dockerignore"
  mkdir -p "$dir$workdir/$target"
  for name in "${@:1:$#-1}"; do
    if [ "$name" = . ]; then
      tar -C "$root" "${exclude[@]}" -cf - . | tar -C "$dir$workdir/$target" --no-same-owner -xf -
    else
      cp -p "$root/$name" "$dir$workdir/$target/"
      names+=("$target/$(basename "$name")")
    fi
  done
  if [ ${#names[@]} -eq 0 ]; then
    enter chown -R "$owner" "$target"
  else
    enter chown "$owner" "${names[@]}"
  fi
}

entry=
while read -r word rest; do
  case $word in
    "" | "#"* | FROM) continue ;;
    ENTRYPOINT) entry=$(sed 's/^\["//; s/"\]$//' <<<"$rest") ;;
    WORKDIR)
      workdir=$rest
      mkdir -p "$dir$workdir"
      ;;
    USER) user=$rest ;;
    RUN | COPY)
      [ ! -e "$dir/built" ] || continue
      echo "== $word $rest" >&2
      # shellcheck disable=SC2086 # words are words in a Dockerfile too
      if [ $word = COPY ]; then copy $rest; else enter sh -c "$rest" </dev/null; fi
      ;;
    *) echo "in-chroot.sh: does not know $word" >&2; exit 1 ;;
  esac
done <"$root/Dockerfile"
touch "$dir/built"
echo "== $entry $*" >&2
enter "$entry" "$@"
