"""The simulated robot alone: it moves after the first effort, stands still while paused, and starts again after a reset."""

import unittest

import launch_ros.actions
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger

from support import PENDULUM, Tester, description, largest

START = [0.6, 0.3]


def generate_test_description():
    return description(launch_ros.actions.Node(
        package='spatial_dynamics', executable='simulator_node', name='robot_simulator', output='screen',
        parameters=[{'urdf_file': PENDULUM, 'rate_hz': 200, 'initial_position': START}]))


class TestSimulator(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.states = self.tester.collect(JointState, '/joint_states')

    def stands_at_start(self, message):
        away = [here - there for here, there in zip(message.position, START)]
        return largest(away) < 1e-12 and largest(message.velocity) == 0.0

    def moves(self, message):
        return largest(message.velocity) > 0.05

    def pause(self, data):
        answer = self.tester.call(SetBool, '/robot_simulator/pause', SetBool.Request(data=data))
        self.assertTrue(answer.success)
        return answer.message

    def positions(self, count):
        """The positions of the next states."""
        return [list(self.states.wait_for().position) for _ in range(count)]

    def test_pause_and_reset(self):
        first = self.states.wait_for()
        self.assertIsNotNone(first, 'no states')
        self.assertTrue(self.stands_at_start(first), f'it moves although nobody drives it: {first}')
        motors = self.tester.play_robot(list(first.name), [], [], effort=[0.0, 0.0], topic='/dynamics/torque')
        self.assertIsNotNone(self.states.wait_for(self.moves), 'an effort does not let go of the brakes')

        self.assertEqual(self.pause(True), 'paused')
        self.positions(1)  # one may have been in transit
        paused = self.positions(20)
        self.assertTrue(all(position == paused[0] for position in paused), f'it moves while paused: {paused}')
        self.assertEqual(self.pause(False), 'running')
        self.assertIsNotNone(self.states.wait_for(lambda m: list(m.position) != paused[0]), 'it does not go on')

        motors.cancel()
        self.positions(60)  # 0.3 s: the last effort is stale
        answer = self.tester.call(Trigger, '/robot_simulator/reset', Trigger.Request())
        self.assertTrue(answer.success)
        self.assertIn('brakes', answer.message)
        self.assertIsNotNone(self.states.wait_for(self.stands_at_start), 'it is not back at the start')
        self.positions(20)
        self.assertTrue(self.stands_at_start(self.states.wait_for()), 'it moves although nobody drives it')
        motors.reset()
        self.assertIsNotNone(self.states.wait_for(self.moves), 'it does not move after a reset')
