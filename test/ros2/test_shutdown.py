"""Ctrl-C: the torque is ramped to zero while states are still read, the zero arrives, and the process ends with exit code 0."""

import signal
import unittest

import launch.events.process
import launch_testing
import launch_testing.asserts
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, dynamics, largest


def generate_test_description():
    node = dynamics(parameters={'urdf_file': ARM})
    # launch_testing ends with the last process
    bystander = dynamics(namespace='bystander', parameters={'urdf_file': ARM})
    return description(node, bystander), {'node': node}


class TestShutdown(unittest.TestCase):

    def test_ends_in_zero(self, launch_service, proc_info, node):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque')
        tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        first = torques.wait_for(lambda m: largest(m.effort) > 1.0)
        self.assertIsNotNone(first)
        torques.wait_for(timeout=0.5)
        torques.clear()
        launch_service.emit_event(launch.events.process.SignalProcess(
            signal_number=signal.SIGINT, process_matcher=lambda action: action is node))
        proc_info.assertWaitForShutdown(process=node, timeout=PATIENCE)
        ramp = [largest(m.effort) for m in torques.messages]
        self.assertEqual(ramp[-1], 0.0, 'the last torque is not zero')
        self.assertTrue(any(0.0 < value < 0.5 * max(ramp) for value in ramp), 'the torque was stepped, not ramped')


@launch_testing.post_shutdown_test()
class TestExit(unittest.TestCase):

    def test_exit_code_is_0(self, proc_info, node):
        launch_testing.asserts.assertExitCodes(proc_info, [0], process=node)
