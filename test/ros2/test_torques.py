"""Torques and accelerations are the library's, and bit for bit those of the stand-alone node."""

import unittest

import launch.actions
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from support import ARM, ARM_JOINTS, CLI, Tester, compute, description, dynamics

POSITION = [0.3, -0.7, 1.1, -1.4, 0.2, 0.9, -0.5]
VELOCITY = [0.5, -0.25, 0.125, 0.75, -1.0, 0.3, 0.6]
EFFORT = [1.0, -20.0, 3.0, 8.0, -0.5, 0.25, 0.1]


def generate_test_description():
    stand_alone = launch.actions.ExecuteProcess(
        cmd=[CLI, 'run', '--ros-args', '-r', '__ns:=/alone', '-r', 'joint_states:=/joint_states', '-p',
             f'urdf_file:={ARM}', '-p', 'rate_hz:=200', '-p', 'state_timeout_s:=0.5'], output='screen')
    return description(dynamics(parameters={'urdf_file': ARM}), stand_alone)


class TestTorques(unittest.TestCase):

    stamps = set()  # of all tests: the node keeps the state of the previous test until the next one arrives

    def setUp(self):
        self.tester = Tester()
        # Old enough to differ from the times of the node's clock, young enough to be fresh.
        self.tester.play_robot(ARM_JOINTS, POSITION, VELOCITY, EFFORT, age=0.05, stamps=self.stamps)
        self.torques = self.tester.collect(JointState, '/dynamics/torque')
        self.settled = self.torques.wait_for(self.ramp_is_over)

    def tearDown(self):
        self.tester.close()

    @staticmethod
    def ramp_is_over(message, last=[]):
        """Two equal torques in a row: the torque has settled."""
        same = bool(last) and last[0] == list(message.effort) and any(message.effort)
        last[:] = [list(message.effort)]
        return same

    def test_are_those_of_the_library(self):
        self.assertIsNotNone(self.settled, 'no torque came')
        expected = compute(ARM, q=POSITION, v=VELOCITY, a=[0.0] * 7, want=['id'])['id']
        self.assertEqual(list(self.settled.name), ARM_JOINTS)
        for joint, published, library in zip(ARM_JOINTS, self.settled.effort, expected):
            # The node adds friction, limits and ramps in another order than one call of the
            # library.
            self.assertAlmostEqual(published, library, delta=1e-9 * max(1.0, abs(library)), msg=joint)

    def test_accelerations_follow_from_the_measured_efforts(self):
        accelerations = self.tester.collect(JointTrajectory, '/dynamics/acceleration')
        message = accelerations.wait_for()
        self.assertIsNotNone(message, 'no acceleration came')
        expected = compute(ARM, q=POSITION, v=VELOCITY, tau=EFFORT, want=['fd'])['fd']
        self.assertEqual(list(message.points[0].positions), POSITION)
        for joint, published, library in zip(ARM_JOINTS, message.points[0].accelerations, expected):
            self.assertAlmostEqual(published, library, delta=1e-9 * max(1.0, abs(library)), msg=joint)

    def test_are_bit_for_bit_those_of_the_stand_alone_node(self):
        others = self.tester.collect(JointState, '/alone/dynamics/torque')
        accelerations = self.tester.collect(JointTrajectory, '/dynamics/acceleration')
        other_accelerations = self.tester.collect(JointTrajectory, '/alone/dynamics/acceleration')
        other = others.wait_for(lambda m: list(m.effort) == list(self.settled.effort))
        self.assertIsNotNone(other, 'the stand-alone node never sent these torques')
        wanted = list(accelerations.wait_for().points[0].accelerations)
        self.assertIsNotNone(other_accelerations.wait_for(lambda m: list(m.points[0].accelerations) == wanted))

    def test_carry_the_stamp_of_their_state(self):
        for _ in range(20):
            self.assertIsNotNone(self.torques.wait_for(), 'no torque came')
        for message in list(self.torques.messages):
            stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
            self.assertTrue(stamp in self.stamps, f'no state had the stamp {stamp}')
