#!/usr/bin/env python3
"""Dynamics from Python, without bindings: a process of `spatial_dynamics compute` answers JSON lines.

usage: compute.py ROBOT.urdf [PROGRAM]
"""
import json
import math
import subprocess
import sys


class Dynamics:
    """Keeps one process for all calls. A call takes about 100 us, much less than a new process."""

    def __init__(self, urdf, program="spatial_dynamics"):
        self.process = subprocess.Popen([program, "compute", urdf], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, want, **state):
        self.process.stdin.write(json.dumps({**state, "want": [want]}) + "\n")
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the robot was rejected; see the message above")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer[want]


def main():
    dynamics = Dynamics(*sys.argv[1:3])
    # The torques that hold a double pendulum at several angles.
    print("shoulder   gravity torque (shoulder, elbow)")
    for degrees in range(0, 181, 45):
        q = {"shoulder": math.radians(degrees), "elbow": 0.0}
        g = dynamics("gravity", q=q)
        print(f"{degrees:4d} deg   {g['shoulder'] + 0:8.3f} N m  {g['elbow'] + 0:8.3f} N m")
    # Forward dynamics, then inverse dynamics, which returns the torques.
    q, tau = [0.5, -0.3], [1.0, 0.2]
    a = dynamics("fd", q=q, tau=tau)
    back = dynamics("id", q=q, a=a)
    print("inverse dynamics of forward dynamics:", [round(x, 9) for x in back])
    try:
        dynamics("fd", q=[0.5], tau=tau)
    except ValueError as error:
        print("rejected:", error)


if __name__ == "__main__":
    main()
