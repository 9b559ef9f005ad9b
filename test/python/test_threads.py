"""Batches release the interpreter's lock, and nothing changes a model while they run."""
import threading
import time

import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import ARM, random_states


@pytest.fixture(scope="module")
def large():
    model = sd.load_urdf(ARM)
    return model, random_states(model, 400_000)[:3]


class InBackground:
    """Runs a call in a thread and waits until it has begun."""

    def __init__(self, call):
        self.result = self.error = None
        self.thread = threading.Thread(target=self.run, args=(call,))

    def run(self, call):
        try:
            self.result = call()
        except Exception as error:  # reported by join()
            self.error = error

    def join(self):
        self.thread.join()
        if self.error:
            raise self.error
        return self.result


def while_running(call, check):
    """Calls check() while the call runs; repeats until it did. Returns the call's result."""
    for _ in range(50):
        background = InBackground(call)
        background.thread.start()
        checked = False
        while background.thread.is_alive() and not checked:
            checked = check()
            time.sleep(0)
        result = background.join()
        if checked:
            return result
    raise AssertionError("the call was never seen running")


def test_setters_raise_while_a_batch_runs(large):
    model, states = large
    expected = sd.inverse_dynamics(model, *states)
    changes = [lambda: setattr(model, "gravity", [0, 0, 0]), lambda: setattr(model, "friction_speed", 0.1),
               lambda: model.set_payload("flange", 1.0)]
    gravity, speed = model.gravity.tolist(), model.friction_speed

    def rejected(change):
        try:
            change()
        except RuntimeError as error:
            assert "can't change while a batch of this model runs in another thread" in str(error)
            return True
        model.gravity, model.friction_speed = gravity, speed
        model.set_payload("flange", 0)
        return False
    for change in changes:
        def call():
            return sd.inverse_dynamics(model, *states)
        while_running(call, lambda change=change: rejected(change))
    model.gravity, model.friction_speed = gravity, speed  # possible again
    assert np.array_equal(sd.inverse_dynamics(model, *states), expected)


def test_single_calls_go_on_while_a_batch_runs(large):
    model, states = large
    one = [x[0] for x in states]
    expected, first = sd.inverse_dynamics(model, *states), sd.inverse_dynamics(model, *one)
    seen = []

    def single():
        seen.append(np.array_equal(sd.inverse_dynamics(model, *one), first))
        return len(seen) > 20
    assert np.array_equal(while_running(lambda: sd.inverse_dynamics(model, *states), single), expected)
    assert all(seen)


def test_many_threads_share_a_model(large):
    model, states = large
    parts = [[x[i::8][:20000] for x in states] for i in range(8)]
    expected = [sd.forward_dynamics(model, *part) for part in parts]
    jobs = [InBackground(lambda part=part: [sd.forward_dynamics(model, *part, threads=2) for _ in range(3)])
            for part in parts]
    for job in jobs:
        job.thread.start()
    for job, result in zip(jobs, expected):
        assert all(np.array_equal(x, result) for x in job.join())


def test_the_number_of_threads_does_not_change_results(large):
    model, states = large
    some = [x[:5000] for x in states]
    expected = sd.forward_dynamics_derivatives(model, *some)
    for threads in (0, 2, 7, 1000):
        for x, y in zip(sd.forward_dynamics_derivatives(model, *some, threads=threads), expected):
            assert np.array_equal(x, y)


def test_a_data_is_for_one_thread(large):
    model, states = large
    data = sd.Data(model)
    one = [x[0] for x in states]

    def in_use():
        try:
            sd.inverse_dynamics(model, *one, data=data)
        except RuntimeError as error:
            assert "the data is in use by a batch of another thread" in str(error)
            return True
        return False
    while_running(lambda: sd.inverse_dynamics(model, *states, data=data), in_use)
    sd.inverse_dynamics(model, *one, data=data)


def test_forces_are_read_before_the_batch_runs(large):
    model, states = large
    forces = sd.ExternalForces(model)
    forces.add(model, "flange", np.ones(6))
    expected = sd.inverse_dynamics(model, *states, forces)
    for _ in range(5):
        job = InBackground(lambda: sd.inverse_dynamics(model, *states, forces))
        job.thread.start()
        while job.thread.is_alive() and not forces_changed(model, forces):
            pass
        result = job.join()
        assert np.array_equal(result, expected) or np.array_equal(result, sd.inverse_dynamics(model, *states))
        forces.clear()
        forces.add(model, "flange", np.ones(6))


def forces_changed(model, forces):
    try:
        model.friction_speed = model.friction_speed  # raises once the batch runs
    except RuntimeError:
        forces.clear()
        return True
    return False
