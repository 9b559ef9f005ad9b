"""The simulated robot."""
import numpy as np
import pytest

import spatial_dynamics as sd


def test_falls_and_conserves_energy():
    model = sd.load_urdf("""<robot name="pendulum"><link name="a"/><link name="b"><inertial><origin xyz="0 0 -1"/>
      <mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>""")
    simulator = sd.Simulator(model, integrator="rk4")
    simulator.reset([1.0])
    energy = simulator.energy
    for _ in range(500):
        simulator.step(1e-3, [0.0])
    assert simulator.energy == pytest.approx(energy, rel=1e-9)
    assert simulator.time_s == pytest.approx(0.5)
    assert simulator.q[0] < 0.5 and simulator.effort[0] == 0.0
    # By hand: a small swing has the period 2 pi sqrt(l/g).
    simulator.reset([1e-3])
    while simulator.q[0] > 0:
        simulator.step(1e-4, [0.0])
    assert simulator.time_s == pytest.approx(np.pi / 2 / np.sqrt(9.80665), rel=1e-3)


def test_options_and_seeds(model):
    def noisy(seed):
        simulator = sd.Simulator(model, position_noise=1e-3, delay_samples=1, seed=seed)
        for _ in range(3):
            simulator.step(1e-3, np.zeros(7))
        return simulator.measured
    assert np.array_equal(noisy(1).q, noisy(1).q) and not np.array_equal(noisy(1).q, noisy(2).q)
    assert noisy(1).time_s == pytest.approx(2e-3)
    with pytest.raises(ValueError, match="integrator is 'euler', but must be 'semi_implicit' or 'rk4'"):
        sd.Simulator(model, integrator="euler")
    with pytest.raises(ValueError):
        sd.Simulator(model, substeps=0)
    with pytest.raises(TypeError):
        sd.Simulator(model, "rk4")


def test_rejected_steps_change_nothing(model):
    simulator = sd.Simulator(model)
    simulator.step(1e-3, np.zeros(7))
    q = simulator.q
    for dt, effort, message in [(0.0, np.zeros(7), "dt is not positive"), (1e-3, np.zeros(3), "effort has 3 numbers, expected 7"),
                                (1e-3, np.full(7, np.nan), "an effort is not finite")]:
        with pytest.raises(ValueError, match=message):
            simulator.step(dt, effort)
    assert np.array_equal(simulator.q, q)
    with pytest.raises(ValueError):
        simulator.reset([1.0])


def test_forces_payloads_and_drives(model):
    simulator = sd.Simulator(model)
    simulator.set_gravity([0, 0, 0])
    simulator.set_wrench("flange", [0, 0, 0, 0, 0, 50])
    simulator.step(1e-2, np.zeros(7))
    assert np.abs(simulator.v).max() > 1e-2
    simulator.clear_wrenches()
    simulator.reset(np.array([0, 0, 0, -1.0, 0, 1, 0]))
    simulator.prescribe_velocity(0, 0.5)
    simulator.step(1e-2, np.zeros(7))
    assert simulator.v[0] == pytest.approx(0.5) and simulator.q[0] == pytest.approx(5e-3)
    simulator.set_payload("flange", 1.0)
    simulator.pause()
    time = simulator.time_s
    simulator.step(1e-2, np.zeros(7))
    assert simulator.paused and simulator.time_s == time
    simulator.resume()
    assert repr(simulator) == "<Simulator of 'arm7' at 0.010000 s>"
