#!/usr/bin/env python3
"""Simulates a robot that is held by computed torque while its hand is pushed, and plots the torques with matplotlib.

usage: plot_torques.py ROBOT.urdf PICTURE
"""
import sys

import matplotlib
matplotlib.use("Agg")  # draws into files
import matplotlib.pyplot as plt
import numpy as np
import spatial_dynamics as sd

STEP_S = 1e-3


def main():
    model = sd.load_urdf(sys.argv[1])
    robot = sd.Simulator(model)
    limits = model.limits
    start = np.where(np.isfinite(limits.lower + limits.upper), (limits.lower + limits.upper) / 2, 0.0)
    robot.reset(start)
    controller = sd.TorqueController(model, sd.ControlSettings(torque_mode="computed_torque"))
    state = controller.make_input()
    times, torques = [], []
    for step in range(1, 2001):
        now = round(step * STEP_S * 1e9)
        if step == 500:
            robot.set_wrench(model.last_moving_link, [0, 0, 0, 0, 0, -10])  # a push of 10 N
        if step == 1000:
            robot.clear_wrenches()
        state.set_state(now, robot.q, robot.v)
        output = controller.step(now, state)
        robot.step(STEP_S, output.torque if output.send_torque else np.zeros(model.nv))
        times.append(robot.time_s)
        torques.append(output.torque)
    gravity = sd.gravity_torque(model, start)

    figure, axes = plt.subplots(layout="constrained")
    for name, torque, weight in zip(model.joint_names, np.transpose(torques), gravity):
        line, = axes.plot(times, torque, label=name)
        axes.axhline(weight, color=line.get_color(), linewidth=0.5, linestyle=":")
    axes.set(xlabel="time, s", ylabel="torque, N m", title=f"{model.name}: torques during a push; dotted: gravity")
    axes.legend()
    figure.savefig(sys.argv[2])
    print(f"{model.nv} torques, {len(times)} samples")


if __name__ == "__main__":
    main()
