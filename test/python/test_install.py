"""The module is installed where Python looks, complete, and without a path of the build."""
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import spatial_dynamics as sd
from conftest import ARM, BUILD, SOURCE

FILES = {"__init__.py", "__init__.pyi", "py.typed", "_core" + sysconfig.get_config_var("EXT_SUFFIX")}
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SPATIAL_DYNAMICS"))}
USE = f"import spatial_dynamics as sd; print(sd.__file__); assert sd.load_urdf({str(ARM)!r}).nv == 7"


def run(*command, **environment):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**CLEAN, **environment})
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("prefix, folder", [("usr", "lib/python3/dist-packages"), ("usr/local", "lib/python{}.{}/dist-packages"),
                                            ("home", "lib/python{}.{}/site-packages")])
def test_cmake_installs_where_python_looks(tmp_path, prefix, folder):
    if not Path("/etc/debian_version").exists():
        pytest.skip("not a Debian system")
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path / prefix)
    installed = tmp_path / prefix / folder.format(*sys.version_info[:2]) / "spatial_dynamics"
    assert {path.name for path in installed.iterdir()} == FILES
    assert run(sys.executable, "-c", USE, PYTHONPATH=str(installed.parent)) == str(installed / "__init__.py")
    assert [path for path in tmp_path.rglob("*") if path.is_file() and installed not in path.parents] == []


def test_pip_installs_without_a_network(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env"], check=True)
    python = tmp_path / "env/bin/python"
    missing = subprocess.run([python, "-c", "import setuptools, wheel"], capture_output=True)
    if missing.returncode:
        pytest.skip("no setuptools or wheel")
    # All of it but the compilation, which this build has done: its object files are copied.
    launcher = [sys.executable, Path(__file__).with_name("reuse_object.py"), BUILD]
    (tmp_path / ".pydistutils.cfg").write_text(f"[build]\nbuild_base = {tmp_path}/build\n")
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", SOURCE, HOME=str(tmp_path),
        CMAKE_ARGS=f"'-DCMAKE_CXX_COMPILER_LAUNCHER={';'.join(map(str, launcher))}'")
    assert (tmp_path / "build").is_dir()  # and not in the sources
    environment = {"PATH": f"{tmp_path}/env/bin:{CLEAN['PATH']}"}
    installed = Path(run(python, "-c", USE, **environment)).parent
    assert tmp_path in installed.parents and {path.name for path in installed.iterdir()} - {"__pycache__"} == FILES
    for path in installed.parent.glob("spatial_dynamics*/*"):
        if path.is_file():
            text = path.read_bytes().replace(f"file://{SOURCE}".encode(), b"")
            for folder in ("include", "src"):  # in the messages of assertions, which this build may have
                text = text.replace(f"{SOURCE}/{folder}/".encode(), b"")
            assert not [folder for folder in (SOURCE, BUILD, tmp_path / "build") if f"{folder}/".encode() in text], path
    version = run(python, "-c", "import importlib.metadata as m; print(m.version('spatial-dynamics'))")
    assert version == sd.__version__ == re.search("<version>(.*)</version>", (SOURCE / "package.xml").read_text())[1]
    dependencies = run(python, "-c", "import importlib.metadata as m; print(m.requires('spatial-dynamics'))")
    assert dependencies == "['numpy']"


def test_only_the_entry_point_is_visible():
    symbols = run("nm", "--dynamic", "--defined-only", sd.__path__[0] + "/" + max(FILES, key=len))
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__core"]


def test_a_new_numpy_needs_a_new_pybind11(tmp_path):
    (tmp_path / "numpy.py").write_text('__version__ = "2.1.0"\n')
    result = subprocess.run([sys.executable, "-c", "import spatial_dynamics"], capture_output=True, text=True,
                            env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ['PYTHONPATH']}"})
    if "ImportError" not in result.stderr:
        pytest.skip("built with a new pybind11")
    assert re.search(r"ImportError: spatial_dynamics was built with pybind11 \d+\.\d+, which works with NumPy 1, but NumPy 2\.1\.0 is "
                     r"installed\. Install numpy<2, or build spatial_dynamics with pybind11 2\.12 or newer\.", result.stderr)


def test_numpy_is_the_only_dependency():
    code = "import sys, numpy; before = set(sys.modules); import spatial_dynamics; print(*(set(sys.modules) - before))"
    loaded = {name.split(".")[0] for name in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                                              check=True).stdout.split()}
    assert loaded <= {"spatial_dynamics", "numpy"} | set(sys.stdlib_module_names)
