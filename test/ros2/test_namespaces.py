"""Two arms, left and right: each node receives states of its own arm and drives only this arm."""

import unittest

from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PENDULUM, Tester, description, dynamics


def generate_test_description():
    return description(dynamics(namespace='left', parameters={'urdf_file': ARM}),
                       dynamics(namespace='right', parameters={'urdf_file': PENDULUM}))


class TestNamespaces(unittest.TestCase):

    def test_keep_two_robots_apart(self):
        tester = Tester()
        self.addCleanup(tester.close)
        left = tester.collect(JointState, '/left/dynamics/torque')
        right = tester.collect(JointState, '/right/dynamics/torque')
        tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7, topic='/left/joint_states')
        self.assertEqual(list(left.wait_for().name), ARM_JOINTS)
        self.assertIsNone(right.wait_for(timeout=0.5), 'the right node heard the left arm')
        tester.play_robot(['shoulder', 'elbow'], [0.4, 0.2], [0.0, 0.0], topic='/right/joint_states')
        self.assertEqual(list(right.wait_for().name), ['shoulder', 'elbow'])
