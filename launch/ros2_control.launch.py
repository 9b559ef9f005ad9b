"""A robot in ros2_control, simulated from its URDF, with a torque controller and a trajectory controller.

    ros2 launch spatial_dynamics ros2_control.launch.py
    ros2 launch spatial_dynamics ros2_control.launch.py urdf:=my_robot.urdf.xacro rviz:=true
    ros2 launch spatial_dynamics ros2_control.launch.py mode:=gravity_compensation
    ros2 launch spatial_dynamics ros2_control.launch.py controllers:=my_controllers.yaml demo:=false

docs/ros2_control.md is the tutorial.
"""

import os
import tempfile
from xml.etree import ElementTree

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.descriptions import ParameterValue
import yaml

SHARE = get_package_share_directory('spatial_dynamics')
PLUGIN = 'spatial_dynamics/SimulatedSystem'
MODES = ('computed_torque', 'gravity_compensation', 'hardware_gravity')
TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'
TORQUE = 'spatial_dynamics/TorqueController'
BROADCASTERS = ('joint_state_broadcaster/JointStateBroadcaster',)

ARGUMENTS = {
    'urdf': (os.path.join(SHARE, 'urdf', 'arm7.urdf'), 'The robot: a URDF or xacro file, with or without <ros2_control>.'),
    'mode': (MODES[0], 'The controllers: ' + ', '.join(MODES) + '; config/ros2_control_<mode>.yaml.'),
    'controllers': ('', 'A file of controllers, instead of a mode. A controller without joints gets all joints.'),
    'hardware': ('simulated', 'simulated: <ros2_control> tags of other plug-ins are replaced; urdf: they are used as they are.'),
    'namespace': ('', 'Namespace of all nodes.'),
    'demo': ('true', 'true: the trajectory controller, if there is one, moves the robot, and the tracking error is printed.'),
    'rviz': ('false', 'true: show the robot in RViz.'),
}


def describe(path):
    """The URDF as text."""
    if not path.endswith('.xacro'):
        with open(path, encoding='utf-8') as file:
            return file.read()
    try:
        import xacro
    except ImportError as error:
        raise RuntimeError(f'urdf:={path} needs xacro (install the package xacro, or expand it to a URDF)') from error
    return xacro.process_file(path).toxml()


def interfaces(kind, names):
    return ''.join(f'<{kind}_interface name="{name}"/>' for name in names)


def tag(robot):
    """A <ros2_control> tag for all joints of one coordinate; mimic joints have states only."""
    joints = ''
    for joint in robot.findall('joint'):
        if joint.get('type') not in ('revolute', 'continuous', 'prismatic'):
            continue
        commands = () if joint.find('mimic') is not None else ('effort', 'velocity', 'position')
        joints += (f'<joint name="{joint.get("name")}">' + interfaces('command', commands) +
                   interfaces('state', ('position', 'velocity', 'effort', 'acceleration')) + '</joint>\n')
    if not joints:
        raise RuntimeError('the robot has no joint that moves')
    return (f'<ros2_control name="simulated_robot" type="system">\n<hardware><plugin>{PLUGIN}</plugin></hardware>\n'
            f'{joints}</ros2_control>\n')


def add_hardware(description, hardware):
    """The URDF with a <ros2_control> tag, and a line for the log that states where the tag comes from."""
    try:
        robot = ElementTree.fromstring(description)
    except ElementTree.ParseError as error:
        raise RuntimeError(f'the URDF is not XML: {error}') from error
    tags = robot.findall('ros2_control')
    plugins = [(tag.findtext('hardware/plugin') or '').strip() for tag in tags]
    if hardware == 'urdf':
        if not tags:
            raise RuntimeError('hardware:=urdf: the URDF has no <ros2_control> tag')
        return description, 'hardware of the URDF: ' + ', '.join(plugins)
    if hardware != 'simulated':
        raise RuntimeError(f'hardware:={hardware}: write simulated or urdf')
    if tags and all(plugin == PLUGIN for plugin in plugins):
        return description, "simulated robot, as the URDF's <ros2_control> tag describes it"
    for old in tags:
        robot.remove(old)
    joints = tag(robot)
    text = ElementTree.tostring(robot, encoding='unicode') if tags else description
    end = text.rindex('</robot>')
    note = f'simulated robot in place of {", ".join(plugins)}' if tags else 'simulated robot with all joints of the URDF'
    return text[:end] + joints + text[end:], note


def command_joints(description):
    """The joints of the tags that have command interfaces."""
    return [joint.get('name') for joint in ElementTree.fromstring(description).findall('ros2_control/joint')
            if joint.find('command_interface') is not None]


def read_controllers(path, joints):
    """The parameters by node name, and the types of the controllers by name. A controller without joints gets all of them."""
    with open(path, encoding='utf-8') as file:
        given = yaml.safe_load(file) or {}
    sections = {}
    for key, section in given.items():
        # A file may write /controller_manager, /**/controller_manager or a namespace: here all are
        # in the launch argument's namespace.
        sections[key.rsplit('/', 1)[-1]] = dict((section or {}).get('ros__parameters') or {})
    types = {name: value['type'] for name, value in sections.get('controller_manager', {}).items()
             if isinstance(value, dict) and 'type' in value}
    if not types:
        raise RuntimeError(f'controllers:={path}: controller_manager has no controller with a type')
    torque = next((name for name, kind in types.items() if kind == TORQUE), None)
    for name, kind in types.items():
        if kind in BROADCASTERS:
            continue
        section = sections.setdefault(name, {})
        section.setdefault('joints', list(joints))
        if kind == TRAJECTORY and torque is not None and 'command_joints' not in section:
            section['command_joints'] = [f'{torque}/{joint}' for joint in section['joints']]
    return sections, types


def write_parameters(sections):
    """A file for the controller manager's process, in which each controller finds its section in any namespace."""
    with tempfile.NamedTemporaryFile('w', prefix='ros2_control_', suffix='.yaml', delete=False, encoding='utf-8') as file:
        yaml.safe_dump({f'/**/{name}': {'ros__parameters': section} for name, section in sections.items()}, file)
    return file.name


def root_link(description):
    """The root link, which is the fixed frame of RViz."""
    robot = ElementTree.fromstring(description)
    children = {child.get('link') for child in robot.findall('joint/child')}
    return next((link.get('name') for link in robot.findall('link') if link.get('name') not in children), 'base')


def boolean(name, text):
    if text.lower() not in ('true', 'false'):
        raise RuntimeError(f'{name}:={text}: write true or false')
    return text.lower() == 'true'


def existing(name, path):
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(path):
        raise RuntimeError(f'{name}:={path}: there is no such file')
    return path


def installed(package):
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True


def controllers_file(given):
    if given['controllers']:
        return existing('controllers', given['controllers'])
    if given['mode'] not in MODES:
        raise RuntimeError(f"mode:={given['mode']}: write one of {', '.join(MODES)}, or give a file as controllers:=")
    return os.path.join(SHARE, 'config', f"ros2_control_{given['mode']}.yaml")


def start(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    description, note = add_hardware(describe(existing('urdf', given['urdf'])), given['hardware'])
    sections, types = read_controllers(controllers_file(given), command_joints(description))
    missing = [package for package in ('controller_manager', 'robot_state_publisher',
                                       *sorted({kind.split('/')[0] for kind in types.values()})) if not installed(package)]
    if missing:
        raise RuntimeError(f'not installed: {", ".join(missing)} (ros-$ROS_DISTRO-ros2-control, ros-$ROS_DISTRO-ros2-controllers)')
    common = {'namespace': given['namespace'], 'output': 'screen'}
    topic = [('~/robot_description', 'robot_description')]
    actions = [
        LogInfo(msg=note),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str)}], **common),
        Node(package='controller_manager', executable='ros2_control_node', parameters=[write_parameters(sections)],
             remappings=topic, **common),
        # As one group: a trajectory controller can only be active together with the controller that
        # it commands.
        Node(package='controller_manager', executable='spawner',
             arguments=[*types, '--activate-as-group', '--controller-manager-timeout', '60'], **common),
    ]
    trajectory = next((name for name, kind in types.items() if kind == TRAJECTORY), None)
    if boolean('demo', given['demo']) and trajectory is not None:
        actions.append(Node(package='spatial_dynamics', executable='trajectory_demo', name='trajectory_demo',
                            parameters=[{'controller': trajectory}], **common))
    if boolean('rviz', given['rviz']):
        view = ['-d', os.path.join(SHARE, 'config', 'demo.rviz'), '-f', root_link(description)]
        actions.append(Node(package='rviz2', executable='rviz2', arguments=view, **common) if installed('rviz2')
                       else LogInfo(msg='rviz2 is not installed: no view is shown'))
    return actions


def generate_launch_description():
    return LaunchDescription(
        [DeclareLaunchArgument(name, default_value=default, description=description)
         for name, (default, description) in ARGUMENTS.items()] + [OpaqueFunction(function=start)])
