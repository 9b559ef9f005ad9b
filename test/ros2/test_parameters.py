"""The parameter services: descriptions, changes of several parameters together or not at all, rejections with a reason."""

import os
import time
import unittest

from lifecycle_msgs.msg import Transition
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParameters, SetParametersAtomically
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, dynamics, largest


def generate_test_description():
    node = dynamics(parameters={'urdf_file': ARM, 'ramp_seconds': 0.2, f'following_error_limit.{ARM_JOINTS[1]}': 0.5})
    return description(node), {'node': node}


def number(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value))


def integer(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=value))


def text(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value))


def flag(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value))


def integers(name, values):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_INTEGER_ARRAY,
                                                     integer_array_value=values))


class TestParameters(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.assertTrue(self.tester.wait_for_state('active'))

    def set(self, *parameters):
        request = SetParameters.Request(parameters=list(parameters))
        return self.tester.call(SetParameters, '/dynamics/set_parameters', request).results

    def get(self, name):
        request = GetParameters.Request(names=[name])
        return self.tester.call(GetParameters, '/dynamics/get_parameters', request).values[0]

    def test_describe_themselves(self):
        request = DescribeParameters.Request(names=['rate_hz', 'urdf_file', 'fallback', 'realtime.priority'])
        rate, file, fallback, priority = self.tester.call(DescribeParameters, '/dynamics/describe_parameters',
                                                          request).descriptors
        self.assertIn('Rate of the loop', rate.description)
        self.assertIn('Hz', rate.description)
        self.assertEqual(rate.additional_constraints, 'from 1 to 20000 Hz')
        self.assertFalse(rate.read_only)
        self.assertTrue(file.read_only)
        self.assertIn("'gravity_only'", fallback.additional_constraints)
        self.assertEqual(priority.additional_constraints, 'from 0 to 99')

    def test_are_changed_while_torques_are_sent(self):
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        torques = self.tester.collect(JointState, '/dynamics/torque')
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0))
        self.assertTrue(self.set(number('effort_limit_scale', 0.001))[0].successful)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) < 0.5), 'the limit has no effect')
        self.assertTrue(self.set(number('effort_limit_scale', 1.0))[0].successful)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0))

    def test_of_single_joints_are_declared_and_change(self):
        name = f'following_error_limit.{ARM_JOINTS[1]}'
        self.assertEqual(self.get(name).double_value, 0.5)
        self.assertTrue(self.set(number(name, 0.7))[0].successful)
        self.assertEqual(self.get(name).double_value, 0.7)
        result = self.set(number(name, -1.0))[0]
        self.assertFalse(result.successful)

    def test_take_integers_for_numbers(self):
        self.assertTrue(self.set(integer('rate_hz', 100))[0].successful)
        self.assertTrue(self.set(integers('gains.kp', [50]))[0].successful)
        self.assertTrue(self.set(number('gains.kp', 60.0))[0].successful)

    @unittest.skipIf(os.environ.get('ROS_DISTRO') == 'humble', 'its rclcpp keeps what was given')
    def test_an_empty_list_is_kept(self):
        empty = Parameter(name='effort_limits', value=ParameterValue(type=ParameterType.PARAMETER_BOOL_ARRAY))
        self.assertTrue(self.set(empty)[0].successful)
        self.assertEqual(self.get('effort_limits').type, ParameterType.PARAMETER_STRING)

    def test_are_rejected_with_a_reason(self):
        for bad, reason in (
                (number('rate_hz', 1e9), "'rate_hz' is 1000000000, but must be from 1 to 20000 Hz"),
                (integer('rate_hz', 1000000), 'from 1 to 20000 Hz'),
                (text('gains.kp', ''), 'such as [1.0, 2.0], or one number'),
                (text('fallback', 'panic'), "'panic'"),
                (text('urdf_file', '/tmp/other.urdf'), 'read-only'),
                (integers('gains.kp', [1, 2, 3]), 'gains.kp'),
                (number('gains.kp', float('nan')), 'gains.kp'),
                (flag('use_sim_time', True), "can't be changed while it runs"),
                (text('no_such_parameter', 'x'), 'no_such_parameter')):
            result = self.set(bad)[0]
            self.assertFalse(result.successful, bad.name)
            self.assertIn(reason, result.reason)

    def test_unknown_ones_are_rejected_with_the_nearest_name(self, proc_output, node):
        proc_output.assertWaitFor("did you mean 'ramp_s'?", process=node, timeout=PATIENCE)

    def set_together(self, *parameters):
        request = SetParametersAtomically.Request(parameters=list(parameters))
        return self.tester.call(SetParametersAtomically, '/dynamics/set_parameters_atomically', request).result

    def test_change_together_or_not_at_all(self):
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        torques = self.tester.collect(JointState, '/dynamics/torque')
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0))
        low = number('effort_limit_scale', 0.001)
        # A value that the table rejects, and a value that only this robot rejects.
        for bad in (text('fallback', 'panic'), integers('gains.kp', [1, 2, 3])):
            self.assertFalse(self.set_together(low, bad).successful)
            self.assertEqual(self.get('effort_limit_scale').double_value, 1.0)
            for _ in range(20):
                self.assertGreater(largest(torques.wait_for().effort), 1.0, 'a rejected change was applied')
        self.assertTrue(self.set_together(low, number('ramp_s', 0.5)).successful)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) < 0.5), 'the limit has no effect')
        self.assertEqual(self.get('ramp_s').double_value, 0.5)
        self.assertTrue(self.set_together(number('effort_limit_scale', 1.0), number('ramp_s', 0.2)).successful)

    def test_keep_their_values_over_cleanup_and_configure(self):
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        torques = self.tester.collect(JointState, '/dynamics/torque')
        # while the session owns them
        self.assertTrue(self.set(number('ramp_s', 0.3))[0].successful)
        self.assertTrue(self.tester.transition(Transition.TRANSITION_DEACTIVATE))
        self.assertTrue(self.tester.transition(Transition.TRANSITION_CLEANUP))
        # while there is none
        self.assertTrue(self.set(number('effort_limit_scale', 0.001))[0].successful)
        self.assertFalse(self.set(text('fallback', 'panic'))[0].successful)
        deadline = time.monotonic() + PATIENCE  # configure fails until the ramp has ended
        while not self.tester.transition(Transition.TRANSITION_CONFIGURE):
            self.assertLess(time.monotonic(), deadline)
        torques.clear()
        self.assertTrue(self.tester.transition(Transition.TRANSITION_ACTIVATE))
        message = torques.wait_for()
        self.assertIsNotNone(message)
        self.assertLess(largest(message.effort), 0.5)
        self.assertEqual(self.get('ramp_s').double_value, 0.3)
        self.assertTrue(self.set(number('effort_limit_scale', 1.0))[0].successful)
