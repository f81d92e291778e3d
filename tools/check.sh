#!/bin/sh
# Checks the sources: layers, format, spelling, clang-tidy; prints the numbers we watch.
#
#   tools/check.sh          all checks
#   tools/check.sh --fast   without clang-tidy
set -eu
cd "$(dirname "$0")/.."

pinned=14
failed=0
sources=$(git ls-files 'src/*.cc' 'src/*.h' 'tests/*.cc' 'tests/*.h' 'tools/*.cc')

# version_of TOOL: its major version, or nothing.
version_of() { "$1" --version 2>/dev/null | grep -o 'version [0-9]*' | head -1 | cut -d' ' -f2; }
find_pinned() {
  for tool in "$1-$pinned" "$1"; do
    if [ "$(version_of "$tool" || true)" = "$pinned" ]; then echo "$tool"; return; fi
  done
}

python3 tools/check_layers.py . || failed=1

format=$(find_pinned clang-format)
if [ -n "$format" ]; then
  $format --dry-run --Werror $sources || failed=1
else
  echo "SKIPPED: clang-format $pinned is not installed"
fi

if command -v codespell >/dev/null; then
  # "te" and "als" and the like are German; recipes and tests hold German text.
  codespell --quiet-level 2 --ignore-words tools/codespell_ignore.txt \
    $(git ls-files README.md CONTRIBUTING.md 'src/*' 'tools/*' 'configs/*') || failed=1
else
  echo "SKIPPED: codespell is not installed"
fi

# clang-tidy spends nearly all of its time on the headers of libraries, so that the files of a layer
# are one translation unit here. It follows that names in their unnamed namespaces must differ.
tidy_sources() {
  units=$(mktemp -d)
  trap 'rm -rf "$units"' EXIT
  for file in $(git ls-files 'src/*.cc'); do
    path=${file#src/}
    case "$path" in
      backend/cpu/kernels_*) ;;  # each defines the same names
      *) echo "#include \"$path\"" >>"$units/${path%%/*}.cc" ;;
    esac
  done
  { ls -S "$units"/*.cc; git ls-files 'src/backend/cpu/kernels_*.cc'; } |
    xargs -P "$(nproc)" -I {} "$1" --quiet --config-file=.clang-tidy \
      --checks=-bugprone-suspicious-include {} -- -std=c++20 -Isrc -mavx2 -mfma \
      -DSPDLOG_COMPILED_LIB -DSPDLOG_FMT_EXTERNAL \
      '-DHEED_VERSION=""' '-DHEED_REVISION=""' '-DHEED_LIBRARIES=""' 2>"$units/notes" && return
  grep 'error:' "$units/notes" || true
  echo "clang-tidy found faults"
  return 1
}

tidy=$(find_pinned clang-tidy)
if [ "${1:-}" = --fast ]; then
  :
elif [ -z "$tidy" ]; then
  echo "SKIPPED: clang-tidy $pinned is not installed"
else
  tidy_sources "$tidy" || failed=1
fi

largest=$(echo "$sources" | tr ' ' '\n' | xargs wc -l | sort -n | tail -2 | head -1 | sed 's/^ *//')
lines=$(cat $sources | wc -l)
todos=$(cat $sources | grep -c 'TODO' || true)
echo "largest file: $largest lines; $lines lines; $todos TODO"
[ "${largest%% *}" -le 500 ] || { echo "a file has over 500 lines"; failed=1; }
exit $failed
