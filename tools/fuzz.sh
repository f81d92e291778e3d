#!/bin/sh
# Fuzzes the readers of model files with libFuzzer under AddressSanitizer and UBSan.
#
#   tools/fuzz.sh                     all readers, 10 minutes together: for every night
#   tools/fuzz.sh --seconds 60        less, for continuous integration
#   tools/fuzz.sh marian_npz recipe   these only; build/fuzz/fuzz_readers --list names all
#
# What has been found interesting stays in build/fuzz/corpus. An input that crashes a reader, takes
# 10 seconds or 1 GiB goes to build/fuzz/crash-*; run it again with
#   build/fuzz/fuzz_readers --reader=NAME --work=/tmp/fuzz --model=tests/export/heed_0.1.0 FILE
set -eu
cd "$(dirname "$0")/.."

seconds=600 readers="" jobs=$(nproc)
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) seconds=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "fuzz.sh: unknown option $1; see --help" >&2; exit 2 ;;
    *) readers="$readers $1" ;;
  esac
  shift
done

tools/install_packages.sh --fuzz
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target fuzz_readers --parallel "$jobs"

program=build/fuzz/fuzz_readers
work=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$work"' EXIT
[ -n "$readers" ] || readers=$($program --list)
each=$((seconds / $(echo "$readers" | wc -w)))
[ $each -gt 0 ] || each=1
for reader in $readers; do
  corpus=build/fuzz/corpus/$reader
  mkdir -p "$corpus"
  printf '%-24s' "$reader"
  if ! $program --reader="$reader" --work="$work" --model=tests/export/heed_0.1.0 \
    -max_total_time=$each -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=131072 \
    -artifact_prefix="build/fuzz/crash-$reader-" -print_final_stats=1 \
    "$corpus" >"build/fuzz/$reader.log" 2>&1; then
    echo "FAILED"
    tail -40 "build/fuzz/$reader.log"
    exit 1
  fi
  awk '/number_of_executed_units/ { print $2, "inputs" }' "build/fuzz/$reader.log"
done
echo "no faults in $seconds seconds"
