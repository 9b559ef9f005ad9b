"""A robot in ros2_control, simulated from its URDF, with a torque controller and a trajectory controller.

    ros2 launch spatial_dynamics ros2_control.launch.py
    ros2 launch spatial_dynamics ros2_control.launch.py urdf:=my_robot.urdf.xacro rviz:=true
    ros2 launch spatial_dynamics ros2_control.launch.py urdf:=my_robot.urdf.xacro xacro_args:='ur_type:=ur5e name:=ur'
    ros2 launch spatial_dynamics ros2_control.launch.py mode:=gravity_compensation
    ros2 launch spatial_dynamics ros2_control.launch.py controllers:=my_controllers.yaml demo:=false

docs/ros2_control.md is the tutorial. This file uses nothing but ROS 2's packages, so that it can be copied and changed.
"""

import math
import os
import shlex
import tempfile
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnShutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.descriptions import ParameterValue
import yaml

SHARE = get_package_share_directory('spatial_dynamics')
PLUGIN = 'spatial_dynamics/SimulatedSystem'
MODES = ('computed_torque', 'gravity_compensation', 'joint_impedance', 'hand_guiding', 'hardware_gravity')
TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'
TORQUE = 'spatial_dynamics/TorqueController'
BROADCASTERS = ('joint_state_broadcaster/JointStateBroadcaster',)
MOVING = ('revolute', 'continuous', 'prismatic')
WILDCARD = '**'  # of a file of parameters: all nodes

ARGUMENTS = {
    'urdf': (os.path.join(SHARE, 'urdf', 'arm7.urdf'), 'The robot: a URDF or xacro file, with or without <ros2_control>.'),
    'xacro_args': ('', "Arguments of a xacro file, such as xacro_args:='ur_type:=ur5e name:=ur'."),
    'mode': (MODES[0], 'The controllers: ' + ', '.join(MODES) + '; config/ros2_control_<mode>.yaml.'),
    'controllers': ('', 'A file of controllers, instead of a mode. A controller without joints gets all joints with command '
                        'interfaces; a torque controller, and a trajectory controller before it, those with effort.'),
    'hardware': ('simulated', 'simulated: <ros2_control> tags of other plug-ins are replaced; urdf: they are used as they are.'),
    'namespace': ('', 'Namespace of all nodes.'),
    'demo': ('auto', 'true: the trajectory controller, if there is one, moves the robot, and the tracking error is printed. '
                     'auto: only with hardware:=simulated.'),
    'rviz': ('false', 'true: show the robot in RViz.'),
}


def xacro_mappings(text):
    """The values by name of 'name:=value name:=value'."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise RuntimeError(f"xacro_args:='{text}': {error}") from error
    pairs = [word.split(':=', 1) for word in words]
    wrong = [pair[0] for pair in pairs if len(pair) != 2 or not pair[0]]
    if wrong:
        raise RuntimeError(f"xacro_args:='{text}': '{wrong[0]}' is not name:=value; write xacro_args:='name:=value name:=value'")
    return dict(pairs)


def describe(path, xacro_args=''):
    """The URDF as text."""
    mappings = xacro_mappings(xacro_args)
    if not path.endswith('.xacro'):
        if mappings:
            raise RuntimeError(f"urdf:={path} does not end in .xacro: leave out xacro_args:='{xacro_args}'")
        try:
            with open(path, encoding='utf-8') as file:
                return file.read()
        except UnicodeDecodeError as error:
            raise RuntimeError(f'urdf:={path} is not UTF-8 text: {error}') from error
    try:
        import xacro
    except ImportError as error:
        raise RuntimeError(f'urdf:={path} needs xacro (install the package xacro, or expand it to a URDF)') from error
    try:
        return xacro.process_file(path, mappings=mappings).toxml()
    except Exception as error:  # of xacro, its XML parser, or a function that the file calls
        raise RuntimeError(f"urdf:={path}: xacro: {error}. Pass arguments of the file as xacro_args:='name:=value name:=value'") from error


def interfaces(kind, names, initial=None):
    """The interfaces of a joint; `initial` is the initial value of its position."""
    start = {'position': f'<param name="initial_value">{escape(initial)}</param>'} if initial is not None else {}
    return ''.join(f'<{kind}_interface name="{name}">{start.get(name, "")}</{kind}_interface>' for name in names)


def initial_positions(tags):
    """The initial values of positions by joint name."""
    return {joint.get('name'): state.findtext('param[@name="initial_value"]').strip()
            for tag in tags for joint in tag.findall('joint')
            for state in joint.findall('state_interface[@name="position"]')
            if (state.findtext('param[@name="initial_value"]') or '').strip()}


def tag(robot, initial):
    """A <ros2_control> tag for all joints of one coordinate; mimic joints have states only."""
    joints = ''
    for joint in robot.findall('joint'):
        if joint.get('type') not in MOVING:
            continue
        name, follows = joint.get('name'), joint.find('mimic') is not None
        joints += (f'<joint name="{name}">' + interfaces('command', () if follows else ('effort', 'velocity', 'position')) +
                   interfaces('state', ('position', 'velocity', 'effort', 'acceleration'), None if follows else initial.get(name)) +
                   '</joint>\n')
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
    joints = tag(robot, initial_positions(tags))
    text = ElementTree.tostring(robot, encoding='unicode') if tags else description
    end = text.rindex('</robot>')
    note = f'simulated robot in place of {", ".join(plugins)}' if tags else 'simulated robot with all joints of the URDF'
    return text[:end] + joints + text[end:], note


def command_joints(description, interface=None):
    """The joints of the tags that have command interfaces, or this command interface."""
    wanted = f'command_interface[@name="{interface}"]' if interface else 'command_interface'
    return [joint.get('name') for joint in ElementTree.fromstring(description).findall('ros2_control/joint')
            if joint.find(wanted) is not None]


def unlimited_joints(description):
    """The joints that move and have no effort limit; 0 counts as none, as in the torque controller."""
    unlimited = []
    for joint in ElementTree.fromstring(description).findall('joint'):
        limit = joint.find('limit')
        try:
            effort = float(limit.get('effort', 0.0)) if limit is not None else 0.0
        except ValueError:
            effort = 0.0
        if joint.get('type') in MOVING and joint.find('mimic') is None and not (math.isfinite(effort) and effort > 0.0):
            unlimited.append(joint.get('name'))
    return unlimited


def read_sections(path):
    """The parameters by node name. All namespaces of the file become the launch argument's namespace."""
    try:
        with open(path, encoding='utf-8') as file:
            given = yaml.safe_load(file)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RuntimeError(f'controllers:={path} is not YAML: {error}') from error
    sections, keys = {}, {}

    def read(node, key):
        if not isinstance(node, dict):
            raise RuntimeError(f"controllers:={path}: '{key or 'the file'}' is not a map; write <node>: {{ros__parameters: "
                               '{<name>: <value>}}')
        for name, value in node.items():
            if name != 'ros__parameters':
                read({} if value is None else value, f'{key}/{name}' if key else str(name))
                continue
            node_name = key.rsplit('/', 1)[-1]
            if not isinstance({} if value is None else value, dict) or not node_name:
                raise RuntimeError(f"controllers:={path}: '{key or 'the file'}': ros__parameters must be a map below a node's name")
            if node_name in sections:
                raise RuntimeError(f"controllers:={path}: '{keys[node_name]}' and '{key}' are two sections for the node {node_name}; "
                                   'keep one: this launch file starts one robot, in the namespace of namespace:=')
            sections[node_name], keys[node_name] = dict(value or {}), key

    read({} if given is None else given, '')
    return sections


def read_types(path, sections):
    """The types of the controllers by name."""
    types = {name: value['type'] for name, value in sections.get('controller_manager', {}).items()
             if isinstance(value, dict) and 'type' in value}
    if not types:
        raise RuntimeError(f'controllers:={path}: controller_manager has no controller with a type')
    for name, kind in types.items():
        if not isinstance(kind, str) or '/' not in kind:
            raise RuntimeError(f"controllers:={path}: 'controller_manager/{name}': the type {kind} is not package/Class")
        for key in ('joints', 'command_joints'):
            value = sections.get(name, {}).get(key, [])
            if not isinstance(value, list) or not all(isinstance(joint, str) for joint in value):
                raise RuntimeError(f"controllers:={path}: '{name}/{key}' is not a list of names; write [elbow, shoulder]")
    return types


def read_controllers(path, joints, effort_joints=None):
    """The parameters by node name, and the types of the controllers by name.

    A controller without joints gets all joints that have command interfaces. A torque controller, and a trajectory controller that
    commands it, get the joints with an effort command interface.
    """
    effort_joints = joints if effort_joints is None else effort_joints
    sections = read_sections(path)
    types = read_types(path, sections)
    torque = next((name for name, kind in types.items() if kind == TORQUE), None)
    for name, kind in types.items():
        if kind in BROADCASTERS:
            continue
        section = sections.setdefault(name, {})
        commanded = section.get('command_joints', [])
        chained = kind == TRAJECTORY and torque is not None and all(joint.startswith(f'{torque}/') for joint in commanded)
        if kind != TORQUE and not chained:
            section.setdefault('joints', list(joints))
            continue
        if 'joints' not in section:
            torque_joints = sections.get(torque, {}).get('joints') or effort_joints
            named = [joint.removeprefix(f'{torque}/') for joint in commanded] or torque_joints
            section['joints'] = list(effort_joints if kind == TORQUE else named)
            if not section['joints']:
                raise RuntimeError(f"controllers:={path}: '{name}' needs joints with an effort command interface, and the URDF's "
                                   '<ros2_control> tags have none')
        if chained and not commanded:
            section['command_joints'] = [f'{torque}/{joint}' for joint in section['joints']]
    return sections, types


def permit_unlimited(sections, types, unlimited):
    """Lets torque controllers run without effort limits in simulation. Returns the joints without a limit."""
    found = []
    for name in (name for name, kind in types.items() if kind == TORQUE):
        section = sections[name]
        joints = [joint for joint in unlimited if joint in (section['joints'] or unlimited)]
        given = any(key.split('.')[0] == 'effort_limits' for key in map(str, section))
        if not joints or given or 'allow_unlimited_effort' in section:
            continue
        section['allow_unlimited_effort'] = True
        found += [joint for joint in joints if joint not in found]
    return found


def write_parameters(sections):
    """A file for the controller manager's process, in which each controller finds its section in any namespace."""
    nodes = {f'/**/{name}' if name != WILDCARD else '/**': {'ros__parameters': section}
             for name, section in sorted(sections.items(), key=lambda item: item[0] != WILDCARD)}
    with tempfile.NamedTemporaryFile('w', prefix='ros2_control_', suffix='.yaml', delete=False, encoding='utf-8') as file:
        yaml.safe_dump(nodes, file, sort_keys=False)
    return file.name


def delete(path):
    """An action that deletes the file when the launch ends."""
    def remove(*_):
        if os.path.exists(path):
            os.remove(path)
    return RegisterEventHandler(OnShutdown(on_shutdown=remove))


def end_if(action, fails, reason):
    """An action that ends the launch with an error if `action`, a process, exits with a code for which `fails` is true."""
    def end(event, context):
        if fails(event.returncode) and not context.is_shutdown:
            # An exception is the only way to give `ros2 launch` an exit code.
            raise RuntimeError(f'{reason} (exit code {event.returncode}); the lines above state the cause')
    return RegisterEventHandler(OnProcessExit(target_action=action, on_exit=end))


def root_link(description):
    """The root link, which is the fixed frame of RViz."""
    robot = ElementTree.fromstring(description)
    children = {child.get('link') for child in robot.findall('joint/child')}
    return next((link.get('name') for link in robot.findall('link') if link.get('name') not in children), 'base')


def boolean(name, text):
    if text.lower() not in ('true', 'false'):
        raise RuntimeError(f'{name}:={text}: write {"auto, " if name == "demo" else ""}true or false')
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


def add_demo(given, simulated, trajectory, common):
    """The actions of `demo`. Real hardware moves only if the user asks for it."""
    moves = simulated if given['demo'].lower() == 'auto' else boolean('demo', given['demo'])
    if trajectory is None:
        return []
    if moves:
        return [Node(package='spatial_dynamics', executable='trajectory_demo', name='trajectory_demo',
                     parameters=[{'controller': trajectory}], **common)]
    if given['demo'].lower() == 'auto':
        return [LogInfo(msg='no motion: the hardware is not simulated; demo:=true moves all joints of the trajectory controller')]
    return []


def adapt_to_simulation(description, sections, types):
    """Changes parameters for the simulated robot, and returns lines for the log."""
    notes = []
    unlimited = permit_unlimited(sections, types, unlimited_joints(description))
    if unlimited:
        notes.append(f'no effort limit in the URDF: {", ".join(unlimited)}; the torque controller runs without (allow_unlimited_effort), '
                     'which real hardware does not permit')
    adds_gravity = [name for name, kind in types.items()
                    if kind == TORQUE and 'gravity' in (sections[name].get('compensated_by_hardware') or ())]
    if adds_gravity and ElementTree.fromstring(description).find('ros2_control/hardware/param[@name="gravity"]') is None:
        notes.append(f'warning: {adds_gravity[0]} leaves gravity to the hardware (compensated_by_hardware), but the simulated robot adds '
                     'none: the arm sinks; use another mode, or hardware:=urdf')
    return notes


def start(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    simulated = given['hardware'] != 'urdf'
    description, note = add_hardware(describe(existing('urdf', given['urdf']), given['xacro_args']), given['hardware'])
    sections, types = read_controllers(controllers_file(given), command_joints(description), command_joints(description, 'effort'))
    missing = [package for package in ('controller_manager', 'robot_state_publisher',
                                       *sorted({kind.split('/')[0] for kind in types.values()})) if not installed(package)]
    if missing:
        raise RuntimeError(f'not installed: {", ".join(missing)} (ros-$ROS_DISTRO-ros2-control, ros-$ROS_DISTRO-ros2-controllers)')
    notes = [note] + (adapt_to_simulation(description, sections, types) if simulated else [])
    common = {'namespace': given['namespace'], 'output': 'screen'}
    topic = [('~/robot_description', 'robot_description')]
    trajectory = next((name for name, kind in types.items() if kind == TRAJECTORY), None)
    demo = add_demo(given, simulated, trajectory, common)
    view = []
    if boolean('rviz', given['rviz']):
        config = ['-d', os.path.join(SHARE, 'config', 'demo.rviz'), '-f', root_link(description)]
        view = [Node(package='rviz2', executable='rviz2', arguments=config, **common) if installed('rviz2')
                else LogInfo(msg='rviz2 is not installed: no view is shown')]
    # As one group: a trajectory controller can only be active together with the controller that it
    # commands.
    spawner = Node(package='controller_manager', executable='spawner',
                   arguments=[*types, '--activate-as-group', '--controller-manager-timeout', '60'], **common)
    parameters = write_parameters(sections)
    manager = Node(package='controller_manager', executable='ros2_control_node', parameters=[parameters], remappings=topic, **common)
    return [
        *(LogInfo(msg=line) for line in notes),
        delete(parameters),
        end_if(spawner, lambda code: code != 0, 'the controllers were not activated: their spawner failed'),
        end_if(manager, lambda code: True, 'the controller manager ended'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str)}], **common),
        manager, spawner, *demo, *view]


def generate_launch_description():
    return LaunchDescription(
        [DeclareLaunchArgument(name, default_value=default, description=description)
         for name, (default, description) in ARGUMENTS.items()] + [OpaqueFunction(function=start)])
