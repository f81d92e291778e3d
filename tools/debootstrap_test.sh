#!/bin/sh
# Runs a command in a fresh clone of this commit, in a fresh Debian that holds git and nothing else.
# As root, with debootstrap.
#
#   tools/debootstrap_test.sh SUITE DIRECTORY [COMMAND...]
#
#   tools/debootstrap_test.sh bookworm /var/tmp/bookworm                   runs tools/quickstart.sh
#   tools/debootstrap_test.sh trixie /var/tmp/trixie tools/test.sh --jobs 2
#
# DIRECTORY must be empty or absent: a tree that has been used is not fresh. Delete it afterwards.
# MIRROR (http://deb.debian.org/debian), http_proxy and https_proxy are taken from the environment.
set -eu

fail() { echo "debootstrap_test.sh: $1" >&2; exit 2; }
case "${1:---help}" in -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
[ $# -ge 2 ] || fail "needs SUITE and DIRECTORY; see --help"
suite=$1 tree=$2
shift 2
[ $# -gt 0 ] || set -- tools/quickstart.sh
[ "$(id -u)" = 0 ] || fail "needs root, for chroot"
command -v debootstrap >/dev/null || fail "needs debootstrap: apt install debootstrap"
[ -z "$(ls -A "$tree" 2>/dev/null)" ] || fail "$tree is not empty"

source=$(cd "$(dirname "$0")/.." && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}

debootstrap --variant=minbase --include=git "$suite" "$tree" "$mirror"
git clone -q --no-hardlinks "$source" "$tree/root/heed"
mount -t proc proc "$tree/proc"
trap 'umount "$tree/proc"' EXIT
trap 'exit 130' INT TERM
echo "== $suite, commit $(git -C "$source" rev-parse --short HEAD): $*"
chroot "$tree" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  TERM="${TERM:-dumb}" ${http_proxy:+http_proxy="$http_proxy"} \
  ${https_proxy:+https_proxy="$https_proxy"} \
  sh -c 'cd /root/heed && exec "$@"' sh "$@"
