#!/usr/bin/env bash
# run.sh SOURCE_DIR PROGRAM: how scripts/run interprets its arguments, and its error messages. It
# runs in a tree that has only the scripts, with stand-ins for the programs that it starts.
set -eu -o pipefail
root=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
fail() { echo "$*" >&2; exit 1; }
tree=$work/tree
release=$tree/build/release
mkdir -p "$work/bin" "$work/tools" "$release" "$tree/build/logs"
cp -r "$root/scripts" "$tree/scripts"
chmod -R a+rX "$tree"

# stand_in NAME: a program of this name with the commands on standard input.
stand_in() {
  { echo '#!/bin/bash' && cat; } >"$work/bin/$1"
  chmod 755 "$work/bin/$1"
}
# run ARGUMENT…: its standard output and error in $work/out and $work/err; returns its status.
as_user=()
run() {
  SPATIAL_DYNAMICS_SKIP_PACKAGES=1 "${as_user[@]}" env PATH="$work/bin:$PATH" bash "$tree/scripts/run" "$@" >"$work/out" 2>"$work/err"
}
# fails_with WHAT MESSAGE: expects an error with one line on standard error.
fails_with() {
  if run check robot.urdf; then fail "$1: continued"; fi
  [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qE "^error: $2" "$work/err" || fail "$1: $(cat "$work/err")"
}
stand_in ninja </dev/null
stand_in c++ </dev/null
stand_in cmake <<'SCRIPT'
case $1 in -S) while [ "$1" != -B ]; do shift; done; mkdir -p "$2/sub"; touch "$2/build.ninja"
  printf '#!/bin/bash\necho "$@"\n' >"$2/spatial_dynamics"; chmod 755 "$2/spatial_dynamics" ;; esac
SCRIPT

# ---- arguments: subcommands go to the program, options alone are the demo's; a short build prints 
while IFS='>' read -r arguments wanted; do
  # shellcheck disable=SC2086
  run $arguments || fail "$arguments: $(cat "$work/err")"
  [ "$(cat "$work/out")" = "$wanted" ] || fail "'$arguments' became '$(cat "$work/out")' instead of '$wanted'"
done <<'CASES'
>demo
--seconds 10>demo --seconds 10
check robot.urdf>check robot.urdf
help check>check --help
demo --help>demo --help
no_such_thing>no_such_thing
--version>--version
CASES
run check robot.urdf
[ ! -s "$work/err" ] || fail "a build without work prints: $(cat "$work/err")"

# ---- help lists the program's subcommands, with the program's texts
subcommands() { sed -n '/^Subcommands:/,/^$/p' | sed '1d;/^$/d' | tr -s ' '; }
run help
subcommands <"$work/out" >"$work/listed"
"$program" --help | subcommands | diff - "$work/listed" || fail 'scripts/run help does not list the subcommands of spatial_dynamics --help'

# ---- the disk is full: the build reports it, or fails without a message
mv "$work/bin/cmake" "$work/cmake"
stand_in cmake <<<'echo "fatal error: error writing to a.o: No space left on device"; exit 1'
fails_with 'a full disk' 'the disk is full: [0-9]+ MB'
stand_in cmake <<<'exit 1'
stand_in df <<<'printf "Filesystem 1024-blocks Used Available Capacity Mounted\nx 100 100 0 100%% /\n"'
fails_with 'a full disk without a message' 'the disk is full: 0 MB'
rm "$work/bin/df"
mv "$work/cmake" "$work/bin/cmake"

# ---- a tree that can't be written, for example another user's. Nothing is removed from it.
if [ "$(id -u)" -eq 0 ]; then as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
if [ "$(id -u)" -ne 0 ] || "${as_user[@]}" true 2>/dev/null; then
  echo 'another path' >"$release/configured-with"
  chmod -R a-w "$tree/build"
  chmod -R a+rX "$tree/build"
  fails_with 'a tree of another user' "cannot write to $tree/build: .* The program that was built here is $release/spatial_dynamics\.$"
  chmod 777 "$tree/build" "$tree/build/logs" "$release"
  fails_with 'a folder within' "cannot write to $release/sub: "
  [ -e "$release/configured-with" ] || fail 'a build folder that can not be removed whole was removed in part'
  chmod -R u+w "$tree/build"
fi
as_user=()
if unshare --mount true 2>/dev/null; then
  as_user=(unshare --mount bash -c "mount --bind '$tree' '$tree' && mount -o remount,ro,bind '$tree' && exec \"\$@\"" -)
  fails_with 'a read-only file system' "cannot write to $tree/build: .*read-only file system"
  as_user=()
fi

# ---- missing programs are named
for name in bash env dirname readlink mkdir awk grep find rm df id cat sed tr; do ln -s "$(command -v $name)" "$work/tools/$name"; done
run() { SPATIAL_DYNAMICS_SKIP_PACKAGES=1 PATH=$work/tools bash "$tree/scripts/run" "$@" >"$work/out" 2>"$work/err"; }
fails_with 'nothing to build with' 'not found: cmake, ninja, c\+\+; the Debian packages are: cmake ninja-build g\+\+\.'

# ---- singular: one package
ln -s "$work/bin/cmake" "$work/bin/ninja" "$work/bin/c++" "$work/tools"
stand_in dpkg-query <<<'if [ "${@: -1}" = cmake ]; then exit 1; fi; echo installed'
stand_in apt-get <<<'sleep 1.3'
stand_in sudo <<<'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"'
PATH=$work/bin:$PATH bash "$tree/scripts/run" check robot.urdf >"$work/out" 2>"$work/err" || fail "$(cat "$work/err")"
grep -qx 'Installing 1 package' "$work/err" || fail "one package: $(cat "$work/err")"
