export PATH=/usr/bin:/bin:$PATH; . /opt/ros/jazzy/setup.bash
cd /work/main
cmake -S . -B build/ros2 -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_UNITY_BUILD=ON -DSPATIAL_DYNAMICS_WERROR=ON -DSPATIAL_DYNAMICS_UNIT_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/work/main/build/ros2/install -DCMAKE_CXX_COMPILER_LAUNCHER=ccache || exit 1
ninja -C build/ros2 -j2 "$@"
