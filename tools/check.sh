#!/bin/sh
# Checks the sources: layers, format, spelling, clang-tidy; prints the numbers we watch.
#
#   tools/check.sh BUILD_DIR   all checks; BUILD_DIR holds compile_commands.json
#   tools/check.sh --fast      without clang-tidy
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

tidy=$(find_pinned clang-tidy)
if [ "${1:-}" = --fast ]; then
  :
elif [ -z "$tidy" ]; then
  echo "SKIPPED: clang-tidy $pinned is not installed"
else
  # Reported, not yet fatal: the first sources were written before this check ran over all of them.
  git ls-files 'src/*.cc' | xargs -P "$(nproc)" -n 4 $tidy -p "${1:?BUILD_DIR or --fast}" --quiet \
    2>/dev/null >"$1/clang-tidy.txt" || true
  grep -E '(warning|error):' "$1/clang-tidy.txt" | sort -u || true
  echo "clang-tidy: $(grep -E '(warning|error):' "$1/clang-tidy.txt" | sort -u | wc -l) faults"
fi

largest=$(echo "$sources" | tr ' ' '\n' | xargs wc -l | sort -n | tail -2 | head -1 | sed 's/^ *//')
lines=$(cat $sources | wc -l)
todos=$(cat $sources | grep -c 'TODO' || true)
echo "largest file: $largest lines; $lines lines; $todos TODO"
[ "${largest%% *}" -le 500 ] || { echo "a file has over 500 lines"; failed=1; }
exit $failed
