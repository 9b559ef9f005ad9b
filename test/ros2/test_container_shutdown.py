"""Several nodes in one container that ends: their ramps overlap."""

import signal
import unittest

import launch.events.process
import launch_ros.actions
from launch_ros.descriptions import ComposableNode
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, PATIENCE, Tester, description, dynamics, largest

ARMS = ['first', 'second', 'third', 'fourth']


def generate_test_description():
    container = launch_ros.actions.ComposableNodeContainer(
        package='rclcpp_components', executable='component_container_mt', name='container', namespace='', output='screen',
        composable_node_descriptions=[
            ComposableNode(package='spatial_dynamics', plugin='spatial_dynamics::DynamicsNode', name='dynamics', namespace=arm,
                           remappings=[('joint_states', '/joint_states')],
                           # The ramp takes longer than the end of a process may take.
                           parameters=[{'urdf_file': ARM, 'rate_hz': 100, 'state_timeout_s': 0.5, 'torque_rate_limit': 2.0}])
            for arm in ARMS])
    # launch_testing ends with the last process
    bystander = dynamics(namespace='bystander', parameters={'urdf_file': ARM})
    return description(container, bystander), {'container': container}


class TestContainerShutdown(unittest.TestCase):

    def test_all_end_in_zero_at_the_same_time(self, launch_service, proc_info, container):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = [tester.collect(JointState, f'/{arm}/dynamics/torque') for arm in ARMS]
        tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        for torque in torques:
            self.assertIsNotNone(torque.wait_for(lambda m: largest(m.effort) > 4.0), 'no torque')
        launch_service.emit_event(launch.events.process.SignalProcess(
            signal_number=signal.SIGINT, process_matcher=lambda action: action is container))
        proc_info.assertWaitForShutdown(process=container, timeout=PATIENCE)
        for torque in torques:
            self.assertEqual(largest(torque.messages[-1].effort), 0.0, 'the last torque is not zero')
        ends = [stamp.sec + 1e-9 * stamp.nanosec for stamp in (torque.messages[-1].header.stamp for torque in torques)]
        # At 0.9 s each, the last node would end 2.7 s after the first if the ramps did not overlap.
        self.assertLess(max(ends) - min(ends), 1.8)
