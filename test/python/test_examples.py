"""The examples print what the files beside them show."""
import subprocess
import sys

import pytest

from conftest import SOURCE

EXAMPLES = SOURCE / "examples/python"


def run(name, *arguments):
    return subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name, robot", [("first", "arm7"), ("sampling_mpc", "double_pendulum")])
def test_examples_print_their_output(name, robot):
    assert run(name, SOURCE / f"urdf/{robot}.urdf") == (EXAMPLES / f"{name}.txt").read_text()


def test_torques_are_plotted(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "torques.png"
    assert run("plot_torques", SOURCE / "urdf/arm7.urdf", picture) == "7 torques, 2000 samples\n"
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000


def test_every_example_is_listed():
    page = (SOURCE / "examples/README.md").read_text()
    for script in EXAMPLES.glob("*.py"):
        assert f"(python/{script.name})" in page
