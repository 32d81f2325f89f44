#!/bin/sh
# Runs a command in a fresh Debian that has nothing but its base and git: in a clone of the last commit, with an empty
# environment. Files named by --with lie beside the clone; with --ccache, what this machine has compiled before is not
# compiled again. As root. The folder is removed at the end, unless --keep.
# usage: fresh.sh [--keep] [--ccache] [--with FILE]... RELEASE COMMAND...      RELEASE: 12 or 13
set -eu
keep='' files='' cache=''
while :; do
  case $1 in
    --keep) keep=1; shift ;;
    --ccache) cache=${CCACHE_DIR:-$HOME/.cache/ccache}; shift ;;
    --with) files="$files $2"; shift 2 ;;
    *) break ;;
  esac
done
release=$1
shift
case $release in
  12) name=bookworm ;;
  13) name=trixie ;;
  *) echo "fresh.sh: there is no name for Debian $release here" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "fresh.sh: it needs root, to change the root folder" >&2; exit 2; }

source=$(git rev-parse --show-toplevel)
root=$(mktemp -d "${TMPDIR:-/var/tmp}/rondo-debian-$release.XXXXXX")
chmod 755 "$root" # or apt cannot drop its privileges
# shellcheck disable=SC2317 # the traps call it
clean() {
  # What the command has mounted there, too; the innermost first.
  awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r |
    while read -r place; do umount --lazy "$place"; done
  if [ -n "$keep" ]; then
    echo "kept: $root" >&2
  else
    rm -rf --one-file-system "$root"
  fi
}
trap clean EXIT
trap 'exit 130' INT TERM

echo "== Debian $release ($name) in $root" >&2
debootstrap --variant=minbase --include=ca-certificates,git "$name" "$root" >"$root.log" 2>&1 ||
  { cat "$root.log"; exit 1; }
rm -f "$root.log"
# How this machine reaches the packages.
apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90machine"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --rbind --make-rslave /sys "$root/sys"
mount --rbind --make-rslave /dev "$root/dev"
if [ -n "$cache" ]; then
  mkdir -p "$cache" "$root/root/.cache/ccache"
  mount --bind "$cache" "$root/root/.cache/ccache"
fi
git clone --quiet --no-hardlinks "$source" "$root/rondo"
for file in $files; do cp "$file" "$root/"; done

status=0
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  chroot "$root" sh -c 'cd /rondo && git config --global --add safe.directory /rondo && exec "$@"' sh "$@" || status=$?
echo "== Debian $release: the command has ended with $status" >&2
exit "$status"
