#!/usr/bin/env bash
# python.sh SOURCE_DIR: scripts/python builds the module alone and starts the system's Python with it. It runs in a tree
# that has only the scripts, with stand-ins for the programs that build.
set -eu -o pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }
mkdir -p "$work/bin" "$work/tree" "$work/other"
cp -r "$1/scripts" "$work/tree/scripts"
for name in ninja c++; do
  printf '#!/bin/bash\n' >"$work/bin/$name"
done
cat >"$work/bin/cmake" <<'SCRIPT'
#!/bin/bash
echo "$*" >>"$CMAKE_LOG"
case $1 in -S) while [ "$1" != -B ]; do shift; done
  mkdir -p "$2/python/spatial_dynamics"; touch "$2/build.ninja"
  echo 'value = 42' >"$2/python/spatial_dynamics/__init__.py" ;; esac
SCRIPT
chmod 755 "$work"/bin/*
echo 'value = 1' >"$work/other/other_module.py"

python() {
  (cd / && SPATIAL_DYNAMICS_SKIP_PACKAGES=1 CMAKE_LOG=$work/log PYTHONPATH=$work/other PATH="$work/bin:$PATH" "$work/tree/scripts/python" "$@")
}
answer=$(python -c 'import sys, other_module, spatial_dynamics; print(spatial_dynamics.value, sys.executable, *sys.argv[1:])' 'one word' two)
[ "$answer" = '42 /usr/bin/python3 one word two' ] || fail "the module, the interpreter or the arguments are wrong: $answer"
grep -q -- '-DSPATIAL_DYNAMICS_PYTHON=ON' "$work/log" || fail "the module is not configured: $(cat "$work/log")"
grep -q -- '--build .*/build/python --target spatial_dynamics_python$' "$work/log" || fail "more than the module is built: $(cat "$work/log")"
[ "$(python -c 'import sys; print(sys.stdin.read())' <<<'input')" = 'input' ] || fail 'standard input does not reach the script'
if python -c 'raise SystemExit(3)'; then fail 'the exit code is lost'; fi
