"""The torque controller and its settings."""
import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import ARM

MS = 1_000_000


def run(model, controller, simulator, steps, reference=None):
    """The outputs of a closed loop of 1 kHz."""
    inputs = controller.make_input()
    for k in range(1, steps + 1):
        now = k * MS
        inputs.set_state(now, simulator.measured.q, simulator.measured.v)
        if reference is not None:
            inputs.set_reference(now, reference)
        output = controller.step(now, inputs)
        simulator.step(1e-3, output.torque if output.send_torque else np.zeros(model.nv))
    return inputs, output


@pytest.fixture
def start():
    return np.array([0.1, -0.5, 0.2, -1.5, 0.1, 1.2, 0.0])


def test_holds_a_robot(model, start):
    controller = sd.TorqueController(model, sd.ControlSettings(torque_mode="gravity_compensation"))
    simulator = sd.Simulator(model)
    simulator.reset(start)
    _, output = run(model, controller, simulator, 500)
    assert output.phase == controller.phase == "running" and output.send_torque
    assert np.allclose(simulator.q, start, atol=1e-2)
    assert np.allclose(output.torque, sd.gravity_torque(model, simulator.q), atol=0.5)
    assert repr(controller) == "<TorqueController of 'arm7', running>"


def test_reaches_a_setpoint(start):
    model = sd.load_urdf(ARM, friction=False)
    controller = sd.TorqueController(model, sd.ControlSettings(torque_mode="computed_torque", kp=100.0, kd=20.0))
    simulator = sd.Simulator(model)
    simulator.reset(start)
    target = start + 0.1
    run(model, controller, simulator, 1500, target)
    assert np.allclose(simulator.q, target, atol=5e-3)


def test_a_stale_state_is_a_fault(model, start):
    controller = sd.TorqueController(model)
    simulator = sd.Simulator(model)
    simulator.reset(start)
    inputs, output = run(model, controller, simulator, 50)
    assert output.faults == frozenset()
    output = controller.step(400 * MS, inputs)
    assert output.phase == "fallback" and len(output.faults) > 0
    assert all(isinstance(fault, str) for fault in output.faults)
    inputs.active = False
    assert controller.step(500 * MS, inputs).phase == "ramping down"


def test_settings_are_attributes_and_arguments():
    settings = sd.ControlSettings(torque_mode="joint_impedance", stiffness=[1, 2, 3], damping_ratio=0.5,
                                  envelope=sd.EnvelopeSettings(margin=0.1), contact=sd.ContactSettings(reaction="hold"))
    assert settings.stiffness == (1, 2, 3) and settings.damping_ratio == (0.5,)
    settings.envelope.power_limit = 100.0
    settings.command_joints = ["elbow"]
    assert settings.envelope.power_limit == 100 and settings.envelope.margin == (0.1,)
    assert settings.contact.reaction == "hold" and settings.command_joints == ("elbow",)
    with pytest.raises(AttributeError):
        settings.stiffnes = 1.0
    with pytest.raises(TypeError, match="ControlSettings has no attribute 'gain'"):
        sd.ControlSettings(gain=1.0)


def test_wrong_settings_name_the_parameter(model):
    with pytest.raises(sd.ParameterError, match="fallback is 'none', but must be one of 'zero', 'gravity_only', 'stop'"):
        sd.ControlSettings(fallback="none")
    with pytest.raises(sd.ParameterError) as error:
        sd.TorqueController(model, sd.ControlSettings(kp=[1.0, 2.0]))
    assert "kp" in error.value.parameter and isinstance(error.value, ValueError)
    controller = sd.TorqueController(model)
    with pytest.raises(sd.ParameterError):
        controller.set_settings(sd.ControlSettings(rate_hz=-1))
    assert controller.settings.rate_hz == 1000
    controller.set_settings(sd.ControlSettings(torque_mode="gravity_compensation"))
    assert controller.settings.torque_mode == "gravity_compensation"


def test_wrong_inputs_raise_and_change_nothing(model):
    inputs = sd.TorqueController(model).make_input()
    for call in (lambda: inputs.set_state(1, np.zeros(3), np.zeros(7)), lambda: inputs.set_reference(1, np.zeros(6)),
                 lambda: inputs.set_stiffness([np.nan] * 7), lambda: inputs.set_wrench(1, "hand", np.zeros(6)),
                 lambda: inputs.set_wrench(1, "flange", np.zeros(5)), lambda: inputs.set_payload("flange", -1.0)):
        with pytest.raises(ValueError):
            call()
    inputs.set_reference(1, np.full(7, 10.0))
    assert inputs.clipped > 0


def test_payloads_ramp_into_the_torque(model, start):
    controller = sd.TorqueController(model, sd.ControlSettings(torque_mode="gravity_compensation",
                                                               compute=sd.OptionalComputation(torque_terms=True)))
    simulator = sd.Simulator(model)
    simulator.reset(start)
    inputs, before = run(model, controller, simulator, 100)
    inputs.set_payload("flange", 1.0)
    inputs.set_gravity([0, 0, -9.0])
    for k in range(101, 1200):
        inputs.set_state(k * MS, start, np.zeros(7))
        after = controller.step(k * MS, inputs)
    loaded = controller.model
    assert loaded.total_mass == pytest.approx(19.0) and loaded.gravity.tolist() == [0, 0, -9.0]
    assert after.send_terms and np.allclose(after.gravity_term, sd.gravity_torque(loaded, start), atol=1e-9)
    assert not np.allclose(before.torque, after.torque)
