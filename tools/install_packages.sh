#!/bin/sh
# Installs what Heed needs to build and test, with apt: Debian 12 and 13, Ubuntu 24.04 (same names).
# Does nothing, and needs no rights, where everything is there already.
#
#   tools/install_packages.sh           what a build and the recipes need
#   tools/install_packages.sh --tests   also GoogleTest, Google Benchmark, PyTorch, linters, coverage
#   tools/install_packages.sh --fuzz    also clang with libFuzzer
set -eu

packages="g++ cmake ninja-build make pkg-config ca-certificates python3 git
  libdnnl-dev libsentencepiece-dev libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev
  nlohmann-json3-dev libicu-dev zlib1g-dev libzstd-dev libzip-dev"
tests="libgtest-dev libgmock-dev libbenchmark-dev python3-venv python3-torch zstd gcovr codespell"
# The linters are pinned to version 14 (Debian 12, Ubuntu 24.04); Debian 13 no longer has it.
linters="clang-format-14 clang-tidy-14"

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }

case "${1:-}" in
  "") ;;
  --tests)
    packages="$packages $tests"
    for linter in $linters; do
      if apt-cache policy "$linter" 2>/dev/null | grep -q 'Candidate: [^(]'; then
        packages="$packages $linter"
      fi
    done ;;
  --fuzz) packages="$packages clang libclang-rt-dev" ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

command -v apt-get >/dev/null || {
  echo "install_packages.sh: no apt-get here; install by hand:" $packages >&2
  exit 2
}

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "install_packages.sh: run as root, or install sudo; missing:$missing" >&2
    exit 2
  }
  sudo=sudo
fi
echo "Installing:$missing"
$sudo apt-get update -q
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
