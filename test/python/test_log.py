"""Logs of a robot."""
import numpy as np
import pytest

import spatial_dynamics as sd


def write(path, model, columns, rows):
    names = ["time"] + [f"{joint}.{what}" for what in columns for joint in model.joint_names]
    path.write_text("\n".join([",".join(names)] + [",".join(map(repr, map(float, row))) for row in rows]) + "\n")


def test_reads_every_column(model, tmp_path):
    numbers = np.random.default_rng(0).uniform(-1, 1, (50, 28))
    time = np.arange(50) * 0.01
    write(tmp_path / "log.csv", model, ["position", "velocity", "acceleration", "effort"], np.column_stack([time, numbers]))
    log = sd.read_log(tmp_path / "log.csv", model)
    assert len(log) == 50 and log.left_out == "" and not any(log.excluded) and log.has_effort == (True,) * 7
    assert np.array_equal(log.time, time)
    for k, x in enumerate((log.q, log.v, log.a, log.effort)):
        assert np.array_equal(x, numbers[:, 7 * k:7 * k + 7]) and x.flags.c_contiguous
    assert sd.inverse_dynamics(model, log.q, log.v, log.a).shape == (50, 7)
    assert repr(log) == "<RobotLog of 50 samples>"


def test_missing_columns_are_none(model, tmp_path):
    write(tmp_path / "log.csv", model, ["position", "effort"], np.column_stack([np.arange(9.0), np.zeros((9, 14))]))
    log = sd.read_log(str(tmp_path / "log.csv"), model)
    assert log.v is None and log.a is None and log.effort.shape == (9, 7)


def test_errors_name_the_file(model, tmp_path):
    with pytest.raises(sd.LogError, match="none.csv"):
        sd.read_log(tmp_path / "none.csv", model)
    (tmp_path / "log.csv").write_text("time,elbow.position\n0,1\n")
    with pytest.raises(ValueError, match="log.csv"):
        sd.read_log(tmp_path / "log.csv", model)
