"""The robot arrives on the topic: late, invalid, and a different one."""

import unittest

from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, description, dynamics, text_of


def generate_test_description():
    return description(dynamics())


class TestRobotDescription(unittest.TestCase):

    def test_arrives_late_and_a_bad_one_changes_nothing(self):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque')
        self.assertTrue(tester.wait_for_state('active'))
        tester.play_robot(ARM_JOINTS, [0.1] * 7, [0.0] * 7)
        self.assertIsNone(torques.wait_for(timeout=1.0), 'a torque without a robot')
        publisher = tester.describe_robot(text_of(ARM))
        self.assertIsNotNone(torques.wait_for(lambda m: any(m.effort)), 'no torque with the robot')
        publisher.publish(publisher.msg_type(data='<robot name="broken"><link name="a"/>'))
        torques.clear()
        later = torques.wait_for(lambda m: any(m.effort))
        self.assertIsNotNone(later, 'a bad description stopped the torques')
        self.assertEqual(list(later.name), ARM_JOINTS)
