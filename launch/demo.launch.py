"""A demo: a simulated arm that follows a smooth motion with computed torques.

    ros2 launch spatial_dynamics demo.launch.py
    ros2 launch spatial_dynamics demo.launch.py urdf:=my_robot.urdf rviz:=true

Then, in another terminal: ros2 topic hz /dynamics/torque; ros2 topic echo /dynamics/acceleration.
"""

import os
from xml.etree import ElementTree

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.descriptions import ParameterValue

SHARE = get_package_share_directory('spatial_dynamics')

ARGUMENTS = {
    'urdf': (os.path.join(SHARE, 'urdf', 'arm7.urdf'), 'The robot: a URDF or xacro file with effort limits.'),
    'params_file': (os.path.join(SHARE, 'config', 'computed_torque.yaml'), 'Parameters of the dynamics node.'),
    'namespace': ('', 'Namespace of the nodes and their topics.'),
    'floating_base': ('false', 'true: the root link floats, and gravity is zero, because the robot would fall.'),
    'rate': ('1000', 'Cycles per second of the node and of the simulated robot.'),
    'rviz': ('false', 'true: show the robot in RViz.'),
}


def optional(package, executable, **node):
    """The node, or a log line if its package is not installed."""
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return LogInfo(msg=f'{package} is not installed: the demo runs without it')
    return Node(package=package, executable=executable, **node)


def describe(path):
    """The URDF as text, and the parameter that gives it to a node."""
    if not path.endswith('.xacro'):
        with open(path, encoding='utf-8') as file:
            return file.read(), {'urdf_file': path}
    try:
        import xacro
    except ImportError as error:
        raise RuntimeError(f'urdf:={path} needs xacro (install the package xacro, or expand it to a URDF)') from error
    text = xacro.process_file(path).toxml()
    return text, {'robot_description': ParameterValue(text, value_type=str)}


def root_link(description):
    """The root link, which is the fixed frame of RViz."""
    robot = ElementTree.fromstring(description)
    children = {child.get('link') for child in robot.findall('joint/child')}
    return next((link.get('name') for link in robot.findall('link') if link.get('name') not in children), 'base')


def boolean(name, text):
    if text.lower() not in ('true', 'false'):
        raise RuntimeError(f'{name}:={text}: write true or false')
    return text.lower() == 'true'


def cycles_per_second(text):
    try:
        return float(text)
    except ValueError:
        raise RuntimeError(f'rate:={text}: write cycles per second, such as 500') from None


def existing(name, path):
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(path):
        raise RuntimeError(f'{name}:={path}: there is no such file')
    return path


def start(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    description, robot = describe(existing('urdf', given['urdf']))
    robot['floating_base'] = boolean('floating_base', given['floating_base'])
    if robot['floating_base']:
        robot['gravity'] = [0.0, 0.0, 0.0]
    rate = {'rate_hz': cycles_per_second(given['rate'])}
    common = {'namespace': given['namespace'], 'output': 'screen'}

    actions = [
        Node(package='spatial_dynamics', executable='simulator_node', name='robot_simulator',
             parameters=[{**robot, **rate}], **common),
        Node(package='spatial_dynamics', executable='dynamics_node', name='dynamics',
             parameters=[existing('params_file', given['params_file']), {**robot, **rate}], **common),
        Node(package='spatial_dynamics', executable='demo_node', name='demo',
             parameters=[robot], **common),
        optional('robot_state_publisher', 'robot_state_publisher',
                 parameters=[{'robot_description': ParameterValue(description, value_type=str)}], **common),
    ]
    if boolean('rviz', given['rviz']):
        view = ['-d', os.path.join(SHARE, 'config', 'demo.rviz'), '-f', root_link(description)]
        actions.append(optional('rviz2', 'rviz2', arguments=view, **common))
    return actions


def generate_launch_description():
    return LaunchDescription(
        [DeclareLaunchArgument(name, default_value=default, description=description)
         for name, (default, description) in ARGUMENTS.items()] + [OpaqueFunction(function=start)])
