#!/usr/bin/env python3
"""run_pages.py ROOT PROGRAM: runs what README.md and the other pages show.

A line that begins with "$ " in a code block is a command, and what follows up to the next one is its output. Both ways of starting,
`scripts/run` and `spatial_dynamics`, become PROGRAM. Output is compared word by word; numbers of the demo and of bench differ from
run to run, so that only its words are compared there. The Python block is run, the C++ block is compared with the example that it is taken
from, and every other command line is looked up: its program and its file must exist, its subcommand and options must be known.
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
BAD_URDF = """<robot name="mine"><link name="base"/><link name="upper_link"><inertial><mass value="2,5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="upper_link"/><axis xyz="0 0 1"/>
<limit effort="1" velocity="1" lower="-1" upper="1"/></joint></robot>"""
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def without_numbers(text):
    return re.sub(r"[\d.]+(e[+-]?\d+)?", "#", text)


def same(got, shown):
    """Word by word; numbers to four digits, for other processors round otherwise."""
    number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
    close = all(abs(float(a) - float(b)) <= 1e-4 * max(abs(float(a)), abs(float(b)))
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
    """As a user would, in a folder with urdf/ and a robot of their own that is wrong."""
    command = command.replace("scripts/run", "spatial_dynamics")
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
                   "ROS_DOMAIN_ID": str(DOMAIN), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    if command.startswith("spatial_dynamics --"):
        command = command.replace("spatial_dynamics", "spatial_dynamics demo", 1)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, capture_output=True, timeout=120)


def run_example(command, shown, folder):
    result = start(command, folder)
    got = result.stdout + result.stderr
    if "--seconds" in command or " bench " in command or " demo" in command:
        expect(result.returncode == 0, f"{command}\nended with {result.returncode}:\n{got}")
        said = {re.sub(r" +", " ", without_numbers(line)).strip() for line in got.splitlines()}
        for line in shown:
            words = re.match(r"  ([a-z][a-z -]*[a-z])  ", line)
            if words:
                expect(any(words[1] in s for s in said), f"{command}\nsays nothing of '{words[1]}':\n{got}")
        return
    expect(same(got.rstrip(), "\n".join(shown).rstrip()),
           f"{command}\nshould say:\n" + "\n".join(shown) + f"\nsaid:\n{got}")


def run_blocks(text, folder):
    """Blocks with "$ " are run; returns how many commands there were."""
    count = 0
    for block in re.findall(r"^```\n(.*?)^```$", text, re.S | re.M):
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


def look_up(text):
    """Lines that are not run: subcommands and options must exist, scripts and launch files too."""
    for block in re.findall(r"^```\n(.*?)^```$", text, re.S | re.M):
        for line in block.splitlines():
            line = line.split("     ")[0]
            match = re.match(r"(?:spatial_dynamics|scripts/run) ([a-z]+)\b(.*)", line)
            if match and match[1] not in ("the",):
                options = known_options(match[1])
                expect(options, f"{line}: there is no subcommand {match[1]}")
                for option in re.findall(r"(?<=[\s\[])--[a-z][a-z-]*", match[2].split("--ros-args")[0]):
                    expect(option in options, f"{line}: {match[1]} knows no {option}")
            elif line.startswith("scripts/"):
                expect((ROOT / line.split()[0]).exists(), f"{line}: there is no such script")
            launch = re.match(r"ros2 launch spatial_dynamics (\S+)", line)
            if launch:
                expect((ROOT / "launch" / launch[1]).exists(), f"{line}: there is no such launch file")


def main():
    text = (ROOT / "README.md").read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "urdf").symlink_to(ROOT / "urdf")
        (folder / "my_robot.urdf").write_text(BAD_URDF)
        expect(run_blocks(text, folder) >= 4, "fewer than four commands of README.md were run")
        for page in [*ROOT.glob("docs/*.md"), ROOT / "examples/README.md", ROOT / "CONTRIBUTING.md"]:
            run_blocks(page.read_text(), folder)
            look_up(page.read_text())
        for code in re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M):
            result = start("python3 -c " + shlex.quote(code), folder)
            expect(result.returncode == 0 and result.stdout, f"the Python block failed: {result.stderr}")
            shown = re.search(r"# prints (.*)", code)
            expect(shown and result.stdout.strip() == shown[1], f"the Python block prints {result.stdout}")
    for code in re.findall(r"^```cpp\n(.*?)^```$", text, re.S | re.M):
        expect(code.strip() == (ROOT / "examples/embed/main.cpp").read_text().strip(),
               "the C++ block differs from examples/embed/main.cpp")
    look_up(text)
    print("\n\n".join(failures) or "the pages show what happens")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
