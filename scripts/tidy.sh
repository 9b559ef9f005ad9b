#!/usr/bin/env bash
# tidy.sh BUILD_DIR [FOLDER]: runs clang-tidy on every source under src/, or src/FOLDER, that
# BUILD_DIR compiles, with the same flags.
#
# Most of the time goes into the headers of Eigen and the standard library. Therefore BUILD_DIR
# should be configured with CMAKE_UNITY_BUILD, and neighbouring units with equal flags are checked
# together, in groups. A clean group is checked again only if a source, a header, the flags or the
# checks have changed.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
build=$(cd "$1" && pwd) || exit 1
folder=$root/src/${2:+$2/}
cache=$build/tidy
cd "$root" || exit 1
mkdir -p "$cache"

# "unit<TAB>file" for every file that a unit includes, as ninja has recorded it, with system
# headers.
ninja -C "$build" -t deps |
  awk '/: #deps /{unit = ""; next}
       /^    /{sub(/^    /, ""); if (unit == "") unit = $0; print unit "\t" $0}' >"$cache/dependencies"
cut -f 2 "$cache/dependencies" | sort -u | (cd "$build" && xargs -d '\n' sha256sum) >"$cache/hashes"

# "unit<TAB>count": the units with sources of the folder, without tests that compile sources again.
awk -F '\t' -v folder="$folder" -v tests="$build/test/" 'index($2, folder) == 1 && $2 ~ /\.cpp$/ && index($1, tests) != 1 {++count[$1]} END {for (unit in count) print unit "\t" count[unit]}' \
  "$cache/dependencies" >"$cache/units"
if [ ! -s "$cache/units" ]; then
  echo "no object in $build was compiled from $folder"
  exit 1
fi

# "flags<TAB>unit" from the compilation database, each unit once: the compiler's flags without the
# files, without GCC's precompiled headers, which clang can't read, and without its heap size.
awk '/^ *"command":/{sub(/^ *"command": "[^ ]* /, ""); sub(/ -MD .*/, ""); sub(/ -o .*/, ""); gsub(/ -Winvalid-pch| -include [^ ]*cmake_pch[^ ]*| --param=[^ ]*/, ""); gsub(/\\"/, "\""); gsub(/\\\\/, "\\"); flags = $0}
     /^ *"file":/{sub(/^ *"file": "/, ""); sub(/",?$/, ""); if (!($0 in seen)) print flags "\t" $0; seen[$0] = 1}' \
  "$build/compile_commands.json" >"$cache/commands"

# "number of sources<TAB>units, with spaces": the groups, the largest first, so that no core is idle
# at the end.
awk -F '\t' -v most=32 '
  function finish() {if (sources) print sources "\t" units; sources = 0; units = ""}
  NR == FNR {count[$1] = $2; next}
  !($2 in count) {next}
  $1 != flags || sources + count[$2] > most {finish()}
  {flags = $1; sources += count[$2]; units = units (units == "" ? "" : " ") $2}
  END {finish()}' "$cache/units" "$cache/commands" | sort -rn >"$cache/groups"

# inputs_of UNIT...: everything that the result of a group depends on; the second line is its flags.
inputs_of() {
  sha256sum .clang-tidy
  awk -F '\t' -v unit="$1" '$2 == unit {print $1}' "$cache/commands"
  clang-tidy --version
  awk -F '\t' -v units="$*" '
    BEGIN {split(units, list, " "); for (i in list) wanted[list[i]]}
    NR == FNR {hash[substr($0, 67)] = substr($0, 1, 64); next}
    $1 in wanted {print hash[$2], $2}' "$cache/hashes" "$cache/dependencies" | sort -u
}

# "name<TAB>number of sources": the groups that have changed. A group is named after its first unit.
pending=()
while IFS=$'\t' read -r count units; do
  read -ra units <<<"$units"
  name=$(sed -E 's|\.dir/Unity/unity_|-|; s|(_cxx)?\.[^.]*$||; s|.*/||' <<<"${units[0]}")
  printf '#include "%s"\n' "${units[@]}" >"$cache/$name.cpp"
  inputs_of "${units[@]}" >"$cache/$name.inputs"
  cmp -s "$cache/$name.inputs" "$cache/$name.clean" || pending+=("$name"$'\t'"$count")
done <"$cache/groups"

# tidy_one "3/40<TAB>NAME<TAB>COUNT": runs in a separate process, started by xargs.
tidy_one() {
  local number name count status
  local -a flags
  IFS=$'\t' read -r number name count <<<"$1"
  eval "flags=($(sed -n 2p "$cache/$name.inputs"))"
  # A group includes sources on purpose, and the flags may contain warnings that only GCC has.
  clang-tidy --quiet --config-file="$root/.clang-tidy" --checks=-bugprone-suspicious-include "$cache/$name.cpp" -- "${flags[@]}" \
    -Wno-unknown-warning-option >"$cache/$name.out" 2>"$cache/$name.err"
  status=$?
  # One write per group, so that the reports of parallel groups do not mix.
  if [ "$status" -eq 0 ]; then
    mv "$cache/$name.inputs" "$cache/$name.clean"
    printf '[%s] %s (%d files): clean\n' "$number" "$name" "$count"
  else
    printf '[%s] %s: FAILED\n%s\n' "$number" "$name" "$(grep -v 'warnings generated\|warnings treated' "$cache/$name.err"; cat "$cache/$name.out")"
    return 1
  fi
}
export -f tidy_one
export root cache

if [ "${#pending[@]}" -gt 0 ]; then
  printf '%s\n' "${pending[@]}" | awk -v all="${#pending[@]}" '{printf "%d/%d\t%s\n", NR, all, $0}' |
    xargs -d '\n' -n 1 -P "$(nproc 2>/dev/null || echo 1)" bash -c 'tidy_one "$1"' tidy_one ||
    exit 1
fi
