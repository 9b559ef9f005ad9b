"""TorqueController follows the topic ~/reference, asynchronously at its own rate, while the manager enforces limits."""

import os
import subprocess
import tempfile
import time
import unittest

from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, included, largest

CONTROLLERS = '''
controller_manager:
  ros__parameters:
    update_rate: 1000
    enforce_command_limits: true
    joint_state_broadcaster: {type: joint_state_broadcaster/JointStateBroadcaster}
    torque_controller: {type: spatial_dynamics/TorqueController}
torque_controller:
  ros__parameters:
    update_rate: 500
    is_async: true
    torque_mode: computed_torque
    state_timeout_s: 0.5
    reference_timeout_s: 0.2
    gains: {kp: [1600.0], kd: [80.0]}  # friction leaves an error of 2 mrad
'''
MESSAGE = '{joint_names: [elbow], points: [{positions: [%s]}]}'


def generate_test_description():
    path = os.path.join(tempfile.mkdtemp(), 'controllers.yaml')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(CONTROLLERS)
    return description(included('ros2_control.launch.py', urdf=ARM, controllers=path))


class TestReference(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tester = Tester()
        cls.states = cls.tester.collect(JointState, '/joint_states', 100)
        cls.torques = cls.tester.collect(JointState, '/torque_controller/torque', 100)
        assert cls.torques.wait_for(lambda m: largest(m.effort) > 1.0, 3 * PATIENCE) is not None, 'no torques'

    @classmethod
    def tearDownClass(cls):
        cls.tester.close()

    def elbow(self, state=None):
        state = state or self.states.wait_for()
        return dict(zip(state.name, state.position))['elbow']

    def publisher(self, position):
        """A process that publishes this reference."""
        process = subprocess.Popen(['ros2', 'topic', 'pub', '-r', '50', '/torque_controller/reference',
                                    'trajectory_msgs/msg/JointTrajectory', MESSAGE % position], stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def assert_reaches(self, position):
        reached = self.states.wait_for(lambda m: abs(self.elbow(m) - position) < 0.01)
        self.assertIsNotNone(reached, f'the elbow is at {self.elbow():.3f}, not at {position}')

    def test_arm_holds_when_the_reference_is_killed_and_follows_its_successor(self):
        publisher = self.publisher(-0.3)
        self.assert_reaches(-0.3)
        publisher.kill()
        end = time.monotonic() + 1.0  # several times reference_timeout_s
        while time.monotonic() < end:
            self.assertLess(abs(self.elbow() + 0.3), 0.015)
        state = self.states.wait_for()
        self.assertGreater(largest(state.effort), 1.0, 'the torque carries the arm')
        self.assertEqual(len(state.name), len(ARM_JOINTS))
        self.publisher(-0.5)
        self.assert_reaches(-0.5)
