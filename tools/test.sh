#!/bin/sh
# Installs, builds, checks and runs every test. From a fresh clone:  tools/test.sh
#
#   --preset NAME   release (default), debug, asan or tsan
#   --no-check      skip format, layers, spelling and clang-tidy
#   --coverage      line coverage of ops, optim, decode, metrics and data, in build/coverage; fails
#                   below 90 %
#   --jobs N        compile jobs (default: one per core)
set -eu
cd "$(dirname "$0")/.."

preset=release check=1 coverage=0 jobs=$(nproc)
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset=$2; shift ;;
    --no-check) check=0 ;;
    --coverage) coverage=1 ;;
    --jobs) jobs=$2; shift ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown option $1; see --help" >&2; exit 2 ;;
  esac
  shift
done

tools/install_packages.sh --tests

# The peers that tests compare with, in versions pinned by tests/requirements*.txt.
# make_venv FOLDER REQUIREMENTS [OPTION-OF-VENV]
make_venv() {
  if cmp -s "$2" "$1/requirements.txt" 2>/dev/null; then return; fi
  rm -rf "$1"
  /usr/bin/python3 -m venv ${3:-} "$1"
  "$1/bin/pip" install -q --disable-pip-version-check -r "$2"
  cp "$2" "$1/requirements.txt"
}
make_venv build/venv tests/requirements.txt
make_venv build/venv_transformers tests/requirements_transformers.txt --system-site-packages
set -- -DHEED_PYTHON="$PWD/build/venv/bin/python" \
  -DHEED_TRANSFORMERS_PYTHON="$PWD/build/venv_transformers/bin/python"
export HEED_REQUIRE_CLIENTS=1  # they are there, so a test that finds none has failed

if [ $coverage = 1 ]; then
  build=build/coverage
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Coverage -DHEED_BUILD_TESTS=ON \
    -DCMAKE_CXX_FLAGS="-O1 --coverage -fprofile-update=atomic" "$@"
else
  build=build/$preset
  cmake --preset "$preset" -DHEED_BUILD_TESTS=ON "$@"
fi
[ $coverage = 0 ] || find "$build" -name '*.gcda' -delete  # counts of earlier runs
cmake --build "$build" --parallel "$jobs"
if [ $check = 1 ]; then tools/check.sh; fi
ctest --test-dir "$build" --output-on-failure --parallel "$jobs"
if [ $coverage = 1 ]; then
  gcovr --root . --filter 'src/(ops|optim|decode|metrics|data)/' --json "$build/coverage.json" \
    "$build"
  tools/coverage.py "$build/coverage.json" ops optim decode metrics data
fi
