"""Generated code and instruction sets."""
import numpy as np
import pytest

import spatial_dynamics as sd
from conftest import SOURCE, random_states


def test_generated_code_is_compiled_and_compared(tmp_path):
    model = sd.load_urdf(SOURCE / "urdf/double_pendulum.urdf")
    library = sd.GeneratedLibrary.build(model, str(tmp_path), name="pendulum")
    assert library.path.startswith(str(tmp_path)) and sd.find_difference(library, model) == ""
    q, v, a, _ = random_states(model, 33)
    assert np.allclose(library.inverse_dynamics(q, v, a), sd.inverse_dynamics(model, q, v, a), atol=1e-12)
    assert np.allclose(library.forward_dynamics(q, v, a), sd.forward_dynamics(model, q, v, a), atol=1e-9)
    assert np.allclose(library.mass_matrix(q[::2]), sd.mass_matrix(model, q[::2]), atol=1e-12)
    assert np.allclose(library.inverse_dynamics(q, 0 * v, 0 * a, gravity=[0, 0, 0]), 0, atol=1e-12)
    with pytest.raises(ValueError, match="v has the shape"):
        library.inverse_dynamics(q, v[:5], a)
    other = sd.load_urdf(SOURCE / "urdf/double_pendulum.urdf", locked={"elbow": 0.0})
    with pytest.raises(ValueError):
        library.mass_matrix(sd.neutral_configuration(other)[None])


def test_code_is_text(model):
    code = sd.generate_code(model, name="arm")
    assert code.name == "arm" and "arm_inverse_dynamics" in code.header and len(code.source) > 1000
    assert code.functions[0].multiplications > 0
    with pytest.raises(ValueError):
        sd.generate_code(model, payload_link="none")


def test_instruction_sets_have_names():
    assert sd.chosen_isa() in sd.available_isas() and sd.isa_remark() == ""
