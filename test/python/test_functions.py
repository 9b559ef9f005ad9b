"""Every function returns the numbers of the C++ library, bit for bit."""
import re

import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import ARM, SOURCE, random_states, reference

ROBOTS = [(ARM, "fixed"), (SOURCE / "urdf/humanoid.urdf", "floating"), (SOURCE / "urdf/double_pendulum.urdf", "floating")]
FRAMES = ["local", "world", "local_world_aligned"]


def calls(model, q, v, a, f):
    """The name in the reference's output, and the call with some states."""
    link = model.last_moving_link
    yield "inverse_dynamics", lambda i, **k: sd.inverse_dynamics(model, q[i], v[i], a[i], f[i], **k)
    yield "rigid_body_torque", lambda i, **k: sd.rigid_body_torque(model, q[i], v[i], a[i], f[i], **k)
    yield "friction_torque", lambda i, **k: sd.friction_torque(model, v[i], **k)
    yield "friction_torque 2", lambda i, **k: sd.friction_torque(model, v[i], a[i], **k)
    yield "rotor_torque", lambda i, **k: sd.rotor_torque(model, a[i], **k)
    yield "bias_torque", lambda i, **k: sd.bias_torque(model, q[i], v[i], f[i], **k)
    yield "gravity_torque", lambda i, **k: sd.gravity_torque(model, q[i], f[i], **k)
    yield "joint_wrenches", lambda i, **k: sd.joint_wrenches(model, q[i], v[i], a[i], f[i], **k)
    yield "forward_dynamics", lambda i, **k: sd.forward_dynamics(model, q[i], v[i], a[i], f[i], **k)
    yield "mass_matrix", lambda i, **k: sd.mass_matrix(model, q[i], **k)
    yield "mass_matrix_inverse", lambda i, **k: sd.mass_matrix_inverse(model, q[i], **k)
    yield "coriolis_matrix", lambda i, **k: sd.coriolis_matrix(model, q[i], v[i], **k)
    yield "regressor", lambda i, **k: sd.regressor(model, q[i], v[i], a[i], **k)
    yield "link_pose", lambda i, **k: sd.link_pose(model, q[i], link, **k)
    for number, frame in enumerate(FRAMES):
        yield f"link_velocity {number}", lambda i, fr=frame, **k: sd.link_velocity(model, q[i], v[i], link, fr, **k)
        yield f"link_acceleration {number}", lambda i, fr=frame, **k: sd.link_acceleration(
            model, q[i], v[i], a[i], link, fr, **k)
        yield f"jacobian {number}", lambda i, fr=frame, **k: sd.jacobian(model, q[i], link, frame=fr, **k)
        yield f"jacobian_rate {number}", lambda i, fr=frame, **k: sd.jacobian_rate(model, q[i], v[i], link, fr, **k)
    yield "link_classical_acceleration", lambda i, **k: sd.link_classical_acceleration(
        model, q[i], v[i], a[i], link, **k)
    yield "kinetic_energy", lambda i, **k: sd.kinetic_energy(model, q[i], v[i], **k)
    yield "potential_energy", lambda i, **k: sd.potential_energy(model, q[i], **k)
    yield "center_of_mass", lambda i, **k: sd.center_of_mass(model, q[i], **k)
    yield "centroidal_momentum", lambda i, **k: sd.centroidal_momentum(model, q[i], v[i], **k)
    yield "inverse_dynamics_derivatives", lambda i, **k: sd.inverse_dynamics_derivatives(
        model, q[i], v[i], a[i], f[i], **k)
    yield "forward_dynamics_derivatives", lambda i, **k: sd.forward_dynamics_derivatives(
        model, q[i], v[i], a[i], f[i], **k)


def parts(name, result):
    """The parts of a result, with their names in the reference's output."""
    if isinstance(result, tuple):
        return [(f"{name} {i}", part) for i, part in enumerate(result)]
    return [(name, result)]


def as_stored(name, array, batch):
    """One state per row in the library's order: matrices by columns, wrenches by bodies."""
    array = np.asarray(array) if batch else np.asarray(array)[None]
    if array.ndim == 3 and name != "joint_wrenches":
        array = array.transpose(0, 2, 1)
    return array.reshape(len(array), -1)


@pytest.mark.parametrize("urdf, base", ROBOTS, ids=lambda x: getattr(x, "stem", x))
def test_results_equal_those_of_the_library(urdf, base):
    model = sd.load_urdf(urdf, floating_base=base == "floating")
    count = 603  # more than two pieces, and a rest that fills no lane
    states = random_states(model, count)
    expected = reference(urdf, base, *states)
    compared = set()
    for name, call in calls(model, *states):
        for threads in (1, 3):
            for part, result in parts(name, call(slice(None), threads=threads)):
                assert as_stored(name, result, True).tobytes() == expected[part][1].tobytes(), part
                compared.add(part)
        for i in (0, 1, count - 1):
            for part, result in parts(name, call(i)):
                assert as_stored(name, result, False).tobytes() == expected[part][0][i].tobytes(), part
    assert compared == set(expected)


def test_results_go_to_the_given_arrays(model):
    states = random_states(model, 300)
    for name, call in calls(model, *states):
        for i in (0, slice(None), slice(0, 0)):
            expected = call(i)
            results = expected if isinstance(expected, tuple) else (expected,)
            # Every second number of a larger array: results may be written to any layout.
            outs = tuple(np.full([2 * n for n in np.shape(x)], 7.0)[tuple(slice(None, None, 2) for _ in np.shape(x))]
                         if np.ndim(x) else np.array(7.0) for x in results)
            returned = call(i, out=outs if len(outs) > 1 else outs[0])
            for out, back, x in zip(outs, returned if len(outs) > 1 else (returned,), results):
                assert back is out, name
                assert np.array_equal(out, x), name


def test_the_module_has_every_function_of_the_headers():
    text = "\n".join(path.read_text() for path in (SOURCE / "include/spatial_dynamics/dynamics").glob("*.hpp"))
    text = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    found = set(re.findall(r"^(?:const )?[\w:]+(?:<\w+>)?[&*]? (\w+)\(", text, re.M)) | set(
        re.findall(r"^const \w+& (\w+)\($", text, re.M))
    assert len(found) > 25
    assert found - {"operator"} <= set(sd.__all__)


def test_integrates_and_inverts(model):
    floating = sd.load_urdf(ARM, floating_base=True)
    q, v, _, _ = random_states(floating, 50)
    moved = sd.integrate(floating, q, v, 0.1)
    assert moved.shape == q.shape
    assert np.allclose(sd.difference(floating, q, moved), 0.1 * v, atol=1e-12)
    assert np.array_equal(moved[7], sd.integrate(floating, q[7], v[7], dt=0.1))


def test_external_forces_have_three_forms(model):
    q, v, a, _ = random_states(model, 10)
    wrench = np.arange(6.0)
    forces = sd.ExternalForces(model)
    forces.add(model, "flange", wrench)
    by_object = sd.inverse_dynamics(model, q, v, a, forces)
    assert np.array_equal(by_object, sd.inverse_dynamics(model, q, v, a, forces.on_bodies))
    assert np.array_equal(by_object, sd.inverse_dynamics(model, q, v, a, np.stack([forces.on_bodies] * 10)))
    assert np.array_equal(by_object[3], sd.inverse_dynamics(model, q[3], v[3], a[3], external=forces))
    assert not np.array_equal(by_object, sd.inverse_dynamics(model, q, v, a))
    forces.clear()
    assert not forces.on_bodies.any()


def test_a_singular_model_warns_or_counts():
    text = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>
              <child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
    model = sd.load_urdf(text)
    with pytest.warns(RuntimeWarning, match=r"forward_dynamics\(\) on model 'r': 1 state has no unique result"):
        assert sd.forward_dynamics(model, [0.0], [0.0], [1.0])[0] == 0.0
    with pytest.warns(RuntimeWarning, match="5 states have no unique result"):
        sd.mass_matrix_inverse(model, np.zeros((5, 1)))
    data = sd.Data(model)
    sd.forward_dynamics(model, np.zeros((5, 1)), np.zeros((5, 1)), np.ones((5, 1)), data=data)
    assert data.singular and data.singular_count == 5


def test_mimic_joints_need_no_preparation():
    text = """<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/><origin xyz="0 1 0"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"><inertial>
      <mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
      <joint name="k" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><mimic joint="j"
      multiplier="2"/></joint></robot>"""
    model = sd.load_urdf(text)
    assert model.has_mimic and model.joints[1].is_mimic
    tau = sd.inverse_dynamics(model, [0.3], [0.2], [1.5])
    assert np.allclose(sd.forward_dynamics(model, [0.3], [0.2], tau), [1.5])
    many = [np.full((3, 1), x) for x in (0.3, 0.2, tau[0])]
    assert np.allclose(sd.forward_dynamics(model, *many), 1.5)
