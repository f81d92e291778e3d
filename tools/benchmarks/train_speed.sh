#!/bin/sh
# How fast Heed trains, beside PyTorch on the same model, batches and threads, in one run.
#
#   tools/benchmarks/train_speed.sh            tiny and base; about 10 minutes on 2 cores
#
#   --models LIST   of tiny and base ("tiny base")
#   --rounds N      times that every trainer gets its turn (3); the median counts
#   --threads N     (2)
#   --build DIR     where Heed is built (build/release)
#   --output DIR    for batches and results (build/train_speed)
#
# Prints the ratios of target tokens/s and of peak memory, the time of each kernel, the share of the
# step that its matrix products would take alone, and the share of the FMA peak. The trainers take
# turns, so that a machine whose speed drifts is the same for all. Needs PyTorch: run
# tools/benchmarks/pytorch_setup.sh once.
set -eu
cd "$(dirname "$0")/../.."

models="tiny base" rounds=3 threads=2 build=build/release output=build/train_speed
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --models | --rounds | --threads | --build | --output)
      [ $# -ge 2 ] || { echo "train_speed.sh: $1 needs a value; see --help" >&2; exit 2; }
      eval "${1#--}=\$2"
      shift ;;
    *) echo "train_speed.sh: unknown option $1; see --help" >&2; exit 2 ;;
  esac
  shift
done
heed=$build/tools/benchmarks/train_benchmark
[ -x "$heed" ] || {
  echo "train_speed.sh: no $heed; build it: cmake --preset release && cmake --build --preset release" >&2
  exit 2
}
environment=$(tools/benchmarks/pytorch_setup.sh --env)
pytorch="env $environment /usr/bin/python3 tools/benchmarks/pytorch_reference.py"
mkdir -p "$output"
rm -f "$output"/*.json

# run NAME COMMAND...: appends the JSON line that it prints to NAME.json
run() {
  name=$1
  shift
  echo "  $name" >&2
  "$@" >>"$output/$name.json"
}

for model in $models; do
  case $model in
    tiny) updates=10 warmup=3 ;;
    base) updates=3 warmup=1 ;;
    *) echo "train_speed.sh: no model '$model'; tiny or base" >&2; exit 2 ;;
  esac
  batches=$output/$model.jsonl
  $pytorch --model "$model" --synthetic --write-batches "$batches" \
    --updates $updates --warmup $warmup
  same="--data $batches --threads $threads --updates $updates --warmup $warmup"
  round=0
  while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    echo "$model, round $round of $rounds" >&2
    run fma_peak "$build/tools/benchmarks/fma_peak" --threads "$threads" --json
    run "heed-$model" "$heed" configs/transformer_"$model".yaml $same
    run "stock-$model" $pytorch --model "$model" $same --implementation stock --json
    run "tuned-$model" $pytorch --model "$model" $same --workers 1 --json
    [ "$threads" -lt 2 ] || run "workers-$model" $pytorch --model "$model" $same --workers 2 --json
  done
done
tools/benchmarks/train_speed_report.py "$output"
