"""Transitions in every order: each one works or is rejected, and nothing is left running."""

import time
import unittest

from lifecycle_msgs.msg import Transition
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, dynamics, largest


def generate_test_description():
    node = dynamics(parameters={'urdf_file': ARM, 'autostart': False})
    return description(node), {'node': node}


class TestLifecycle(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        self.torques = self.tester.collect(JointState, '/dynamics/torque')

    def drives(self):
        return self.torques.wait_for(lambda m: largest(m.effort) > 1.0) is not None

    def ends_in_zero(self):
        deadline = time.monotonic() + PATIENCE
        while largest(self.torques.messages[-1].effort) > 0.0 and time.monotonic() < deadline:
            time.sleep(0.05)
        return largest(self.torques.messages[-1].effort) == 0.0

    def set_parameter(self, name, value):
        request = SetParameters.Request(parameters=[Parameter(name, value=value).to_parameter_msg()])
        result = self.tester.call(SetParameters, '/dynamics/set_parameters', request).results[0]
        self.assertTrue(result.successful, result.reason)

    def limit_torque_rate(self, newton_metres_per_second):
        self.set_parameter('torque_rate_limit', newton_metres_per_second)

    def test_in_every_order(self, proc_output, node):
        do = self.tester.transition
        self.assertEqual(self.tester.state(), 'unconfigured')
        self.assertFalse(do(Transition.TRANSITION_ACTIVATE), 'activated before it was configured')
        self.assertFalse(do(Transition.TRANSITION_DEACTIVATE))

        self.assertTrue(do(Transition.TRANSITION_CONFIGURE))
        self.assertFalse(do(Transition.TRANSITION_CONFIGURE), 'configured twice')
        self.assertIsNone(self.torques.wait_for(timeout=0.5), 'a torque before activation')
        self.assertTrue(do(Transition.TRANSITION_CLEANUP))
        self.assertTrue(do(Transition.TRANSITION_CONFIGURE))

        for _ in range(3):
            self.assertTrue(do(Transition.TRANSITION_ACTIVATE))
            self.assertTrue(self.drives(), 'no torque after activation')
            self.assertTrue(do(Transition.TRANSITION_DEACTIVATE))
            self.assertIsNotNone(self.torques.wait_for(lambda m: largest(m.effort) == 0.0), 'no zero at the end')
            self.assertIsNone(self.torques.wait_for(lambda m: largest(m.effort) > 0.0, timeout=0.5))

        # At once: the ramp, which takes some seconds here, continues although the node is already
        # unconfigured.
        self.assertTrue(do(Transition.TRANSITION_ACTIVATE))
        self.assertTrue(self.drives())
        self.limit_torque_rate(largest(self.torques.messages[-1].effort) / 4.0)
        self.assertTrue(do(Transition.TRANSITION_DEACTIVATE))
        self.assertTrue(do(Transition.TRANSITION_CLEANUP))
        self.assertFalse(do(Transition.TRANSITION_CONFIGURE), 'configured beside a ramp')
        proc_output.assertWaitFor('configure is rejected while', process=node, timeout=5)
        self.assertGreater(largest(self.torques.messages[-1].effort), 2.0, 'the ramp has ended')
        self.set_parameter('effort_limits', [1.0])  # applies to the robot whose torque still ramps
        self.torques.wait_for()
        self.assertLessEqual(largest(self.torques.wait_for().effort), 1.0, 'the torque exceeds the lowered limit')
        self.assertTrue(self.ends_in_zero(), 'no zero at the end')
        self.set_parameter('effort_limits', [1000.0])  # those of the URDF
        self.assertIsNone(self.torques.wait_for(timeout=0.5), 'a torque after cleanup')
        deadline = 50
        while self.tester.node.count_publishers('/dynamics/torque') > 0 and deadline > 0:
            self.torques.wait_for(timeout=0.1)
            deadline -= 1
        self.assertEqual(self.tester.node.count_publishers('/dynamics/torque'), 0, 'cleanup left its publisher')

        self.limit_torque_rate(0.0)  # none
        self.assertTrue(do(Transition.TRANSITION_CONFIGURE))
        self.assertTrue(do(Transition.TRANSITION_ACTIVATE))
        self.assertTrue(self.drives())
        self.assertTrue(do(Transition.TRANSITION_ACTIVE_SHUTDOWN))
        self.assertEqual(self.tester.state(), 'finalized')
        self.assertIsNotNone(self.torques.wait_for(lambda m: largest(m.effort) == 0.0), 'no zero at the end')
