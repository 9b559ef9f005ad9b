"""The publisher of states stops and returns: torques ramp to zero and return."""

import unittest

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, description, dynamics, largest


def generate_test_description():
    return description(dynamics(parameters={'urdf_file': ARM}))


class TestSilence(unittest.TestCase):

    def test_ends_in_zero_and_is_reported(self):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque')
        diagnostics = tester.collect(DiagnosticArray, '/diagnostics')
        robot = tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0))

        robot.cancel()
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) == 0.0), 'torques without states')
        told = diagnostics.wait_for(lambda m: m.status[0].level == DiagnosticStatus.ERROR)
        self.assertIsNotNone(told, 'diagnostics say nothing')
        self.assertIn('joint', told.status[0].message)

        robot.reset()
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque after the return')
