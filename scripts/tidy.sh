#!/usr/bin/env bash
# tidy.sh BUILD_DIR: clang-tidy on every source under src/ that BUILD_DIR compiles, as it compiles it.
# A file that was clean is looked at again only when it, a header it includes, its flags or the checks have changed.
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
build=$(cd "$1" && pwd) || exit 1
cache=$build/tidy
cd "$root" || exit 1
mkdir -p "$cache"
cache_name() { printf '%s/%s' "$cache" "${1//\//_}"; }

# "source<TAB>file" for all that a source is compiled from: ninja knows it from the compiler, system headers included.
ninja -C "$build" -t deps |
  awk '/: #deps /{source = ""; next}
       /^    /{sub(/^    /, ""); if (source == "") source = $0; print source "\t" $0}' >"$cache/dependencies"
cut -f 2 "$cache/dependencies" | sort -u | (cd "$build" && xargs -d '\n' sha256sum) >"$cache/hashes"
# "source<TAB>command" from the compilation database.
awk '/^ *"command":/{command = $0}
     /^ *"file":/{sub(/^ *"file": "/, ""); sub(/",?$/, ""); print $0 "\t" command}' \
  "$build/compile_commands.json" >"$cache/commands"

# All that the verdict on one source depends on.
inputs_of() {
  clang-tidy --version
  sha256sum .clang-tidy
  awk -F '\t' -v source="$root/$1" '$1 == source' "$cache/commands"
  awk -F '\t' -v source="$root/$1" '
    FNR == NR {hash[substr($0, 67)] = substr($0, 1, 64); next}
    $1 == source {print hash[$2], $2}' "$cache/hashes" "$cache/dependencies"
}

pending=()
while read -r source; do
  name=$(cache_name "$source")
  inputs_of "$source" >"$name.inputs"
  cmp -s "$name.inputs" "$name.clean" || pending+=("$source")
done < <(cut -f 1 "$cache/commands" | sed -n "s|^$root/\(src/.*\)|\1|p" | sort -u)

# tidy_one "3/40 src/…": runs in a process of its own, started by xargs.
tidy_one() {
  local number=${1%% *} source=${1#* } name status
  name=$cache/${source//\//_}
  # The build may name warnings that only GCC has.
  clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option "$root/$source" >"$name.out" 2>"$name.err"
  status=$?
  # One write per file, so that the reports of files checked at the same time stay whole.
  if [ "$status" -eq 0 ]; then
    mv "$name.inputs" "$name.clean"
    printf '[%s] %s: clean\n' "$number" "$source"
  else
    printf '[%s] %s: FAILED\n%s\n' "$number" "$source" "$(grep -v 'warnings generated\|warnings treated' "$name.err"; cat "$name.out")"
    return 1
  fi
}
export -f tidy_one
export cache build root

if [ "${#pending[@]}" -gt 0 ]; then
  for i in "${!pending[@]}"; do printf '%d/%d %s\n' $((i + 1)) "${#pending[@]}" "${pending[i]}"; done |
    xargs -d '\n' -n 1 -P "$(nproc 2>/dev/null || echo 1)" bash -c 'tidy_one "$1"' tidy_one ||
    exit 1
fi
