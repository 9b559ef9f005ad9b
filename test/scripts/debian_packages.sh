#!/usr/bin/env bash
# debian_packages.sh BUILD_DIR WORK_DIR: cpack's packages are complete, and the unpacked program
# runs.
set -eu -o pipefail
build=$1
work=$2
fail() { echo "$*" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work"
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/packages") >"$work/log" 2>&1 || fail "$(cat "$work/log")"

# Without the tools that find a package's dependencies there is no package, and a message names what
# to install.
cpack=$(command -v cpack)
if (cd "$work" && PATH=$work "$cpack" --config "$build/CPackConfig.cmake" -B "$work/none" -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF) \
  >"$work/none.log" 2>&1; then
  fail 'cpack made packages without the tools that it needs'
fi
tr -s '\n ' ' ' <"$work/none.log" | grep -q 'Install them first: apt-get install dpkg dpkg-dev file' || fail "$(cat "$work/none.log")"
[ -z "$(find "$work/none" -name '*.deb' 2>/dev/null)" ] || fail 'there is a package nevertheless'

program=$(echo "$work"/packages/spatial-dynamics_*.deb)
library=$(echo "$work"/packages/libspatial-dynamics-dev_*.deb)
version=$(sed -n 's|.*<version>\(.*\)</version>.*|\1|p' "$(dirname "$0")/../../package.xml")
for package in "$program" "$library"; do
  [ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "$package does not have the version $version"
  dpkg-deb -f "$package" Maintainer | grep -q '.* <.*@.*>' || fail "$package names no maintainer"
done
dpkg-deb -f "$program" Depends | grep -q liburdfdom || fail 'the program does not depend on the libraries that it loads'
dpkg-deb -f "$library" Depends | grep -q libeigen3-dev || fail 'the library does not depend on the headers that it includes'
dpkg-deb -f "$library" Recommends | grep -q '^spatial-dynamics ' || fail 'the library does not recommend the program, which generates code'

dpkg-deb -x "$program" "$work/root"
"$work/root/usr/bin/spatial_dynamics" check "$work/root/usr/share/spatial_dynamics/urdf/arm7.urdf" | grep -q '^arm7: 7 degrees of freedom'
[ ! -e "$work/root/usr/include" ] || fail 'the program comes with headers'
dpkg-deb -x "$library" "$work/root"
python=$(echo "$work"/packages/python3-spatial-dynamics_*.deb)
if [ -e "$python" ]; then
  dpkg-deb -f "$python" Depends | grep -q 'liburdfdom.*' || fail 'the Python module does not depend on the libraries that it loads'
  dpkg-deb -f "$python" Depends | grep -q 'python3-numpy' || fail 'the Python module does not depend on NumPy'
  dpkg-deb -x "$python" "$work/python"
  [ "$(find "$work/python" -type f -name '_core*.so')" = "$(echo "$work"/python/usr/lib/python3/dist-packages/spatial_dynamics/_core.*.so)" ] ||
    fail 'the Python module is not where the system'"'"'s Python looks'
  PYTHONPATH=$work/python/usr/lib/python3/dist-packages /usr/bin/python3 -c "import spatial_dynamics as sd
assert sd.load_urdf('$work/root/usr/share/spatial_dynamics/urdf/arm7.urdf').nv == 7"
elif [ -d "$build/python" ]; then
  fail 'there is no package of the Python module'
fi
for file in include/spatial_dynamics/model/load_urdf.hpp lib/libspatial_dynamics_urdf.a lib/cmake/spatial_dynamics/spatial_dynamicsConfig.cmake; do
  [ -e "$work/root/usr/$file" ] || fail "the library lacks $file"
done
