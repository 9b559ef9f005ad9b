#!/usr/bin/env python3
"""run_pages.py ROOT PROGRAM [PYTHON MODULE_FOLDER]: runs the commands of README.md and the other pages.

A line that begins with "$ " in a code block is a command, and the lines up to the next command are its output. `scripts/run` and
`spatial_dynamics` are both replaced by PROGRAM. Output is compared word by word; for the demo and bench, whose numbers differ from
run to run, and for identifications, whose numbers differ from processor to processor, line by line without numbers.
`scripts/python` is replaced by PYTHON with the module of MODULE_FOLDER; without them, commands and blocks that use the module are
skipped. Other lines that start the program are run too and must succeed: nodes for some seconds, measurements for one round. Every
other command of README.md must have a test of its own that is named below, or, for a command of ROS 2, name an existing launch file
and arguments. The Python block is run; C++ blocks of README.md and docs/embedding.md are compared with the examples, which the
tests build and run.
"""
import fcntl
import functools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PYTHON, MODULES = sys.argv[3:5] if len(sys.argv) > 4 and Path(sys.argv[4], "spatial_dynamics").is_dir() else (None, None)
BAD_URDF = """<robot name="mine"><link name="base"/><link name="upper_link"><inertial><mass value="2,5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="upper_link"/><axis xyz="0 0 1"/>
<limit effort="1" velocity="1" lower="-1" upper="1"/></joint></robot>"""
# Commands that other tests run: the beginning of the command, and the text that the file of that
# test must contain.
ELSEWHERE = [
    (r"scripts/test\b", "test/CMakeLists.txt", "docs.PagesShowActualOutput"),  # runs this script
    (r"cmake -S \. .*--install|cmake -S examples/embed", "test/CMakeLists.txt", "ExampleComputesWithTheInstalledLibrary"),
    (r"cmake -S \. |cmake --build build/mine$", "scripts/lib.sh", 'cmake -S "$root" -B'),
    (r"cmake --build build/mine && \(cd build/mine && cpack\)", "test/CMakeLists.txt", "scripts.DebianPackagesInstallAndRun"),
    (r"cmake -S examples -B|cmake --build build/examples", "test/CMakeLists.txt", "examples.Build"),
    (r"python3 -m venv|my_env/bin/pip install", "test/python/test_install.py", "--no-build-isolation"),
    (r"scripts/python( |$)", "scripts/python", "usage: scripts/python"),
    (r"build/embed/embed |build/examples/\w+ ", "test/CMakeLists.txt", "examples.${name}"),
    # colcon needs no more
    (r"cd my_workspace|rosdep install", "package.xml", ">ament_cmake</build_type>"),
    (r"ros2 topic hz", "test/ros2/test_demo.py", "torque"),
    (r"ros2 topic echo", "test/ros2/test_topics.py", "torque"),
    (r"ros2 param (describe|set)", "test/ros2/test_parameters.py", "describe"),
    (r"ros2 lifecycle set", "test/ros2/test_lifecycle.py", "TRANSITION_DEACTIVATE"),
    (r"ros2 launch spatial_dynamics demo.launch.py", "test/ros2/test_demo.py", "demo.launch.py"),
    (r"ros2 launch spatial_dynamics ros2_control.launch.py", "test/ros2_control/test_two_robots.py",
     "included('ros2_control.launch.py'"),
    (r"ros2 launch spatial_dynamics gravity_compensation.launch.xml", "test/ros2/test_xml_launch.py", "gravity_compensation.launch.xml"),
    (r"ros2 launch spatial_dynamics dynamics.launch.py", "test/ros2/test_dynamics_launch.py", "included('dynamics.launch.py'"),
]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def wordings(line):
    """A line without what differs from run to run: numbers, units of times, names of joints and
    faults. A set, because some lines may omit a part: if the node's last reports were late, the demo
    prints only the torques that it received."""
    number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
    line = re.sub(r"\([a-z]\w*\)", "(joint)", line)
    line = re.sub(rf"{number}(?: [um]s\b)?", "#", line)
    line = re.sub(r" +", " ", line).strip()
    if line.startswith("faults "):
        return {"faults"}
    return {line, line.replace(" sent, # Hz seen here", " seen here")}


def same(got, shown):
    """Compares word by word; numbers to four digits, because processors round differently. Numbers below 1e-12 equal zero."""
    number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
    close = all(abs(float(a) - float(b)) <= max(1e-12, 1e-4 * max(abs(float(a)), abs(float(b))))
                for a, b in zip(re.findall(number, got), re.findall(number, shown)))
    return close and re.sub(number, "#", got) == re.sub(number, "#", shown)


def claim_domain():
    """A DDS domain that no other test uses, by the locks of test/support/test_domain.hpp."""
    for i in range(101):
        domain = 1 + (os.getpid() + i) % 101
        lock = open(f"/tmp/spatial_dynamics_test_domain_{domain}", "a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return domain, lock  # held for as long as this process runs
        except OSError:
            lock.close()
    raise SystemExit("all domains are in use")


DOMAIN, DOMAIN_LOCK = claim_domain()


def start(command, folder):
    """Runs a command in a folder that has urdf/ and a robot of the user."""
    command = command.replace("scripts/run", "spatial_dynamics").replace("scripts/python", str(PYTHON))
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
                   "ROS_DOMAIN_ID": str(DOMAIN), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    if PYTHON:
        environment["PYTHONPATH"] = MODULES
    if command.startswith("spatial_dynamics --"):
        command = command.replace("spatial_dynamics", "spatial_dynamics demo", 1)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, capture_output=True, timeout=240)


def uses_module(text):
    return "scripts/python" in text or "spatial_dynamics as sd" in text


def run_example(command, shown, folder):
    if uses_module(command) and not PYTHON:
        return
    result = start(command, folder)
    got = result.stdout + result.stderr
    if re.search(r"--seconds| --all| bench | demo", command):
        expect(result.returncode == 0, f"{command}\nended with {result.returncode}:\n{got}")
        printed = set().union(*(wordings(line) for line in got.splitlines()))
        for line in shown:
            if line.strip() not in ("", "…"):
                expect(wordings(line) & printed, f"{command}\nprints no line like '{line.strip()}':\n{got}")
        return
    expect(same(got.rstrip(), "\n".join(shown).rstrip()),
           f"{command}\nshould print:\n" + "\n".join(shown) + f"\nprints:\n{got}")


def blocks(text, language=""):
    """The code blocks of a page in one language; blocks without a language show commands."""
    return [code for name, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


def run_blocks(text, folder):
    """Blocks with "$ " are run; returns how many commands there were."""
    count = 0
    for block in blocks(text):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = part.rstrip().splitlines()
            while command.endswith("\\"):
                command = command[:-1] + shown.pop(0).strip()
            while shown and not shown[-1].strip():
                shown.pop()
            run_example(command, shown, folder)
            count += 1
    return count


@functools.lru_cache(maxsize=None)
def known_options(subcommand):
    text = subprocess.run([PROGRAM, subcommand, "--help"], text=True, capture_output=True).stdout
    return frozenset(re.findall(r"--[a-z][a-z-]*", text))


def plain_lines(text):
    """Lines of the blocks without "$ ": continued lines joined, explanations after four blanks removed."""
    for block in blocks(text):
        if not re.search(r"^\$ ", block, re.M):
            for line in re.sub(r"\\\n\s*", "", block).splitlines():
                yield re.split(r" {4,}", line)[0].rstrip()


def shortened(command):
    """The same command for a shorter time, because only its exit code is checked. Nodes are ended as
    by Ctrl-C."""
    command = re.sub(r"scripts/bench(?= *$| -)", "scripts/bench urdf/arm7.urdf", command)
    command = command.replace("scripts/bench", "spatial_dynamics bench")
    command = re.sub(r"^scripts/run$", "spatial_dynamics demo", command)
    command = re.sub(r"^scripts/run(?= [a-z])", "spatial_dynamics", command)
    command = re.sub(r"--seconds \d+", "--seconds 2", command)
    if re.search(r"spatial_dynamics (bench|latency)\b", command):
        command += " --rounds 1"
    if re.match(r"spatial_dynamics send\b", command):  # needs a node
        node = "timeout 30 spatial_dynamics run my_robot.urdf > /dev/null 2>&1"
        return f"{node} & {command}; code=$?; kill %1; wait; exit $code"
    endless = re.search(r"spatial_dynamics (run|demo|listen|simulate --dds)\b", command) and "--seconds" not in command
    return f"timeout --preserve-status --signal=INT 4 {command}" if endless else command


def look_up(line):
    """Checks the options of a line with placeholders."""
    subcommand, rest = re.match(r"spatial_dynamics ([a-z]+)\b(.*)", line).groups()
    options = known_options(subcommand)
    expect(options, f"{line}: there is no subcommand {subcommand}")
    for option in re.findall(r"(?<=[\s\[])--[a-z][a-z-]*", rest):
        expect(option in options, f"{line}: {subcommand} has no option {option}")


def look_up_launch(line):
    file, arguments = re.match(r"ros2 launch spatial_dynamics (\S+)(.*)", line).groups()
    path = ROOT / "launch" / file
    if not path.exists():
        failures.append(f"{line}: there is no such launch file")
        return
    for argument in re.findall(r"(\w+):=", arguments):
        declared = f'<arg name="{argument}"' if path.suffix == ".xml" else f"'{argument}':"
        expect(declared in path.read_text(), f"{line}: {file} has no argument {argument}")


def is_in(text, path):
    files = path.glob("*.py") if path.is_dir() else [path]
    return any(text in file.read_text() for file in files)


@functools.lru_cache(maxsize=None)
def try_line(line, folder, is_readme):
    if re.match(r"ros2 launch spatial_dynamics ", line):
        look_up_launch(line)
    if re.match(r"([A-Z_]+=\S+ )*(spatial_dynamics|scripts/run|scripts/bench)\b", line):
        if re.search(r"[A-Z]+\.(urdf|csv)|…|<", line):
            look_up(line)
            return
        result = start(shortened(line), folder)
        expect(result.returncode == 0, f"{line}\nended with {result.returncode}:\n{result.stdout}{result.stderr}")
        return
    for beginning, file, text in ELSEWHERE:
        if re.match(beginning, line):
            expect(is_in(text, ROOT / file), f"{line}\nshould be run by '{text}' of {file}, which is not there")
            return
    expect(not is_readme or not line, f"{line}\nno test runs this line of README.md")


def check_cpp_blocks(page, examples):
    shown = [code.strip() for code in blocks(page.read_text(), "cpp")]
    expect(len(shown) == len(examples), f"{page.name} has {len(shown)} C++ blocks instead of {len(examples)}")
    for code, name in zip(shown, examples):
        expect(code == (ROOT / f"examples/{name}/main.cpp").read_text().strip(),
               f"a C++ block of {page.name} differs from examples/{name}/main.cpp")
    listed = (ROOT / "examples/CMakeLists.txt").read_text()
    for line in re.findall(r"^(?:target_link_libraries|spatial_dynamics_generate)\(.*\)$", page.read_text(), re.M):
        target = re.match(r"\w+\((\w+)", line)[1]
        if target in examples and line.startswith("spatial_dynamics_generate"):
            expect(line in listed, f"{page.name}: {line}\nis not in examples/CMakeLists.txt")
        elif target in examples:
            linked = f"target_link_libraries(${{name}} PRIVATE {line.split(' PRIVATE ')[1]}"
            expect(linked in listed, f"{page.name}: {line}\nis not how the example is linked")


def prepare(folder):
    """Makes the files that a reader has: the repository's folders, a robot, a parameter file, a log."""
    for name in ("urdf", "config", "examples"):
        (folder / name).symlink_to(ROOT / name)
    gripper = re.search(r"```yaml\n(/\*\*:.*?payloads:.*?)```", (ROOT / "docs/node.md").read_text(), re.DOTALL)
    (folder / "gripper.yaml").write_text(gripper.group(1))
    (folder / "my.yaml").write_text("/**:\n  ros__parameters:\n    effort_limit_scale: 0.5\n")
    robot = (ROOT / "urdf/arm7.urdf").read_text()
    for name in ("robot.urdf", "my_robot.urdf"):
        (folder / name).write_text(robot)
    log = start("spatial_dynamics simulate my_robot.urdf --controller computed_torque --csv log.csv", folder)
    expect(log.returncode == 0, f"there is no log to replay: {log.stderr}")


def main():
    readme = ROOT / "README.md"
    text = readme.read_text()
    pages = [readme, *sorted(ROOT.glob("docs/*.md")), ROOT / "examples/README.md", ROOT / "CONTRIBUTING.md"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for page in pages:
            for line in plain_lines(page.read_text()):
                try_line(line, folder, page == readme)
        (folder / "my_robot.urdf").write_text(BAD_URDF)
        expect(run_blocks(text, folder) >= 4, "fewer than four commands of README.md were run")
        for page in pages[1:]:
            run_blocks(page.read_text(), folder)
        for code in [code for page in pages for code in blocks(page.read_text(), "python")]:
            if uses_module(code) and not PYTHON:
                continue
            result = start(f"{PYTHON or 'python3'} -c " + shlex.quote(code), folder)
            expect(result.returncode == 0 and result.stdout, f"the Python block failed: {result.stderr}")
            shown = re.findall(r"# prints (.*)", code)
            expect(shown and same(result.stdout.strip(), "\n".join(shown)), f"the Python block prints {result.stdout}")
    check_cpp_blocks(readme, ["embed", "torque_controller"])
    check_cpp_blocks(ROOT / "docs/embedding.md", ["batch", "generated"])
    print("\n\n".join(failures) or "the pages show what happens")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
