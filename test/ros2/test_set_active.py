"""~/set_active as a topic and as a service: lifecycle state and torque agree, and diagnostics show the result."""

import unittest

from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from std_srvs.srv import SetBool

from support import ARM, ARM_JOINTS, Tester, description, dynamics, largest


def generate_test_description():
    return description(dynamics(parameters={'urdf_file': ARM, 'autostart': False}))


class TestSetActive(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        self.torques = self.tester.collect(JointState, '/dynamics/torque')
        self.diagnostics = self.tester.collect(DiagnosticArray, '/diagnostics')

    def call(self, data):
        return self.tester.call(SetBool, '/dynamics/set_active', SetBool.Request(data=data))

    def shows(self, key, start):
        """Whether diagnostics show a value with this beginning within the limit."""
        def has(message):
            values = {v.key: v.value for status in message.status for v in status.values}
            return values.get(key, '').startswith(start)
        self.diagnostics.clear()
        return self.diagnostics.wait_for(has) is not None

    def drives(self):
        self.torques.clear()
        return self.torques.wait_for(lambda m: largest(m.effort) > 1.0) is not None

    def ends_in_zero(self):
        return self.torques.wait_for(lambda m: largest(m.effort) == 0.0) is not None

    def test_topic_and_service(self):
        answer = self.call(True)
        self.assertFalse(answer.success)
        self.assertIn('unconfigured', answer.message)
        self.assertTrue(self.shows('last activation command', 'activate, from the service: rejected'))
        self.assertTrue(self.shows('active', 'false'))

        self.assertTrue(self.tester.transition(Transition.TRANSITION_CONFIGURE))
        self.assertTrue(self.call(True).success)
        self.assertEqual(self.tester.state(), 'active')
        self.assertTrue(self.drives(), 'no torque after the service')
        self.assertTrue(self.call(True).success, 'again while active')
        self.assertTrue(self.call(False).success)
        self.assertEqual(self.tester.state(), 'inactive')
        self.assertTrue(self.ends_in_zero())

        command = self.tester.node.create_publisher(Bool, '/dynamics/set_active', 10)
        while command.get_subscription_count() == 0:
            self.torques.wait_for(timeout=0.05)
        command.publish(Bool(data=True))
        self.assertTrue(self.tester.wait_for_state('active'))
        self.assertTrue(self.drives(), 'no torque after the topic')
        self.assertTrue(self.shows('last activation command', 'activate, from publisher '))
        command.publish(Bool(data=False))
        self.assertTrue(self.tester.wait_for_state('inactive'))
        self.assertTrue(self.ends_in_zero())
        self.assertTrue(self.shows('active', 'false'))
