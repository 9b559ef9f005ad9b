#!/usr/bin/env bash
# tidy.sh BUILD_DIR [FOLDER]: runs clang-tidy on every source under src/, or src/FOLDER, that
# BUILD_DIR compiles, with the same flags.
#
# Most of the time goes into the headers of Eigen and the standard library. Therefore the sources of
# a folder with the same flags are checked together, as one file. Names in unnamed namespaces must
# be unique in their folder for this. A clean batch is checked again only if a source, a header, the
# flags or the checks have changed.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
build=$(cd "$1" && pwd) || exit 1
folder=$root/src/${2:+$2/}
cache=$build/tidy
cd "$root" || exit 1
mkdir -p "$cache"

# "source<TAB>file" for every file that a source includes, as ninja has recorded it, with system
# headers.
ninja -C "$build" -t deps |
  awk '/: #deps /{source = ""; next}
       /^    /{sub(/^    /, ""); if (source == "") source = $0; print source "\t" $0}' >"$cache/dependencies"
cut -f 2 "$cache/dependencies" | sort -u | (cd "$build" && xargs -d '\n' sha256sum) >"$cache/hashes"

# "flags<TAB>source" from the compilation database, each source under src/ once: the compiler's
# flags without the files and without GCC's precompiled headers, which clang can't read.
awk '/^ *"command":/{sub(/^ *"command": "[^ ]* /, ""); sub(/ -MD .*/, ""); sub(/ -o .*/, ""); gsub(/ -Winvalid-pch| -include [^ ]*cmake_pch[^ ]*/, ""); gsub(/\\"/, "\""); gsub(/\\\\/, "\\"); flags = $0}
     /^ *"file":/{sub(/^ *"file": "/, ""); sub(/",?$/, ""); if (!($0 in seen)) print flags "\t" $0; seen[$0] = 1}' \
  "$build/compile_commands.json" | awk -F '\t' -v folder="$folder" 'index($2, folder) == 1' >"$cache/sources"

# One file per batch: "<folder>-<number>.cpp" includes its sources, ".flags" has their compiler
# flags.
rm -f "$cache"/*.cpp "$cache"/*.flags
awk -F '\t' -v cache="$cache" -v src="$root/src/" '
  {
    folder = substr($2, length(src) + 1)
    sub(/\/[^\/]*$/, "", folder)
    key = folder "\t" $1 (folder ~ /executables$/ ? $2 : "")  # each has a main()
    gsub(/\//, "_", folder)
    if (!(key in batch)) {
      batch[key] = cache "/" folder "-" (++count[folder])
      print $1 >(batch[key] ".flags")
    }
    print "#include \"" $2 "\"  // NOLINT" >(batch[key] ".cpp")
  }' "$cache/sources"

# All inputs that the result of one batch depends on.
inputs_of() {
  clang-tidy --version
  sha256sum .clang-tidy
  cat "$1.flags"
  awk -F '\t' '
    FILENAME == ARGV[1] {gsub(/^#include "|".*$/, ""); member[$0] = 1; next}
    FILENAME == ARGV[2] {hash[substr($0, 67)] = substr($0, 1, 64); next}
    $1 in member {print hash[$2], $2}' "$1.cpp" "$cache/hashes" "$cache/dependencies" | sort -u
}

pending=()
for file in "$cache"/*.flags; do
  batch=${file%.flags}
  inputs_of "$batch" >"$batch.inputs"
  cmp -s "$batch.inputs" "$batch.clean" || pending+=("$batch")
done

# tidy_one "3/40 BATCH": runs in a separate process, started by xargs.
tidy_one() {
  local number=${1%% *} batch=${1#* } name status
  local -a flags
  name="src/$(basename "${batch%-*}" | tr _ /)"
  eval "flags=($(cat "$batch.flags"))"
  # The flags may contain warnings that only GCC has.
  clang-tidy --quiet --config-file="$root/.clang-tidy" "$batch.cpp" -- "${flags[@]}" -Wno-unknown-warning-option >"$batch.out" 2>"$batch.err"
  status=$?
  # One write per batch, so that the reports of parallel batches do not mix.
  if [ "$status" -eq 0 ]; then
    mv "$batch.inputs" "$batch.clean"
    printf '[%s] %s (%d files): clean\n' "$number" "$name" "$(wc -l <"$batch.cpp")"
  else
    printf '[%s] %s: FAILED\n%s\n' "$number" "$name" "$(grep -v 'warnings generated\|warnings treated' "$batch.err"; cat "$batch.out")"
    return 1
  fi
}
export -f tidy_one
export root

if [ "${#pending[@]}" -gt 0 ]; then
  # The longest batches first, so that no core is idle at the end.
  wc -l "${pending[@]/%/.cpp}" | sort -rn | awk '$2 != "total" {sub(/\.cpp$/, "", $2); print $2}' |
    awk -v all="${#pending[@]}" '{printf "%d/%d %s\n", NR, all, $0}' |
    xargs -d '\n' -n 1 -P "$(nproc 2>/dev/null || echo 1)" bash -c 'tidy_one "$1"' tidy_one ||
    exit 1
fi
