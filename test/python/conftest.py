"""What all tests of the module use. The environment has the paths of this build."""
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import spatial_dynamics as sd

SOURCE = Path(os.environ["SPATIAL_DYNAMICS_SOURCE"])
BUILD = Path(os.environ["SPATIAL_DYNAMICS_BUILD"])
ARM = SOURCE / "urdf/arm7.urdf"


def random_states(model, count, seed=1):
    """count configurations, velocities, accelerations, and wrenches on the bodies."""
    random = np.random.default_rng(seed)
    q = random.uniform(-2, 2, (count, model.nq))
    for joint in model.joints:
        if joint.type == "floating":
            q[:, joint.q_index + 3:joint.q_index + 7] /= np.linalg.norm(
                q[:, joint.q_index + 3:joint.q_index + 7], axis=1)[:, None]
    v, a = random.uniform(-1, 1, (2, count, model.nv))
    return q, v, a, random.uniform(-1, 1, (count, model.body_count, 6))


def reference(urdf, base, q, v, a, wrenches):
    """Results of the C++ library: name -> (one by one, as a batch), one state per row."""
    states = b"".join(x.tobytes() for x in (q, v, a, wrenches))
    output = subprocess.run([os.environ["SPATIAL_DYNAMICS_REFERENCE"], urdf, base, str(len(q))], input=states,
                            capture_output=True, check=True).stdout
    results = {}
    while output:
        line, output = output.split(b"\n", 1)
        name, size = line.decode().rsplit(" ", 1)
        length = int(size) * len(q)
        numbers = np.frombuffer(output[:2 * 8 * length]).reshape(2, len(q), int(size))
        results[name] = numbers
        output = output[2 * 8 * length:]
    return results


@pytest.fixture
def model():
    return sd.load_urdf(ARM)


@pytest.fixture
def states(model):
    return random_states(model, 20)[:3]
