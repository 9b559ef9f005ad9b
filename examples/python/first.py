#!/usr/bin/env python3
"""The first script: torques of one state and of a batch, and their inverse.

usage: first.py [ROBOT.urdf]
"""
import sys

import numpy as np
import spatial_dynamics as sd


def main():
    model = sd.load_urdf(sys.argv[1] if len(sys.argv) > 1 else "robot.urdf")
    np.set_printoptions(precision=4, suppress=True)

    # One state is a 1-D array, in the order of model.joint_names.
    q, v, a = np.full(model.nq, 0.5), np.zeros(model.nv), np.ones(model.nv)
    tau = sd.inverse_dynamics(model, q, v, a)
    for name, torque, limit in zip(model.joint_names, tau, model.limits.effort):
        print(f"{name}: {torque:.4f} of {limit:g} N m")
    print("forward dynamics returns the acceleration:", np.allclose(sd.forward_dynamics(model, q, v, tau), a))

    # A batch is a 2-D array with one state per row.
    q = np.linspace(-1, 1, 1000)[:, None] * np.ones(model.nq)
    gravity = sd.gravity_torque(model, q)
    print("batch:", gravity.shape, "largest gravity torques:", np.abs(gravity).max(axis=0))

    # Errors are exceptions with a sentence.
    try:
        sd.gravity_torque(model, q[:, :1])
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
