"""What a call costs beyond the library's own work. The limits hold on a loaded machine too: the best of many rounds counts."""
import os
import subprocess
import sys
import time

import numpy as np

import spatial_dynamics as sd
from conftest import ARM, random_states


def best(call, repeat, rounds=40):
    """Seconds of the processor per call, in the best round."""
    least = np.inf
    for _ in range(rounds):
        start = time.thread_time()
        for _ in range(repeat):
            call()
        least = min(least, (time.thread_time() - start) / repeat)
    return least


def test_a_call_costs_less_than_a_microsecond():
    # The smallest robot: nearly all of the time is the overhead of the call.
    model = sd.load_urdf("""<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous">
      <parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>""")
    x = np.zeros(1)
    out = np.zeros(1)
    plain = best(lambda: sd.inverse_dynamics(model, x, x, x), 1000)
    reused = best(lambda: sd.inverse_dynamics(model, x, x, x, out=out), 1000)
    print(f"overhead of a call: {plain * 1e9:.0f} ns, with out= {reused * 1e9:.0f} ns")
    assert min(plain, reused) < 1e-6


def test_a_large_batch_takes_as_long_as_in_the_library():
    model = sd.load_urdf(ARM)
    count = 100_000
    q, v, a, _ = random_states(model, count)
    states = q.tobytes() + v.tobytes() + a.tobytes()
    run = [os.environ["SPATIAL_DYNAMICS_REFERENCE"], ARM, "time", str(count)]
    ours = library = np.inf
    for _ in range(20):
        library = min(library, float(subprocess.run(run, input=states, capture_output=True, check=True).stdout))
        ours = min(ours, best(lambda: sd.inverse_dynamics(model, q, v, a), 1, 10))
        if ours < 1.2 * library:
            break
    print(f"{count} states: {ours * 1e3:.2f} ms, the library alone {library * 1e3:.2f} ms, ratio {ours / library:.2f}")
    assert ours < 1.2 * library


def test_importing_takes_little_more_than_numpy():
    def seconds(code):
        run = [sys.executable, "-c", f"import time; import numpy; t = time.process_time(); {code}; print(time.process_time() - t)"]
        return min(float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(5))
    assert seconds("import spatial_dynamics") < 0.1


def resident_kilobytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


def test_a_million_calls_leak_nothing():
    model = sd.load_urdf(ARM)
    q, v, a, f = random_states(model, 2)
    single = [x[0] for x in (q, v, a)]
    floats = [x.astype(np.float32) for x in single]

    def many(count):
        for _ in range(count):
            sd.inverse_dynamics(model, *single)
            sd.forward_dynamics(model, *single, f[0])
            sd.kinetic_energy(model, *single[:2])
            sd.mass_matrix(model, q)
            sd.inverse_dynamics(model, *floats)
    many(2000)
    before = resident_kilobytes()
    many(200_000)
    assert resident_kilobytes() - before < 2000  # 2 bytes a call


def test_objects_leak_nothing():
    def many(count):
        for _ in range(count):
            model = sd.load_urdf(ARM)
            q = np.zeros((10, 7))
            sd.inverse_dynamics_derivatives(model, q, q, q, data=sd.Data(model), threads=2)
            sd.Simulator(model).step(0.001, np.zeros(7))
            str(model.report), model.links, model.limits.lower
            try:
                sd.load_urdf("<robot/>")
            except sd.ModelError:
                pass
    many(30)
    before = resident_kilobytes()
    many(150)
    assert resident_kilobytes() - before < 4000
