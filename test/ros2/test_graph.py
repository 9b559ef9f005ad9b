"""Reports about the graph: no publisher of states, two nodes of one name, incompatible quality of service."""

import unittest

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from support import ARM, PATIENCE, Tester, description, dynamics


def generate_test_description():
    node = dynamics(parameters={'urdf_file': ARM})
    twin = dynamics(namespace='twins', parameters={'urdf_file': ARM})
    other_twin = dynamics(namespace='twins', parameters={'urdf_file': ARM})
    return description(node, twin, other_twin), {'node': node, 'twin': twin}


class TestGraph(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.diagnostics = self.tester.collect(DiagnosticArray, '/diagnostics')

    def told(self, sentence, name='/dynamics:'):
        return self.diagnostics.wait_for(
            lambda m: m.status[0].name.startswith(name) and sentence in m.status[0].message) is not None

    def test_missing_publisher_of_states_is_reported(self, proc_output, node):
        sentence = 'nobody publishes /joint_states in domain'
        self.assertTrue(self.told(sentence))
        proc_output.assertWaitFor(sentence, process=node, timeout=PATIENCE)

    def test_two_of_one_name(self, proc_output, twin):
        sentence = 'another node has the same name'
        self.assertTrue(self.told(sentence, '/twins/dynamics:'))
        proc_output.assertWaitFor(sentence, process=twin, timeout=PATIENCE)
        alone = self.diagnostics.wait_for(lambda m: m.status[0].name.startswith('/dynamics:'))
        self.assertNotIn(sentence, alone.status[0].message)

    def test_incompatible_publisher_is_reported(self):
        qos = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        publisher = self.tester.node.create_publisher(JointTrajectory, '/dynamics/reference', qos)
        self.assertTrue(self.told("'/dynamics/reference' does not fit ours: RELIABILITY"))
        self.tester.node.destroy_publisher(publisher)

    def test_incompatible_subscriber_is_reported(self):
        qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.tester.collect(JointState, '/dynamics/torque', qos)
        self.assertTrue(self.told("'/dynamics/torque' does not fit ours: DURABILITY"))
