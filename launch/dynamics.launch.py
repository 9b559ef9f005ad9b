"""The dynamics node for one robot.

    ros2 launch spatial_dynamics dynamics.launch.py urdf:=my_robot.urdf
    ros2 launch spatial_dynamics dynamics.launch.py                       # robot_description from the topic
    ros2 launch spatial_dynamics dynamics.launch.py urdf:=arm.urdf.xacro mode:=computed_torque namespace:=left
    ros2 launch spatial_dynamics dynamics.launch.py container:=/my_container   # together with other components

`ros2 launch spatial_dynamics dynamics.launch.py --show-args` explains the arguments.
"""

import os

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import LoadComposableNodes, Node
from launch_ros.descriptions import ComposableNode, ParameterFile, ParameterValue

ARGUMENTS = {
    'urdf': ('', 'The robot: a URDF or xacro file. Without it the node waits for the topic robot_description.'),
    'robot_description_topic': ('robot_description', 'Topic of the URDF if urdf is not given.'),
    'joint_states_topic': ('joint_states', 'Topic of the joint states.'),
    'params_file': ('', 'A parameter file like config/dynamics.yaml of this package.'),
    'namespace': ('', 'Namespace of the node and its topics.'),
    'rate': ('', 'Cycles per second (parameter rate_hz).'),
    'mode': ('', 'inverse_dynamics, gravity_compensation, computed_torque, joint_impedance or hand_guiding (parameter torque_mode).'),
    'autostart': ('', 'false: wait for `ros2 lifecycle set /dynamics configure`.'),
    'use_sim_time': ('', 'true: stamps follow the topic /clock.'),
    'log_level': ('info', 'debug, info, warn, error or fatal; has no effect in a container.'),
    'container': ('', 'Name of a running component container to load the node into. Without it the node is a process.'),
}


def robot(path):
    """Parameters that give the node its robot."""
    if not path:
        return {}
    path = existing('urdf', path)
    if not path.endswith('.xacro'):
        return {'urdf_file': path}
    try:
        import xacro
    except ImportError as error:
        raise RuntimeError(f"urdf:={path} needs xacro (install the package xacro, or expand it to a URDF)") from error
    return {'robot_description': ParameterValue(xacro.process_file(path).toxml(), value_type=str)}


def boolean(name, text):
    if text.lower() not in ('true', 'false'):
        raise RuntimeError(f"{name}:={text}: write true or false")
    return text.lower() == 'true'


def rate(text):
    try:
        return float(text)
    except ValueError:
        raise RuntimeError(f"rate:={text}: write cycles per second, such as 500") from None


def existing(name, path):
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(path):
        raise RuntimeError(f"{name}:={path}: there is no such file")
    return path


def start(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    parameters = []
    if given['params_file']:
        parameters.append(ParameterFile(existing('params_file', given['params_file']), allow_substs=True))
    chosen = robot(given['urdf'])
    if given['rate']:
        chosen['rate_hz'] = rate(given['rate'])
    if given['mode']:
        chosen['torque_mode'] = given['mode']
    for name in ('autostart', 'use_sim_time'):
        if given[name]:
            chosen[name] = boolean(name, given[name])
    parameters.append(chosen)

    node = {
        'package': 'spatial_dynamics',
        'name': 'dynamics',
        'namespace': given['namespace'],
        'parameters': parameters,
        'remappings': [('robot_description', given['robot_description_topic']),
                       ('joint_states', given['joint_states_topic'])],
    }
    if given['container']:
        component = ComposableNode(plugin='spatial_dynamics::DynamicsNode',
                                   extra_arguments=[{'use_intra_process_comms': True}], **node)
        waits = f"loading into the container '{given['container']}'; if nothing follows, check that it runs: ros2 component list"
        return [LogInfo(msg=waits),
                LoadComposableNodes(target_container=given['container'], composable_node_descriptions=[component])]
    return [Node(executable='dynamics_node', output='screen', ros_arguments=['--log-level', given['log_level']], **node)]


def generate_launch_description():
    return LaunchDescription(
        [DeclareLaunchArgument(name, default_value=default, description=description)
         for name, (default, description) in ARGUMENTS.items()] + [OpaqueFunction(function=start)])
