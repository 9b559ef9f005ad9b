"""reuse_object.py BUILD COMPILER ARGUMENT…: copies the object file that the build BUILD has at the same place, if any, instead of compiling.

The build has the same sources: each further build of a test takes seconds. The flags are those of BUILD.
"""
import shutil
import subprocess
import sys
from pathlib import Path

build, *command = sys.argv[1:]
output = Path(command[command.index("-o") + 1]) if "-o" in command else None
if output and "-c" in command and not output.is_absolute() and (Path(build) / output).is_file():
    shutil.copy(Path(build) / output, output)
    if "-MF" in command:
        Path(command[command.index("-MF") + 1]).write_text(f"{output}:\n")
else:
    sys.exit(subprocess.run(command).returncode)
