#!/usr/bin/env python3
"""Model-predictive control by sampling (MPPI): in each cycle 4096 candidates are simulated half a second ahead, as one
batch, and averaged with weights by their cost.

usage: sampling_mpc.py [ROBOT.urdf]
"""
import sys
import time

import numpy as np
import spatial_dynamics as sd

CANDIDATES, HORIZON, CYCLES = 4096, 25, 120
STEP = 0.02         # s
SPREAD = 4.0        # N m, of the candidates
TEMPERATURE = 0.05  # how much better a candidate must be to count more


def main():
    model = sd.load_urdf(sys.argv[1] if len(sys.argv) > 1 else "robot.urdf")
    n = model.nv
    random = np.random.default_rng(1)
    goal = np.full(n, 0.8)
    decay = 1.0 - np.arange(HORIZON)[:, None] / HORIZON  # of the noise, along the horizon
    plan = np.zeros((HORIZON, n))                        # on top of the torque that holds the robot up
    q_now, v_now = np.zeros(n), np.zeros(n)
    a = np.empty((CANDIDATES, n))
    start = time.perf_counter()
    for _ in range(CYCLES):
        hold = sd.gravity_torque(model, q_now)
        noise = random.normal(0.0, SPREAD, (CANDIDATES, n))
        q, v = np.tile(q_now, (CANDIDATES, 1)), np.tile(v_now, (CANDIDATES, 1))
        cost = np.zeros(CANDIDATES)
        for k in range(HORIZON):
            sd.forward_dynamics(model, q, v, plan[k] + hold + decay[k] * noise, out=a, threads=0)
            v += STEP * a
            q += STEP * v
            cost += ((q - goal) ** 2).sum(axis=1) + 0.05 * (v ** 2).sum(axis=1)
        weight = np.exp((cost.min() - cost) / TEMPERATURE)
        plan += decay * (weight @ noise / weight.sum())
        # The first torque of the plan is applied, the rest is the start of the next one.
        v_now += STEP * sd.forward_dynamics(model, q_now, v_now, plan[0] + hold)
        q_now += STEP * v_now
        plan = np.vstack([plan[1:], plan[-1:]])
    seconds = time.perf_counter() - start
    print(f"{CANDIDATES * HORIZON * CYCLES} forward dynamics")
    print("distance to the goal below 0.1 rad:", bool(np.linalg.norm(q_now - goal) < 0.1))
    print(f"{1e3 * seconds / CYCLES:.1f} ms a cycle", file=sys.stderr)


if __name__ == "__main__":
    main()
