"""The Python module in a process with rclpy: the example's torques are the library's."""

from pathlib import Path
import sys
import unittest

import launch.actions
import rclpy
import spatial_dynamics as sd
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, compute, description

EXAMPLE = Path(__file__).parents[2] / 'examples/python/gravity_compensation_node.py'
POSITION = [0.3, -0.7, 1.1, -1.4, 0.2, 0.9, -0.5]


def generate_test_description():
    return description(launch.actions.ExecuteProcess(cmd=[sys.executable, str(EXAMPLE), ARM], output='screen'))


def library_gravity():
    """The gravity torques of the functions that the module calls; other implementations round differently."""
    return compute(ARM, '--backend', 'kernel', q=POSITION, want=['gravity'])['gravity']


class TestPythonNode(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()

    def tearDown(self):
        self.tester.close()

    def test_example_balances_gravity(self):
        torques = self.tester.collect(JointState, '/gravity_torque')
        order = [3, 1, 0, 2, 6, 5, 4]  # names decide, not the order
        self.tester.play_robot([ARM_JOINTS[k] for k in order], [POSITION[k] for k in order], [0.0] * 7)
        message = torques.wait_for()
        self.assertIsNotNone(message, 'no torque came')
        self.assertEqual(list(message.name), ARM_JOINTS)
        self.assertEqual(list(message.effort), library_gravity())

    def test_this_process_has_both(self):
        self.assertTrue(rclpy.ok(context=self.tester.context))
        model = sd.load_urdf(ARM)
        self.assertEqual(sd.gravity_torque(model, POSITION).tolist(), library_gravity())
        with self.assertRaises(sd.ModelError):
            sd.load_urdf('<robot/>')
