"""Builds the Python module with CMake. The version is that of package.xml; $CMAKE_ARGS has further options for CMake."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    """Builds the target spatial_dynamics_python alone and copies the extension beside the Python files."""

    def build_extension(self, ext):
        build = Path(self.build_temp).resolve() / "cmake"
        # A sourced ROS 2 has no part in this build.
        environment = {name: value for name, value in os.environ.items() if name != "AMENT_PREFIX_PATH"}
        options = ["-DSPATIAL_DYNAMICS_PYTHON=ON", "-DSPATIAL_DYNAMICS_CLI=OFF", "-DBUILD_TESTING=OFF",
                   "-DCMAKE_UNITY_BUILD=ON", f"-DPython_EXECUTABLE={sys.executable}"]
        if shutil.which("ninja"):
            options.append("-GNinja")
        try:  # pip's package; Debian's pybind11-dev is found without it
            import pybind11
            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *options], check=True, env=environment)
        subprocess.run(["cmake", "--build", build, "--target", ext.name.replace("._core", "_python"),
                        "--parallel", str(self.parallel or os.cpu_count())], check=True, env=environment)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / "python/spatial_dynamics" / target.name, target)


(ROOT / "build").mkdir(exist_ok=True)  # where setuptools writes, too
setup(version=re.search("<version>(.*)</version>", (ROOT / "package.xml").read_text())[1],
      packages=["spatial_dynamics"],
      package_dir={"spatial_dynamics": "src/python/spatial_dynamics"},
      package_data={"spatial_dynamics": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("spatial_dynamics._core", [])],
      cmdclass={"build_ext": CMakeBuild},
      options={"egg_info": {"egg_base": "build"}})
