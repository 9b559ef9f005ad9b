"""Both nodes as components of one container, with intra-process communication; the node can be unloaded while it sends torques."""

import unittest

from composition_interfaces.srv import ListNodes, UnloadNode
import launch_ros.actions
from launch_ros.descriptions import ComposableNode
from sensor_msgs.msg import JointState

from support import ARM, Tester, description, largest

INTRA_PROCESS = [{'use_intra_process_comms': True}]


def generate_test_description():
    return description(launch_ros.actions.ComposableNodeContainer(
        package='rclcpp_components', executable='component_container_mt', name='container', namespace='',
        output='screen', composable_node_descriptions=[
            ComposableNode(package='spatial_dynamics', plugin='spatial_dynamics::SimulatorNode', name='robot_simulator',
                           parameters=[{'urdf_file': ARM, 'rate_hz': 200}], extra_arguments=INTRA_PROCESS),
            ComposableNode(package='spatial_dynamics', plugin='spatial_dynamics::DynamicsNode', name='dynamics',
                           parameters=[{'urdf_file': ARM, 'rate_hz': 200, 'torque_mode': 'computed_torque'}],
                           extra_arguments=INTRA_PROCESS)]))


class TestComponent(unittest.TestCase):

    def test_drives_in_a_container_and_ends_with_zero_when_it_is_unloaded(self):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque')
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque')
        nodes = tester.call(ListNodes, '/container/_container/list_nodes', ListNodes.Request())
        number = nodes.unique_ids[list(nodes.full_node_names).index('/dynamics')]
        request = UnloadNode.Request(unique_id=number)
        self.assertTrue(tester.call(UnloadNode, '/container/_container/unload_node', request, once=True).success)
        self.assertEqual(largest(torques.messages[-1].effort), 0.0, 'unloaded on a torque that is not zero')
