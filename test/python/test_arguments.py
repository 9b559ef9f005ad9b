"""Arguments of any layout and type are read correctly or rejected with a sentence."""
import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import ARM, random_states


def spread(x):
    """The same numbers, none beside another."""
    large = np.full([2 * n for n in x.shape], np.nan)
    view = large[tuple(slice(None, None, 2) for _ in x.shape)]
    view[...] = x
    return view


def read_only(x):
    x = x.copy()
    x.setflags(write=False)
    return x


def padded(x):
    large = np.full((*x.shape[:-1], x.shape[-1] + 3), np.nan)
    large[..., :x.shape[-1]] = x
    return large[..., :x.shape[-1]]


def unaligned(x):
    raw = bytearray(x.nbytes + 1)
    view = np.frombuffer(raw, dtype=np.float64, count=x.size, offset=1).reshape(x.shape)
    view[...] = x
    return view


LAYOUTS = [spread, read_only, padded, unaligned, np.asfortranarray, np.ndarray.tolist, lambda x: x[::-1][::-1],
           lambda x: x.astype(">f8"), lambda x: x.astype("f8").T.copy().T, lambda x: np.ma.array(x)]


@pytest.mark.parametrize("change", LAYOUTS)
@pytest.mark.parametrize("batch", [False, True])
def test_layouts_do_not_change_results(model, states, change, batch):
    states = states if batch else [x[3] for x in states]
    expected = sd.inverse_dynamics(model, *states)
    before = [x.copy() for x in states]
    assert np.array_equal(sd.inverse_dynamics(model, *map(change, states)), expected)
    assert all(np.array_equal(x, y) for x, y in zip(states, before))


def test_other_real_types_are_converted(model, states):
    for kind in (np.float32, np.float16, np.longdouble, np.int64, np.uint8, bool):
        converted = [np.abs(x).astype(kind) for x in states]
        doubles = [x.astype(np.float64) for x in converted]
        assert np.array_equal(sd.inverse_dynamics(model, *converted), sd.inverse_dynamics(model, *doubles))


@pytest.mark.parametrize("value", [np.zeros(7, complex), ["a"] * 7, [None] * 7, np.zeros(7, "M8[s]"), "text", object()])
def test_other_types_are_rejected(model, value):
    zero = np.zeros(7)
    with pytest.raises(TypeError, match=r"inverse_dynamics\(\): v must be an array of real numbers"):
        sd.inverse_dynamics(model, zero, value, zero)


def test_numbers_that_are_not_finite_are_computed_like_in_the_library(model):
    zero = np.zeros(7)
    for number in (np.nan, np.inf):
        q = zero.copy()
        q[2] = number
        assert np.isnan(sd.inverse_dynamics(model, q, zero, zero)).any()
    assert np.isfinite(sd.inverse_dynamics(model, zero, zero, zero)).all()


@pytest.mark.parametrize("shapes, message", [
    (((3,), (7,), (7,)), "inverse_dynamics() on model 'arm7': q has 3 numbers, expected 7."),
    (((7,), (7,), (8,)), "inverse_dynamics() on model 'arm7': a has 8 numbers, expected 7."),
    (((7,), (2, 7), (7,)), "inverse_dynamics() on model 'arm7': v has the shape (2, 7), expected (7,)."),
    (((5, 7), (5, 7), (4, 7)), "inverse_dynamics() on model 'arm7': a has the shape (4, 7), expected (5, 7)."),
    (((5, 7), (7,), (5, 7)), "inverse_dynamics() on model 'arm7': v has the shape (7,), expected (5, 7)."),
    (((5, 6), (5, 7), (5, 7)), "inverse_dynamics() on model 'arm7': q has the shape (5, 6), expected (5, 7)."),
    (((), (7,), (7,)), "inverse_dynamics() on model 'arm7': q has the shape (), expected (7,) for one state or (N, 7) "
                       "for N states."),
    (((1, 1, 7), (7,), (7,)), "inverse_dynamics() on model 'arm7': q has the shape (1, 1, 7), expected (7,) for one state "
                              "or (N, 7) for N states."),
])
def test_wrong_shapes_are_named(model, shapes, message):
    with pytest.raises(ValueError) as error:
        sd.inverse_dynamics(model, *map(np.zeros, shapes))
    assert str(error.value) == message


def test_wrong_wrenches_are_named(model, states):
    one = [x[0] for x in states]
    with pytest.raises(ValueError, match=r"external has the shape \(3, 6\), expected \(8, 6\)\."):
        sd.inverse_dynamics(model, *one, np.zeros((3, 6)))
    with pytest.raises(ValueError, match=r"external has the shape \(4, 8, 6\), expected \(8, 6\) or \(20, 8, 6\)\."):
        sd.inverse_dynamics(model, *states, np.zeros((4, 8, 6)))
    other = sd.ExternalForces(sd.load_urdf(ARM.parent / "double_pendulum.urdf"))
    with pytest.raises(ValueError, match="the external forces have 3 bodies, expected 8"):
        sd.inverse_dynamics(model, *one, other)


def test_wrong_calls_are_type_errors(model, states):
    for call in (lambda: sd.inverse_dynamics(model, *states[:2]), lambda: sd.inverse_dynamics(model, *states, None, None),
                 lambda: sd.inverse_dynamics(model, *states, q=states[0]), lambda: sd.inverse_dynamics(model, *states, x=1),
                 lambda: sd.inverse_dynamics("model", *states), lambda: sd.inverse_dynamics(),
                 lambda: sd.inverse_dynamics(model, *states, data=3), lambda: sd.inverse_dynamics(model, *states, threads=1.5),
                 lambda: sd.inverse_dynamics(model, None, None, None),
                 lambda: sd.inverse_dynamics(sd.Model.__new__(sd.Model), *states)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="threads is -1"):
        sd.inverse_dynamics(model, *states, threads=-1)


def test_arguments_may_be_given_by_name(model, states):
    q, v, a = states
    assert np.array_equal(sd.inverse_dynamics(a=a, q=q, model=model, v=v, external=None, out=None, data=None),
                          sd.inverse_dynamics(model, q, v, a))


def test_wrong_outputs_are_rejected_and_unchanged(model, states):
    shape = states[0].shape
    for out, kind, message in [(np.zeros(7), ValueError, "out has the shape (7,), expected (20, 7)."),
                               (np.zeros(shape, np.float32), TypeError, "out has the type float32"),
                               (read_only(np.zeros(shape)), ValueError, "out is read-only."),
                               (np.zeros(shape).tolist(), TypeError, "out must be a NumPy array.")]:
        before = np.array(out)
        with pytest.raises(kind) as error:
            sd.inverse_dynamics(model, *states, out=out)
        assert message in str(error.value)
        assert np.array_equal(before, out)
    with pytest.raises(TypeError, match="out must be a tuple of 3 arrays"):
        sd.inverse_dynamics_derivatives(model, *states, out=np.zeros(shape))


def test_results_may_overwrite_arguments(model):
    q, v, a, f = random_states(model, 700)
    expected = sd.inverse_dynamics(model, q, v, a, f)
    for threads in (1, 3):
        a_ = a.copy()
        assert sd.inverse_dynamics(model, q, v, a_, f, out=a_, threads=threads) is a_
        assert np.array_equal(a_, expected)
    shifted = np.zeros((701, 7))
    shifted[1:] = a
    assert np.array_equal(sd.inverse_dynamics(model, q, v, shifted[1:], f, out=shifted[:-1]), expected)
    wide = f.copy()  # the wrenches' own memory
    out = wide.reshape(700, -1)[:, 2:9]
    assert np.array_equal(sd.inverse_dynamics(model, q, v, a, wide, out=out), expected)
    one = a[0].copy()
    assert np.array_equal(sd.inverse_dynamics(model, q[0], v[0], one, f[0], out=one), expected[0])


def test_links_have_names_and_indices(model, states):
    q = states[0]
    flange = model.link("flange").index
    assert np.array_equal(sd.link_pose(model, q, "flange"), sd.link_pose(model, q, flange))
    assert np.array_equal(sd.link_pose(model, q, np.int64(flange)), sd.link_pose(model, q, link="flange"))
    for link, kind, message in [("hand", ValueError, "there is no link 'hand'"), (99, ValueError, "link"),
                                (-1, ValueError, "link"), (1.5, TypeError, "link must be a name or an index"),
                                (None, TypeError, "link must be")]:
        with pytest.raises(kind, match=message):
            sd.link_pose(model, q, link)
    with pytest.raises(ValueError, match="frame is 'body', but must be 'local', 'world' or 'local_world_aligned'"):
        sd.jacobian(model, q, "flange", "body")


def test_data_belongs_to_its_model(model, states):
    data = sd.Data(model)
    expected = sd.inverse_dynamics(model, *states)
    assert np.array_equal(sd.inverse_dynamics(model, *states, data=data), expected)
    assert np.array_equal(sd.inverse_dynamics(model, *[x[0] for x in states], data=data), expected[0])
    assert np.array_equal(sd.inverse_dynamics(model.copy(), *states, data=data), expected)
    with pytest.raises(ValueError, match="the data belongs to another model. Construct one from this model."):
        sd.inverse_dynamics(sd.load_urdf(ARM), *states, data=data)
