"""The executables: signals end them with zero torque or change nothing, also with an unread log or a URDF that never arrives."""

import fcntl
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, description, dynamics, largest, text_of

FOLDER = os.path.join(get_package_prefix('spatial_dynamics'), 'lib', 'spatial_dynamics')
NODE, SIMULATOR = os.path.join(FOLDER, 'dynamics_node'), os.path.join(FOLDER, 'simulator_node')
PAGE = os.path.join(os.path.dirname(__file__), '..', '..', 'docs', 'safety.md')
ENDS_WITHIN = 3.0  # a second, with a margin for a busy machine
F_SETPIPE_SZ = 1031


def documented(effect):
    """The signals with this effect in the table of docs/safety.md, which follows EndSignals."""
    names = []
    for row in re.findall(r'^\| (SIG.*)$', text_of(PAGE), re.MULTILINE):
        cells = row.split(' | ')
        if cells[1].startswith(effect):
            names += re.findall(r'\bSIG[A-Z0-9]+', cells[0])
    assert names, effect
    numbers = {getattr(signal, name) for name in names if hasattr(signal, name)}  # Python has no SIGSTKFLT before 3.11
    return numbers | set(range(signal.SIGRTMIN, signal.SIGRTMAX + 1)) if 'SIGRTMIN' in names else numbers


ENDING, IGNORED = documented('ramps to zero and ends'), documented('ignored')


def generate_test_description():
    # launch_testing needs a process
    return description(dynamics(namespace='bystander', parameters={'urdf_file': ARM}))


def start(urdf, **options):
    return subprocess.Popen([NODE, '--ros-args', '-p', f'urdf_file:={urdf}', '-p', 'rate_hz:=200.0', '-p', 'state_timeout_s:=0.5'],
                            **options)


class TestEnd(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.torques = self.tester.collect(JointState, '/dynamics/torque')
        self.robot = self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)

    def wait_for_torque(self):
        self.torques.clear()
        self.assertIsNotNone(self.torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque')

    def expect_end_in_zero(self, node):
        self.assertEqual(node.wait(ENDS_WITHIN), 0)
        time.sleep(0.3)  # for messages that are still in transit
        self.assertEqual(largest(self.torques.messages[-1].effort), 0.0, 'the last torque is not zero')

    def test_signals(self):
        for end in ENDING:
            with self.subTest(end=end):
                node = start(ARM)
                self.addCleanup(node.kill)
                self.wait_for_torque()
                for harmless in IGNORED:
                    node.send_signal(harmless)
                self.wait_for_torque()
                node.send_signal(end)
                node.send_signal(end)  # the second one changes nothing
                self.expect_end_in_zero(node)

    def test_signals_of_the_simulator(self):
        self.robot.cancel()
        states = self.tester.collect(JointState, '/joint_states')
        for end in ENDING:
            with self.subTest(end=end):
                node = subprocess.Popen([SIMULATOR, '--ros-args', '-p', f'urdf_file:={ARM}'])
                self.addCleanup(node.kill)
                self.assertIsNotNone(states.wait_for(), 'no states')
                for harmless in IGNORED:
                    node.send_signal(harmless)
                states.clear()
                self.assertIsNotNone(states.wait_for(), 'no states after a signal that must be ignored')
                node.send_signal(end)
                self.assertEqual(node.wait(ENDS_WITHIN), 0)

    def test_unread_log(self):
        unread, log = os.pipe()
        fcntl.fcntl(log, F_SETPIPE_SZ, 4096)
        node = start(ARM, stderr=log, stdout=log)
        self.addCleanup(node.kill)
        self.wait_for_torque()
        os.set_blocking(log, False)
        try:
            while True:
                os.write(log, b'x')
        except BlockingIOError:
            os.set_blocking(log, True)
        diagnostics = self.tester.collect(DiagnosticArray, '/diagnostics')
        self.robot.cancel()  # the node logs this
        self.assertIsNotNone(diagnostics.wait_for(
            lambda m: m.status[0].name.startswith('/dynamics') and 'stale' in m.status[0].message))
        self.assertIsNotNone(self.torques.wait_for(lambda m: largest(m.effort) == 0.0), 'torques without states')
        self.robot.reset()
        self.wait_for_torque()
        node.send_signal(signal.SIGTERM)
        self.expect_end_in_zero(node)
        os.close(unread)

    def test_urdf_from_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, 'robot.urdf')
            os.mkfifo(pipe)
            node = start(pipe)
            self.addCleanup(node.kill)
            file = None
            deadline = time.monotonic() + 20.0
            while file is None and time.monotonic() < deadline:
                try:
                    file = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)  # fails until it is read
                except OSError:
                    time.sleep(0.01)
            node.send_signal(signal.SIGINT)
            self.assertEqual(node.wait(ENDS_WITHIN), 0)
            os.close(file)
