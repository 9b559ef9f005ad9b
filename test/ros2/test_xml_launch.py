"""gravity_compensation.launch.xml: the torques compensate the arm's weight, and Ctrl-C ends the node with exit code 0."""

import unittest

import launch_testing
import launch_testing.asserts
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, description, holds_the_arm, included

POSITION = [0.3, -0.7, 1.1, -1.4, 0.2, 0.9, -0.5]


def generate_test_description():
    return description(included('gravity_compensation.launch.xml', urdf=ARM))


class TestXmlLaunch(unittest.TestCase):

    def test_carries_the_weight(self):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque')
        tester.play_robot(ARM_JOINTS, POSITION, [1.0] * 7)  # moving: other modes add to the weight
        self.assertIsNotNone(torques.wait_for(holds_the_arm(POSITION)), 'never the weight alone')


@launch_testing.post_shutdown_test()
class TestExit(unittest.TestCase):

    def test_exit_code_is_0(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
