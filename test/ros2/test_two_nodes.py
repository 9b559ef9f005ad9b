"""Two nodes for one robot: exactly one sends torques, and both report the other. Torques are offered with a deadline."""

import time
import unittest

from diagnostic_msgs.msg import DiagnosticArray
import launch_ros.actions
from rclpy.duration import Duration
from rclpy.qos import LivelinessPolicy, QoSProfile
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, expect_exactly_one_drives, PATIENCE, Tester, description


def node(name):
    return launch_ros.actions.Node(
        package='spatial_dynamics', executable='dynamics_node', name=name, output='screen',
        parameters=[{'rate_hz': 200, 'state_timeout_s': 0.5, 'urdf_file': ARM, 'torque_mode': 'gravity_compensation'}],
        remappings=[('~/torque', '/dynamics/torque'), ('~/torque_array', '/dynamics/torque_array')])


def generate_test_description():
    robot = launch_ros.actions.Node(package='spatial_dynamics', executable='simulator_node', name='robot_simulator',
                                    parameters=[{'urdf_file': ARM}], remappings=[('joint_states', 'not_used')],
                                    output='screen')
    return description(node('first'), node('second'), robot), {'robot': robot}


class TestTwoNodes(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.diagnostics = self.tester.collect(DiagnosticArray, '/diagnostics')

    def test_exactly_one_drives_and_both_report_it(self):
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        expect_exactly_one_drives(self, self.diagnostics, ('first', 'second'))

    def test_the_robot_logs_both(self, proc_output, robot):
        proc_output.assertWaitFor('2 publishers send efforts on /dynamics/torque (/first, /second)', process=robot,
                                  timeout=PATIENCE)

    def test_torques_have_a_deadline_and_liveliness(self):
        for topic in ('/dynamics/torque', '/dynamics/torque_array'):
            deadline = time.monotonic() + PATIENCE
            while len(found := self.tester.node.get_publishers_info_by_topic(topic)) < 2 and time.monotonic() < deadline:
                time.sleep(0.1)
            for endpoint in found:
                qos = endpoint.qos_profile
                self.assertEqual(qos.deadline, Duration(nanoseconds=25_000_000))
                self.assertEqual(qos.liveliness, LivelinessPolicy.MANUAL_BY_TOPIC)
                self.assertEqual(qos.liveliness_lease_duration, Duration(nanoseconds=25_000_000))

    def test_subscriber_with_deadline_receives_torques(self):
        self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        request = Duration(seconds=1)
        qos = QoSProfile(depth=1, deadline=request, liveliness=LivelinessPolicy.MANUAL_BY_TOPIC,
                         liveliness_lease_duration=request)
        self.assertIsNotNone(self.tester.collect(JointState, '/dynamics/torque', qos).wait_for())
