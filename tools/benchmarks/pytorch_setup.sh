#!/bin/sh
# Installs Debian's PyTorch and the libraries it is fastest with on the CPU (Debian 12, 13), then
# prints the environment that puts them in use. It changes no alternatives (the packages register
# themselves, as always): LD_LIBRARY_PATH chooses the BLAS for one command.
#
#   tools/benchmarks/pytorch_setup.sh         install, then print a command to copy
#   tools/benchmarks/pytorch_setup.sh --env   install nothing, print only the environment:
#                                             env $(.../pytorch_setup.sh --env) /usr/bin/python3 ...
set -eu

fail() {
  echo "pytorch_setup.sh: $1" >&2
  exit 2
}

multiarch=/usr/lib/$(dpkg --print-architecture | sed 's/amd64/x86_64/; s/arm64/aarch64/')-linux-gnu

if [ "${1:-}" != --env ]; then
  root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "not root and no sudo; run it as root"
    root=sudo
  fi
  tcmalloc=libtcmalloc-minimal4t64  # renamed in Debian 13, for the 64-bit time_t
  apt-cache show "$tcmalloc" >/dev/null 2>&1 || tcmalloc=libtcmalloc-minimal4
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    python3-torch python3-numpy libopenblas0-openmp "$tcmalloc" >&2 ||
    fail "apt-get failed; run 'apt-get update' first, then this again"
fi

blas=$multiarch/openblas-openmp
malloc=$multiarch/libtcmalloc_minimal.so.4
[ -e "$blas/libblas.so.3" ] || fail "no $blas/libblas.so.3; run it without --env to install"
[ -e "$malloc" ] || fail "no $malloc; run it without --env to install"

# `-u`: these override OpenBLAS' choice of kernel for this CPU, where someone has set them.
environment="-u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE LD_LIBRARY_PATH=$blas LD_PRELOAD=$malloc"
if [ "${1:-}" = --env ]; then
  echo "$environment"
  exit
fi
here=$(dirname "$0")
echo "env $environment /usr/bin/python3 $here/pytorch_reference.py --model tiny --synthetic"
