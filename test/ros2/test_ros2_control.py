"""The recipe of docs/ros2.md: torques reach a ros2_control hardware through an effort forward_command_controller."""

import os
import tempfile
import unittest

import launch_ros.actions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from support import PENDULUM, Tester, compute, description, dynamics, text_of

JOINTS = ['shoulder', 'elbow']
POSITION = [0.7, -0.3]

HARDWARE = '<ros2_control name="mock" type="system"><hardware><plugin>mock_components/GenericSystem</plugin></hardware>' + ''.join(
    f'<joint name="{name}"><command_interface name="effort"/><state_interface name="position">'
    f'<param name="initial_value">{position}</param></state_interface><state_interface name="velocity"/>'
    '<state_interface name="effort"/></joint>' for name, position in zip(JOINTS, POSITION)) + '</ros2_control></robot>'

CONTROLLERS = f'''
controller_manager:
  ros__parameters:
    update_rate: 100
    joint_state_broadcaster:
      type: joint_state_broadcaster/JointStateBroadcaster
    effort_controller:
      type: forward_command_controller/ForwardCommandController
effort_controller:
  ros__parameters:
    joints: {JOINTS}
    interface_name: effort
'''


def generate_test_description():
    controllers = os.path.join(tempfile.mkdtemp(), 'controllers.yaml')
    with open(controllers, 'w', encoding='utf-8') as file:
        file.write(CONTROLLERS)
    urdf = text_of(PENDULUM).replace('</robot>', HARDWARE)
    return description(
        launch_ros.actions.Node(package='robot_state_publisher', executable='robot_state_publisher',
                                parameters=[{'robot_description': urdf}]),
        launch_ros.actions.Node(package='controller_manager', executable='ros2_control_node', parameters=[controllers],
                                remappings=[('~/robot_description', '/robot_description')], output='screen'),
        launch_ros.actions.Node(package='controller_manager', executable='spawner', output='screen',
                                arguments=['joint_state_broadcaster', 'effort_controller']),
        dynamics(parameters={'torque_mode': 'gravity_compensation', 'command_joints': JOINTS,
                             'effort_limits': [100.0]},
                 remappings=[('dynamics/torque_array', 'effort_controller/commands')]))


class TestRos2Control(unittest.TestCase):

    def test_torques_arrive_at_the_hardware(self):
        tester = Tester()
        self.addCleanup(tester.close)
        expected = compute(PENDULUM, q=POSITION, want=['gravity'])['gravity']
        commands = tester.collect(Float64MultiArray, '/effort_controller/commands')
        self.assertIsNotNone(commands.wait_for(), 'no command')
        states = tester.collect(JointState, '/joint_states')

        def carries_the_torque(message):
            effort = dict(zip(message.name, message.effort))
            return all(abs(effort.get(name, 0.0) - torque) < 1e-6 for name, torque in zip(JOINTS, expected))

        self.assertIsNotNone(states.wait_for(carries_the_torque), f'the hardware never got {expected}')
