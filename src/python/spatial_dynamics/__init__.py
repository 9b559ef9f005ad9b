"""Rigid-body dynamics of robots from a URDF, with NumPy.

    import numpy as np
    import spatial_dynamics as sd

    model = sd.load_urdf("arm.urdf")
    q = v = a = np.zeros(model.nv)
    tau = sd.inverse_dynamics(model, q, v, a)   # N m or N, in the order of model.joint_names

A 1-D array is one state. A 2-D array is a batch with one state per row, which `threads=` divides
among threads. Units are SI: m, rad, kg, s, N, N m.
"""
from . import _core
from ._core import *  # noqa: F401,F403
from ._core import __version__

__all__ = sorted(name for name in vars(_core) if not name.startswith("_"))
del _core
