"""The robot, its parts, its settings and its errors."""
import copy

import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import ARM, SOURCE

G = 9.80665


def test_describes_the_robot(model):
    assert (model.name, model.nq, model.nv, model.body_count) == ("arm7", 7, 7, 8)
    assert model.joint_names[:2] == ("shoulder_yaw", "shoulder_pitch")
    assert [joint.name for joint in model.joints] == list(model.joint_names)
    assert model.limits.effort.tolist() == [87] * 4 + [12] * 3
    assert model.limits.lower[3] == -3.0718 and np.isinf(sd.load_urdf(ARM, floating_base=True).limits.lower[:6]).all()
    assert model.last_moving_link == "flange" and model.why_forward_dynamics_fails == ""
    assert model.total_mass == pytest.approx(18.0, abs=1e-6)
    joint = model.joints[1]
    assert (joint.type, joint.parent, joint.child, joint.q_index, joint.nv) == ("revolute", "link1", "link2", 1, 1)
    assert joint.friction == pytest.approx(0.4361)
    link = model.link("link1")
    assert link is not model.links[1] and (link.index, link.body) == (1, 1)
    assert link.inertia.shape == (3, 3) and link.com.shape == (3,)


def test_has_readable_texts(model):
    assert repr(model).startswith("<Model 'arm7', 7 joints: shoulder_yaw shoulder_pitch")
    assert repr(model.joints[0]) == "<Joint 'shoulder_yaw', revolute, from 'base' to 'link1'>"
    assert repr(model.links[8]) == "<Link 8 'flange', 0 kg>"
    assert repr(model.limits).startswith("Limits(lower=array([-2.8973")
    assert repr(model.report) == "<ModelReport 'arm7', 7 dof, 0 findings>"
    assert repr(sd.ControlSettings()).startswith("ControlSettings(torque_mode='inverse_dynamics', rate_hz=1000.0")


def test_loads_from_text_and_path_like_objects():
    assert sd.load_urdf(str(ARM)).name == sd.load_urdf(ARM).name == sd.load_urdf(" \n" + ARM.read_text()).name


def test_options_change_the_model():
    assert sd.load_urdf(ARM, floating_base=True).nq == 14
    assert sd.load_urdf(ARM, locked={"elbow": -1.0}).nv == 6
    assert not sd.load_urdf(ARM, friction=False).joints[0].friction
    assert sd.load_urdf(ARM, armature={"elbow": 0.5}).joints[3].armature == 0.5
    assert sd.load_urdf(ARM, gravity=[0, 0, -1]).gravity.tolist() == [0, 0, -1]
    with pytest.raises(TypeError, match="load_urdf\\(\\) has no option 'mass'"):
        sd.load_urdf(ARM, mass=3)


def test_errors_name_element_and_correction():
    text = ARM.read_text().replace('mass value="', 'mass value="1,', 1)
    with pytest.raises(sd.ModelError, match="write numbers with a decimal point") as error:
        sd.load_urdf(text)
    assert error.value.element == "link 'base'" and isinstance(error.value, ValueError)
    with pytest.raises(sd.ModelError, match="file 'none.urdf' does not exist"):
        sd.load_urdf("none.urdf")
    with pytest.raises(TypeError):
        sd.load_urdf(3)


def test_gravity_changes_the_next_call(model):
    q = np.full(7, 0.3)
    before = sd.gravity_torque(model, q)
    many = np.stack([q, q])
    model.gravity = [0, 0, G]
    assert np.allclose(sd.gravity_torque(model, q), -before)
    assert np.allclose(sd.gravity_torque(model, many), -before)
    with pytest.raises(ValueError):
        model.gravity[2] = 1.0  # would change nothing
    for wrong in ([0, 0], [0, 0, np.nan], 3.0):
        with pytest.raises(ValueError):
            model.gravity = wrong
    assert model.gravity.tolist() == [0, 0, G]


def test_payloads_add_to_the_torque(model):
    q = np.full(7, 0.3)
    before = sd.gravity_torque(model, q)
    model.set_payload("flange", 2.0, com=[0, 0, 0.1])
    assert model.total_mass == pytest.approx(20.0)
    com = np.concatenate([np.zeros(3), [0.0, 0.0, -2 * G]])
    jacobian = sd.jacobian(model, q, "flange")
    lever = sd.jacobian(model, q, "flange", "local")  # the payload's point, by its distance
    pose = sd.link_pose(model, q, "flange")
    x, y, z, w = pose[3:]
    axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    com[:3] = np.cross(0.1 * axis, com[3:])
    assert lever.shape == jacobian.shape == (6, 7)
    assert np.allclose(sd.gravity_torque(model, q) - before, -jacobian.T @ com, atol=1e-12)
    model.set_payload("flange", 0)
    assert np.array_equal(sd.gravity_torque(model, q), before)
    with pytest.raises(ValueError):
        model.set_payload("flange", -1.0)


def test_copies_are_independent(model):
    for other in (model.copy(), copy.copy(model), copy.deepcopy(model)):
        other.gravity = [0, 0, 0]
        assert model.gravity[2] == -G
        assert not sd.gravity_torque(other, np.zeros(7)).any()


def test_check_reports_the_weight():
    report = sd.check(ARM)
    assert str(report).startswith("arm7: 7 degrees of freedom, 18 kg\n") and "own weight" in str(report)
    assert report.joints[1].weight == pytest.approx(50.67, abs=0.01)
    assert report.lumped == {"flange": "link7"} and report.findings == ()
    assert str(sd.check(sd.load_urdf(ARM))) == str(report)
    with pytest.raises(TypeError):
        sd.check(sd.load_urdf(ARM), floating_base=True)


def test_findings_have_code_and_remedy():
    report = sd.check("""<robot name="r"><link name="a"/><link name="b"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>""")
    assert "robot_without_mass" in [finding.code for finding in report.findings]
    assert report.findings[0].severity in ("info", "warning") and report.findings[0].remedy


def test_parameters_and_regressor_give_the_torque(model):
    q, v, a = np.full((3, 7), 0.4)
    parameters = sd.link_parameters(model)
    assert parameters.shape == (90,)
    assert np.allclose(sd.regressor(model, q, v, a) @ parameters, sd.rigid_body_torque(model, q, v, a))


def test_neutral_configuration_has_unit_quaternions():
    assert sd.neutral_configuration(sd.load_urdf(ARM, floating_base=True)).tolist() == [0] * 6 + [1] + [0] * 7


def test_a_robot_that_stands():
    quadruped = SOURCE / "urdf/quadruped.urdf"
    if not quadruped.exists():
        pytest.skip("no quadruped")
    model = sd.load_urdf(quadruped, floating_base=True)
    q, zero = sd.neutral_configuration(model), np.zeros(model.nv)
    feet = [(link.name, [0, 0, 0]) for link in model.links if "foot" in link.name]
    assert len(feet) == 4
    result = sd.contact_forces(model, q, zero, zero, feet)
    if result:
        assert result.forces.shape == (4, 3) and sd.explain(result) == ""
        assert np.isclose(result.forces[:, 2].sum(), model.total_mass * G)
        assert np.allclose(sd.inverse_dynamics(model, q, zero, zero, result.wrenches)[:6], 0, atol=1e-8)
    else:
        assert sd.explain(result)
    assert not sd.contact_forces(model, q, zero, zero, feet[:1])
    with pytest.raises(ValueError):
        sd.contact_forces(model, q, zero, zero, [])
