"""dynamics.launch.py, as a process and in a container: arguments reach the node, torques arrive, Ctrl-C ends it with exit code 0."""

import os
import tempfile
import time
import unittest

from composition_interfaces.srv import ListNodes
import launch_ros.actions
import launch_testing
import launch_testing.asserts
from sensor_msgs.msg import JointState

from support import ARM, ARM_JOINTS, Tester, description, holds_the_arm, included

RATE = 50
POSE = [0.4, 0.4, 0.4, -1.0, 0.4, 0.4, 0.4]  # within the limits
PARAMETERS = f'''
/**:
  ros__parameters:
    rate_hz: {RATE}.0
    state_timeout_s: 0.5
'''


@launch_testing.parametrize('container', ['', '/container'])
def generate_test_description(container):
    parameters = os.path.join(tempfile.mkdtemp(), 'parameters.yaml')
    with open(parameters, 'w', encoding='utf-8') as file:
        file.write(PARAMETERS)
    box = [launch_ros.actions.ComposableNodeContainer(
        package='rclcpp_components', executable='component_container_mt', name='container', namespace='',
        output='screen')] if container else []
    return description(*box, included('dynamics.launch.py', urdf=ARM, namespace='left', params_file=parameters,
                                      mode='gravity_compensation', log_level='warn', container=container))


class TestDynamicsLaunch(unittest.TestCase):

    def test_holds_the_arm_at_the_rate_of_the_file(self, container):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/left/dynamics/torque', 100)
        # other modes add to the weight
        tester.play_robot(ARM_JOINTS, POSE, [1.0] * 7, topic='/left/joint_states')
        self.assertIsNotNone(torques.wait_for(holds_the_arm(POSE)), 'never the weight alone')
        if container:
            nodes = tester.call(ListNodes, f'{container}/_container/list_nodes', ListNodes.Request())
            self.assertEqual(list(nodes.full_node_names), ['/left/dynamics'])
        torques.clear()
        begin = time.monotonic()
        torques.wait_for(lambda m: len(torques.messages) >= RATE)
        rate = len(torques.messages) / (time.monotonic() - begin)
        self.assertTrue(0.5 * RATE < rate < 2.0 * RATE, f'{rate} torques in a second instead of {RATE}')


@launch_testing.post_shutdown_test()
class TestExit(unittest.TestCase):

    def test_exit_codes_are_0(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

    def test_the_log_level_is_that_of_the_process(self, proc_output, container):
        told = any(b"robot 'arm7' loaded" in output.text for output in proc_output)
        self.assertEqual(told, bool(container))  # which has its own
