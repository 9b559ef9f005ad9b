"""The preset joint_impedance in a real controller manager: pushes, stiffness, a contact, and hand_guiding at run time."""

import time
import unittest

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import WrenchStamped
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, included, largest


def generate_test_description():
    return description(included('ros2_control.launch.py', urdf=ARM, mode='joint_impedance', demo='false'))


class TestCompliance(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tester = Tester()
        cls.states = cls.tester.collect(JointState, '/joint_states', 100)
        cls.diagnostics = cls.tester.collect(DiagnosticArray, '/diagnostics', 100)
        torques = cls.tester.collect(JointState, '/torque_controller/torque', 100)
        assert torques.wait_for(lambda m: largest(m.effort) > 1.0, 3 * PATIENCE) is not None, 'no torques'

    @classmethod
    def tearDownClass(cls):
        cls.tester.close()

    def publisher(self, kind, topic):
        publisher = self.tester.node.create_publisher(kind, topic, 10)
        deadline = time.monotonic() + PATIENCE
        while publisher.get_subscription_count() == 0:
            self.assertLess(time.monotonic(), deadline, f'nobody receives {topic}')
            time.sleep(0.02)
        return publisher

    def shows(self, key, condition):
        """Whether this value of diagnostics fulfils the condition within the limit."""
        def has(message):
            return any(v.key == key and condition(v.value) for status in message.status if 'torque_controller' in status.name
                       for v in status.values)
        return self.diagnostics.wait_for(has) is not None

    def push(self, newtons):
        """Pushes the flange forwards until the returned timer is cancelled."""
        publisher = self.publisher(WrenchStamped, '/simulated_robot/external_wrench')
        message = WrenchStamped()
        message.header.frame_id = 'flange'
        message.wrench.force.x = newtons
        timer = self.tester.node.create_timer(0.02, lambda: publisher.publish(message))
        self.addCleanup(timer.cancel)
        return timer

    def positions(self, state=None):
        state = state or self.states.wait_for()
        found = dict(zip(state.name, state.position))
        return [found[name] for name in ARM_JOINTS]

    def distance(self, state, positions):
        return largest(map(float.__sub__, self.positions(state), positions))

    def set_text(self, name, text):
        value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=text)
        request = SetParameters.Request(parameters=[Parameter(name=name, value=value)])
        result = self.tester.call(SetParameters, '/torque_controller/set_parameters', request).results[0]
        self.assertTrue(result.successful, result.reason)

    def acknowledge(self):
        return self.tester.call(Trigger, '/torque_controller/acknowledge', Trigger.Request(), once=True)

    # Tests run in alphabetic order.

    def test_1_stiffness_is_set_by_topic(self):
        self.assertTrue(self.shows('torque mode', lambda text: text == 'joint_impedance'))
        self.assertTrue(self.shows('stiffness', lambda text: text == '10 for all joints'))
        stiffness = self.publisher(JointState, '/torque_controller/stiffness')
        stiffness.publish(JointState(name=['elbow'], effort=[50.0]))
        self.assertTrue(self.shows('stiffness', lambda text: "'elbow' 50" in text))
        stiffness.publish(JointState(name=['elbow'], effort=[-1.0]))
        self.assertTrue(self.shows('last rejected message', lambda text: "-1 for joint 'elbow'" in text))
        self.assertTrue(self.shows('stiffness', lambda text: "'elbow' 50" in text))
        stiffness.publish(JointState(effort=[20.0]))
        self.assertTrue(self.shows('stiffness', lambda text: text == '20 for all joints'))

    def test_2_arm_yields_to_a_push_and_returns(self):
        before = self.positions()
        push = self.push(20.0)
        self.assertIsNotNone(self.states.wait_for(lambda m: self.distance(m, before) > 0.2), 'the arm does not yield')
        push.cancel()
        # Friction holds the rest of the way.
        self.assertIsNotNone(self.states.wait_for(lambda m: self.distance(m, before) < 0.1), 'the arm does not return')

    def test_3_contact_stays_until_it_is_acknowledged(self):
        answer = self.acknowledge()
        self.assertFalse(answer.success)
        self.assertEqual(answer.message, 'there is no contact')
        self.set_text('contact.reaction', 'hold')
        topic = self.publisher(Bool, '/torque_controller/acknowledge')
        for count, acknowledge in enumerate((self.acknowledge, lambda: topic.publish(Bool(data=True)))):
            push = self.push(60.0)
            self.assertTrue(self.shows('faults', lambda text: 'contact' in text), 'the push is not detected')
            push.cancel()
            time.sleep(1.0)  # the push ends after wrench_timeout_s
            self.assertTrue(self.shows('faults', lambda text: 'contact' in text), 'the contact does not stay')
            answer = acknowledge()
            self.assertTrue(answer is None or answer.success, answer)
            self.assertTrue(self.shows('contacts acknowledged', lambda text: text == str(count + 1)))
            self.assertTrue(self.shows('faults', lambda text: 'contact' not in text), 'the contact does not end')
        self.set_text('contact.reaction', 'none')

    def test_4_guided_arm_stops_where_it_is_released(self):
        self.set_text('torque_mode', 'hand_guiding')
        self.assertTrue(self.shows('torque mode', lambda text: text == 'hand_guiding'))
        before = self.positions()
        push = self.push(20.0)
        self.assertIsNotNone(self.states.wait_for(lambda m: self.distance(m, before) > 0.3), 'the hand does not move the arm')
        push.cancel()
        time.sleep(0.6)  # the push ends after wrench_timeout_s
        at_rest = self.states.wait_for(lambda m: largest(m.velocity) < 5e-3)
        self.assertIsNotNone(at_rest, 'the arm does not stop')
        time.sleep(1.0)
        self.assertLess(self.distance(self.states.wait_for(), self.positions(at_rest)), 0.02)
