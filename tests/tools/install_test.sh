#!/bin/sh
# What `cmake --install` puts into a folder works from there, without the sources or the build.
#
#   install_test.sh CMAKE BUILD_DIR
set -eu
cmake=$1 build=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
"$cmake" --install "$build" --prefix "$tree/heed" >/dev/null
mkdir "$tree/work"
cd "$tree/work"
heed=$tree/heed/bin/heed
share=$tree/heed/share/heed

fail() { echo "install_test.sh: $1" >&2; exit 1; }
# prints TEXT COMMAND...: the command succeeds and prints TEXT.
prints() {
  text=$1
  shift
  output=$("$@" 2>&1) || fail "failed: $*: $output"
  case "$output" in
    *"$text"*) ;;
    *) fail "'$text' is not in what this printed: $*: $output" ;;
  esac
}

prints "Heed" "$heed" --version
prints "heed help recipe" "$heed" help
prints "training.batch_tokens" "$heed" train --help
prints "peak_rate" "$heed" help recipe training

recipes=$(find "$share/recipes" -name '*.yaml')
[ -n "$recipes" ] || fail "no recipe was installed"
for recipe in $recipes; do  # what a recipe includes is found among the installed files
  prints "parameters" "$heed" inspect "$recipe"
done

for script in "$share"/data_scripts/*.py; do
  prints "usage" "$script" --help
done
prints "" "$share/data_scripts/generated_numbers.py" --train 3000
recipe=$share/recipes/numbers_ende/transformer_tiny.yaml
prints "kept" "$heed" prepare "$recipe"
