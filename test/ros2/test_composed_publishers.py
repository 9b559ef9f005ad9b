"""Two publishers of joint states and of odometry in the node's own container, intra-process: distinguished and reported."""

import os
import unittest

from diagnostic_msgs.msg import DiagnosticArray
import launch_ros.actions
from launch_ros.descriptions import ComposableNode

from support import description, SHARE, Tester

INTRA_PROCESS = [{'use_intra_process_comms': True}]
QUADRUPED = {'urdf_file': os.path.join(SHARE, 'urdf', 'quadruped.urdf'), 'floating_base': True, 'rate_hz': 100}


def component(plugin, name, **parameters):
    return ComposableNode(package='spatial_dynamics', plugin=f'spatial_dynamics::{plugin}', name=name,
                          parameters=[{**QUADRUPED, **parameters}], extra_arguments=INTRA_PROCESS)


def generate_test_description():
    return description(launch_ros.actions.ComposableNodeContainer(
        package='rclcpp_components', executable='component_container_mt', name='container', namespace='',
        output='screen', composable_node_descriptions=[
            component('SimulatorNode', 'first_robot'), component('SimulatorNode', 'second_robot'),
            component('DynamicsNode', 'dynamics')]))


class TestComposedPublishers(unittest.TestCase):

    def test_both_pairs_are_reported(self):
        tester = Tester()
        self.addCleanup(tester.close)
        diagnostics = tester.collect(DiagnosticArray, '/diagnostics')

        def reports(words):
            def has(message):
                status = message.status[0]
                return status.name.startswith('/dynamics:') and any(words in v.value for v in status.values)
            return diagnostics.wait_for(has) is not None
        self.assertTrue(reports('come from two publishers'), 'joint states')
        self.assertTrue(reports('base state (odom) comes from two publishers'), 'odometry')
