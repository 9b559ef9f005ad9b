"""Results and views own their memory or keep its owner alive."""
import gc
import sys
import weakref

import numpy as np

import spatial_dynamics as sd
from conftest import ARM, random_states


def test_results_do_not_change_with_later_calls(model, states):
    q, v, a = (x[0] for x in states)
    first = sd.inverse_dynamics(model, q, v, a)
    copy = first.copy()
    sd.inverse_dynamics(model, -q, v, a)
    assert np.array_equal(first, copy)
    assert first.flags.owndata and first.flags.writeable


def test_results_outlive_their_model(states):
    model = sd.load_urdf(ARM)
    results = [sd.inverse_dynamics(model, *states), *sd.inverse_dynamics_derivatives(model, *states), model.gravity,
               model.limits.lower]
    copies = [x.copy() for x in results]
    del model
    gc.collect()
    np.random.default_rng(0).random(100000)  # uses freed memory
    assert all(np.array_equal(x, y) for x, y in zip(results, copies))


def test_parts_keep_their_model():
    joint = sd.load_urdf(ARM).joints[3]
    link = sd.load_urdf(ARM).link("link3")
    gc.collect()
    assert joint.name == "elbow" and link.name == "link3" and link.mass > 0


def test_objects_have_their_own_copy_of_the_model(states):
    model = sd.load_urdf(ARM)
    simulator, controller, data = sd.Simulator(model), sd.TorqueController(model), sd.Data(model)
    inputs = controller.make_input()
    forces = sd.ExternalForces(model)
    del model
    gc.collect()
    simulator.step(0.01, np.zeros(7))
    inputs.set_state(1, simulator.q, simulator.v)
    output = controller.step(1, inputs)
    del controller, simulator
    assert output.torque.shape == (7,)
    assert forces.on_bodies.shape == (8, 6) and not data.singular


def test_settings_keep_their_parts():
    envelope = sd.ControlSettings(envelope=sd.EnvelopeSettings(enabled=False)).envelope
    gc.collect()
    assert not envelope.enabled


def test_arguments_are_released(model):
    q, v, a, f = random_states(model, 300)
    for make in (lambda x: x, lambda x: x.astype(np.float32)):
        arguments = [make(x) for x in (q, v, a, f)]
        before = [sys.getrefcount(x) for x in arguments]
        for _ in range(10):
            sd.inverse_dynamics(model, *arguments)
            sd.inverse_dynamics(model, *(x[0] for x in arguments))
            sd.inverse_dynamics(model, *arguments, out=arguments[2] if arguments[2].dtype == float else None)
        assert [sys.getrefcount(x) for x in arguments] == before


def test_errors_release_their_arguments(model):
    q = np.zeros(7)
    before = sys.getrefcount(q), sys.getrefcount(model)
    for _ in range(10):
        for wrong in (np.zeros(3), "x", None):
            try:
                sd.inverse_dynamics(model, q, q, wrong)
            except (TypeError, ValueError):
                pass
    assert (sys.getrefcount(q), sys.getrefcount(model)) == before


def test_a_result_is_the_only_reference(model, states):
    counts = [sys.getrefcount(sd.mass_matrix(model, states[0]))]  # the argument of getrefcount() alone
    counts += [sys.getrefcount(part) - 2 for part in sd.inverse_dynamics_derivatives(model, *states)]  # tuple, name
    assert counts == [1] * 4


def test_models_are_freed():
    class Owner:
        pass
    owner = Owner()
    owner.model = sd.load_urdf(ARM)
    owner.parts = owner.model.links
    dead = weakref.ref(owner)
    del owner
    gc.collect()
    assert dead() is None
