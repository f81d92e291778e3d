#!/bin/sh
# From a fresh clone to a trained translator, English to German, in under 15 minutes on 2 cores.
# For Debian 12 and 13 and Ubuntu 24.04; as root, or with sudo for the packages.
#
#   tools/quickstart.sh
#
#   --suite NAMES   Debian suites whose package descriptions are the corpus (trixie,bookworm)
#   --mirror URL    Debian mirror to fetch them from, in place of the one that apt uses
#   --updates N     train for N updates, in place of what the recipe says
#   --jobs N        compile jobs (default: one per core)
#
# What is done is not done again: after an error or Ctrl-C, start it once more and it goes on.
set -eu
cd "$(dirname "$0")/.."

recipe=recipes/debian_ende/transformer_tiny.yaml
run=runs/debian_ende
heed=build/release/heed

fail() { echo "quickstart.sh: $1" >&2; exit 2; }

suite="" mirror="" updates="" jobs=$(nproc)
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --suite | --mirror | --updates | --jobs)
      [ $# -ge 2 ] || fail "$1 needs a value; see --help"
      case "$1" in
        --suite) suite=$2 ;;
        --mirror) mirror=$2 ;;
        --updates) updates=$2 ;;
        --jobs) jobs=$2 ;;
      esac
      shift ;;
    *) fail "unknown option $1; see --help" ;;
  esac
  shift
done

start=$(date +%s)
step="start"
elapsed() {
  seconds=$(($(date +%s) - start))
  printf '%d:%02d' $((seconds / 60)) $((seconds % 60))
}
step() {
  step=$1
  printf '\n== %s  (%s since the start)\n' "$step" "$(elapsed)"
}
finish() {
  status=$?
  [ $status = 0 ] && return
  echo >&2
  if [ $status = 130 ]; then
    echo "quickstart.sh: interrupted; start it again to go on" >&2
  else
    echo "quickstart.sh: '$step' failed after $(elapsed). The message above says why;" \
      "mend it and start again: what is done is not done again" >&2
  fi
}
trap finish EXIT
trap 'exit 130' INT TERM  # heed saves its work first

step "1/6 Packages"
tools/install_packages.sh

step "2/6 Build"
cmake --preset release -DHEED_BUILD_TESTS=OFF
cmake --build build/release --target heed --parallel "$jobs"

step "3/6 Corpus: descriptions of Debian's packages"
data_scripts/debian_descriptions.py ${suite:+--suite "$suite"} ${mirror:+--mirror "$mirror"}

step "4/6 Training: $recipe"
# The recipe's warm-up is 300 of 2,800 updates; fewer updates, shorter warm-up.
$heed train $recipe ${updates:+--set "training.stop.updates=$updates" \
  --set "training.schedule.warmup_updates=$((updates / 9))"}

step "5/6 Evaluation: 1,000 sentences that training has not seen"
$heed evaluate $recipe

step "6/6 Three descriptions that are in none of the files"
mkdir -p build/quickstart
cat >build/quickstart/source.en <<'END'
This package contains the documentation for the audio library.
small program for viewing and editing text files
It allows you to search the contents of your e-mail from the command line.
END
$heed --log-level warning translate --model $run build/quickstart/source.en \
  >build/quickstart/translation.de
paste -d '\n' build/quickstart/source.en build/quickstart/translation.de |
  sed -e 'N' -e 's/^/  en  /' -e 's/\n/\n  de  /'

cat <<END

Done in $(elapsed). What next:

  $heed translate --model $run        your own lines; Ctrl-D ends them
  $heed train $recipe --set output=runs/longer --set training.stop.updates=30000
                                                    the same for an hour or two, and better
  $heed help recipe                       every key of a recipe; copy one and change it
  $heed help                              everything else that heed can do

The model, its checkpoints and metrics.jsonl are in $run. README.md tells more.
END
