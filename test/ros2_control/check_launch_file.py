"""The results of launch/ros2_control.launch.py for a URDF and a file of controllers; no process is started."""

import importlib.util
import os
import tempfile
import unittest
from unittest import mock
from xml.etree import ElementTree

from launch import LaunchContext
from launch.actions import LogInfo, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnShutdown
import launch.events
from launch.events.process import ProcessExited
from launch_ros.actions import Node
import yaml

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')

ROBOT = '''<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="a"/></joint>
<joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint>
<joint name="follow" type="revolute"><parent link="a"/><child link="c"/><mimic joint="slide"/>
<limit lower="0" upper="1" velocity="1" effort="1"/></joint>
<joint name="weld" type="fixed"><parent link="a"/><child link="d"/></joint>
TAG</robot>'''
TAG = '''<ros2_control name="x" type="system"><hardware><plugin>PLUGIN</plugin></hardware><joint name="turn">
<command_interface name="effort"/><state_interface name="position"/></joint></ros2_control>'''


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path).split('.')[0], os.path.join(ROOT, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LAUNCH = load('launch/ros2_control.launch.py')


def robot(plugin=None):
    return ROBOT.replace('TAG', TAG.replace('PLUGIN', plugin) if plugin else '')


def plugins(description):
    return [tag.findtext('hardware/plugin') for tag in ElementTree.fromstring(description).findall('ros2_control')]


def start(**given):
    context = LaunchContext()
    for name, (default, _) in LAUNCH.ARGUMENTS.items():
        context.launch_configurations[name] = given.pop(name, default)
    assert not given, f'no such argument: {given}'
    with mock.patch.object(LAUNCH, 'installed', return_value=True):
        return LAUNCH.start(context)


def temporary(test, text, suffix):
    """The path of a file with this text, which is deleted after the test."""
    with tempfile.NamedTemporaryFile('w', suffix=suffix, delete=False, encoding='utf-8') as file:
        file.write(text)
    test.addCleanup(os.remove, file.name)
    return file.name


def logged(actions):
    context = LaunchContext()
    return '\n'.join(''.join(part.perform(context) for part in action.msg) for action in actions if isinstance(action, LogInfo))


def handlers(actions, kind):
    return [action.event_handler for action in actions
            if isinstance(action, RegisterEventHandler) and isinstance(action.event_handler, kind)]


def end(actions):
    """The actions at the end of the launch."""
    for handler in handlers(actions, OnShutdown):
        handler.handle(launch.events.Shutdown(reason='test'), LaunchContext())


def executables(actions):
    return [action.node_executable for action in actions if isinstance(action, Node)]


class TestHardwareTag(unittest.TestCase):

    def test_all_movable_joints_get_interfaces(self):
        description, _ = LAUNCH.add_hardware(robot(), 'simulated')
        joints = {joint.get('name'): joint for joint in ElementTree.fromstring(description).findall('ros2_control/joint')}
        self.assertEqual(list(joints), ['turn', 'slide', 'follow'])
        self.assertEqual([i.get('name') for i in joints['turn'].findall('command_interface')], ['effort', 'velocity', 'position'])
        self.assertEqual(joints['follow'].findall('command_interface'), [])
        self.assertEqual(len(joints['follow'].findall('state_interface')), 4)
        self.assertEqual(LAUNCH.command_joints(description), ['turn', 'slide'])

    def test_tag_of_another_plugin_is_replaced(self):
        description, note = LAUNCH.add_hardware(robot('vendor/Driver'), 'simulated')
        self.assertEqual(plugins(description), [LAUNCH.PLUGIN])
        self.assertIn('vendor/Driver', note)

    def test_own_tag_is_kept(self):
        for plugin, hardware in ((LAUNCH.PLUGIN, 'simulated'), ('vendor/Driver', 'urdf')):
            description, _ = LAUNCH.add_hardware(robot(plugin), hardware)
            self.assertEqual(description, robot(plugin))
            self.assertEqual(LAUNCH.command_joints(description), ['turn'])

    def test_bad_robots_are_rejected_with_a_sentence(self):
        for description, hardware, reason in (('<robot>', 'simulated', 'not XML'), (robot(), 'urdf', 'no <ros2_control> tag'),
                                              ('<robot name="r"><link name="a"/></robot>', 'simulated', 'no joint that moves'),
                                              (robot(), 'real', 'write simulated or urdf')):
            with self.assertRaises(RuntimeError) as rejection:
                LAUNCH.add_hardware(description, hardware)
            self.assertIn(reason, str(rejection.exception))

    def test_initial_positions_of_a_replaced_tag_are_kept(self):
        value = '<state_interface name="position"><param name="initial_value"> 0.5 </param></state_interface>'
        given = robot('vendor/Driver').replace('<state_interface name="position"/>', value)
        tag = ElementTree.fromstring(LAUNCH.add_hardware(given, 'simulated')[0]).find('ros2_control')
        values = {(joint.get('name'), state.get('name')): state.findtext('param') for joint in tag.findall('joint')
                  for state in joint.findall('state_interface') if state.find('param') is not None}
        self.assertEqual(values, {('turn', 'position'): '0.5'})

    def test_joints_are_selected_by_command_interface(self):
        given = robot('vendor/Driver').replace('</ros2_control>', '<joint name="slide"><command_interface name="position"/></joint>'
                                                                  '<joint name="follow"/></ros2_control>')
        self.assertEqual(LAUNCH.command_joints(given), ['turn', 'slide'])
        self.assertEqual(LAUNCH.command_joints(given, 'effort'), ['turn'])

    def test_joints_without_an_effort_limit_are_found(self):
        self.assertEqual(LAUNCH.unlimited_joints(robot()), ['turn'])
        for effort in ('0', 'inf', 'x'):
            self.assertEqual(LAUNCH.unlimited_joints(robot().replace('effort="1"', f'effort="{effort}"')), ['turn', 'slide'])

    def test_xacro_arguments_are_read(self):
        self.assertEqual(LAUNCH.xacro_mappings(''), {})
        self.assertEqual(LAUNCH.xacro_mappings('ur_type:=ur5e name:=ur'), {'ur_type': 'ur5e', 'name': 'ur'})
        self.assertEqual(LAUNCH.xacro_mappings('a:="b c" d:='), {'a': 'b c', 'd': ''})
        for text in ('ur5e', ':=x', 'a=b', 'a:="b'):
            with self.assertRaises(RuntimeError) as rejection:
                LAUNCH.xacro_mappings(text)
            self.assertIn(f"xacro_args:='{text}'", str(rejection.exception))
        with self.assertRaisesRegex(RuntimeError, 'does not end in .xacro'):
            LAUNCH.describe(temporary(self, robot(), '.urdf'), 'a:=b')

    def test_xacro_arguments_reach_the_file(self):
        if importlib.util.find_spec('xacro') is None:
            self.skipTest('xacro is not installed')
        path = temporary(self, '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="$(arg name)"/>', '.xacro')
        self.assertEqual(ElementTree.fromstring(LAUNCH.describe(path, 'name:=left')).get('name'), 'left')
        with self.assertRaises(RuntimeError) as rejection:
            LAUNCH.describe(path)
        self.assertIn(path, str(rejection.exception))
        self.assertIn("xacro_args:='name:=value", str(rejection.exception))

    def test_xacro_is_expanded(self):
        if importlib.util.find_spec('xacro') is None:
            self.skipTest('xacro is not installed')
        with tempfile.NamedTemporaryFile('w', suffix='.urdf.xacro') as file:
            file.write('<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"><xacro:property name="n" value="turn"/>'
                       '<link name="a"/><link name="b"/><joint name="${n}" type="continuous"><parent link="a"/><child link="b"/>'
                       '</joint></robot>')
            file.flush()
            description, _ = LAUNCH.add_hardware(LAUNCH.describe(file.name), 'simulated')
        self.assertEqual(LAUNCH.command_joints(description), ['turn'])


class TestControllers(unittest.TestCase):

    def read(self, text, joints=('a', 'b'), effort_joints=None):
        return LAUNCH.read_controllers(temporary(self, text, '.yaml'), list(joints), effort_joints)

    def controllers(self, *more, **types):
        """A file of these controllers, and more sections."""
        section = ', '.join(f'{name}: {{type: {kind}}}' for name, kind in types.items())
        return '\n'.join(('controller_manager: {ros__parameters: {' + section + '}}', *more))

    def test_shipped_files_get_all_joints(self):
        for mode in LAUNCH.MODES:
            sections, types = LAUNCH.read_controllers(os.path.join(ROOT, 'config', f'ros2_control_{mode}.yaml'), ['a', 'b'])
            self.assertEqual(types['torque_controller'], LAUNCH.TORQUE)
            self.assertEqual(sections['torque_controller']['joints'], ['a', 'b'])
            if 'joint_trajectory_controller' in types:
                self.assertEqual(sections['joint_trajectory_controller']['command_joints'],
                                 ['torque_controller/a', 'torque_controller/b'])
            self.assertNotIn('joint_state_broadcaster', sections)

    def test_shipped_files_set_parameters_of_the_torque_controller(self):
        def names(section, prefix=''):
            for name, value in section.items():
                yield from names(value, f'{prefix}{name}.') if isinstance(value, dict) else [prefix + name]
        with open(os.path.join(ROOT, 'docs', 'parameters.md'), encoding='utf-8') as file:
            page = file.read()
        for mode in LAUNCH.MODES:
            sections = LAUNCH.read_sections(os.path.join(ROOT, 'config', f'ros2_control_{mode}.yaml'))
            found = list(names(sections['torque_controller']))
            self.assertIn('torque_mode', found)
            for name in found:
                self.assertIn(f'| `{name}` |', page, mode)

    def test_given_joints_are_kept_in_any_namespace(self):
        sections, types = self.read(
            '/left/controller_manager: {ros__parameters: {update_rate: 500, jtc: {type: ' + LAUNCH.TRAJECTORY + '}}}\n'
            '/**/jtc: {ros__parameters: {joints: [b]}}\n')
        self.assertEqual(types, {'jtc': LAUNCH.TRAJECTORY})
        self.assertEqual(sections['jtc'], {'joints': ['b']})

    def test_nested_namespaces_are_read(self):
        sections, types = self.read('left:\n  arm:\n    ' + self.controllers(jtc=LAUNCH.TRAJECTORY) +
                                    '\n    jtc: {ros__parameters: {joints: [b]}}\n  /**: {ros__parameters: {use_sim_time: true}}')
        self.assertEqual(types, {'jtc': LAUNCH.TRAJECTORY})
        self.assertEqual(sections['jtc'], {'joints': ['b']})
        self.assertEqual(sections['**'], {'use_sim_time': True})

    def test_torque_controller_gets_joints_with_an_effort_command_interface(self):
        text = self.controllers(t=LAUNCH.TORQUE, jtc=LAUNCH.TRAJECTORY, other='a/B')
        sections, _ = self.read(text, ('a', 'b'), ['b'])
        self.assertEqual(sections['t']['joints'], ['b'])
        self.assertEqual(sections['jtc'], {'joints': ['b'], 'command_joints': ['t/b']})
        self.assertEqual(sections['other']['joints'], ['a', 'b'])
        with self.assertRaisesRegex(RuntimeError, "'t' needs joints with an effort command interface"):
            self.read(text, ('a', 'b'), [])

    def test_trajectory_controller_gets_joints_of_the_controller_it_commands(self):
        types = {'jtc': LAUNCH.TRAJECTORY, 't': LAUNCH.TORQUE}
        sections, _ = self.read(self.controllers('t: {ros__parameters: {joints: [a]}}', **types), ('a', 'b'), ['a', 'b'])
        self.assertEqual(sections['jtc'], {'joints': ['a'], 'command_joints': ['t/a']})
        sections, _ = self.read(self.controllers('jtc: {ros__parameters: {command_joints: [t/b]}}', **types), ('a', 'b'), ['a', 'b'])
        self.assertEqual(sections['jtc']['joints'], ['b'])
        sections, _ = self.read(self.controllers('jtc: {ros__parameters: {command_joints: [a, b, c]}}', **types), ('a', 'b', 'c'), ['a'])
        self.assertEqual(sections['jtc']['joints'], ['a', 'b', 'c'])

    def test_bad_files_are_rejected_with_the_key(self):
        manager = self.controllers(jtc=LAUNCH.TRAJECTORY)
        for text, reason in (
                ('- a', "'the file' is not a map"), ('a: [', 'is not YAML'), ('ros__parameters: {a: 1}', "'the file': ros__parameters"),
                ('controller_manager: {update_rate: 10}', "'controller_manager/update_rate' is not a map"),
                ('left: {controller_manager: {ros__parameters: hello}}', "'left/controller_manager': ros__parameters must be a map"),
                (manager + '\n/left/jtc: {ros__parameters: {}}\n/right/jtc: {ros__parameters: {}}',
                 "'/left/jtc' and '/right/jtc' are two sections for the node jtc"),
                (manager + '\njtc: {ros__parameters: {joints: a}}', "'jtc/joints' is not a list"),
                (self.controllers(jtc='3'), "'controller_manager/jtc': the type 3")):
            with self.assertRaises(RuntimeError, msg=text) as rejection:
                self.read(text)
            self.assertIn(reason, str(rejection.exception))
            self.assertIn('.yaml', str(rejection.exception))

    def test_missing_effort_limits_are_permitted_unless_the_file_sets_them(self):
        types = {'t': LAUNCH.TORQUE}
        for given in ({}, {'torque_mode': 'computed_torque'}):
            sections = {'t': {'joints': ['a', 'b'], **given}}
            self.assertEqual(LAUNCH.permit_unlimited(sections, types, ['b', 'c']), ['b'])
            self.assertTrue(sections['t']['allow_unlimited_effort'])
        for given in ({'effort_limits': [5.0]}, {'effort_limits.b': 5.0}, {'allow_unlimited_effort': False}, {'joints': ['a']}):
            sections = {'t': {'joints': ['a', 'b'], **given}}
            before = dict(sections['t'])
            self.assertEqual(LAUNCH.permit_unlimited(sections, types, ['b', 'c']), [])
            self.assertEqual(sections['t'], before)

    def test_file_without_controllers_is_rejected(self):
        for text in ('', 'controller_manager: {ros__parameters: {update_rate: 10}}'):
            with self.assertRaises(RuntimeError):
                self.read(text)

    def test_parameters_reach_every_namespace(self):
        path = LAUNCH.write_parameters({'jtc': {'joints': ['a']}})
        self.addCleanup(os.remove, path)
        with open(path, encoding='utf-8') as file:
            self.assertEqual(yaml.safe_load(file), {'/**/jtc': {'ros__parameters': {'joints': ['a']}}})

    def test_parameters_of_all_nodes_come_first(self):
        path = LAUNCH.write_parameters({'jtc': {}, '**': {'use_sim_time': True}})
        self.addCleanup(os.remove, path)
        with open(path, encoding='utf-8') as file:
            self.assertEqual(list(yaml.safe_load(file)), ['/**', '/**/jtc'])

    def test_bad_arguments_are_rejected_with_a_sentence(self):
        for given, reason in (({'mode': 'magic'}, 'computed_torque'), ({'controllers': '/no.yaml'}, 'no such file'),
                              ({'urdf': '/no.urdf'}, 'no such file'), ({'demo': 'perhaps'}, 'true or false'),
                              ({'rviz': 'perhaps'}, 'true or false')):
            with self.assertRaises(RuntimeError) as rejection:
                start(**given)
            self.assertIn(reason, str(rejection.exception))


class TestActions(unittest.TestCase):

    def start(self, tag=LAUNCH.PLUGIN, **given):
        actions = start(urdf=temporary(self, robot(tag), '.urdf'), **given)
        self.addCleanup(end, actions)
        return actions

    def test_demo_moves_only_a_simulated_robot_unless_asked(self):
        for hardware, demo, moves in (('simulated', 'auto', True), ('urdf', 'auto', False), ('urdf', 'true', True),
                                      ('simulated', 'false', False), ('urdf', 'false', False)):
            actions = self.start(hardware=hardware, demo=demo)
            self.assertEqual('trajectory_demo' in executables(actions), moves, f'{hardware} {demo}')
        self.assertEqual(LAUNCH.ARGUMENTS['demo'][0], 'auto')
        self.assertIn('demo:=true', logged(self.start(hardware='urdf')))

    def test_joints_without_effort_limit_are_permitted_in_simulation_only(self):
        self.assertIn('no effort limit in the URDF: turn;', logged(self.start()))
        self.assertNotIn('no effort limit', logged(self.start(hardware='urdf')))

    def test_gravity_left_to_a_simulated_robot_is_reported(self):
        self.assertIn('the arm sinks', logged(self.start(mode='hardware_gravity')))
        self.assertNotIn('the arm sinks', logged(self.start()))
        self.assertNotIn('the arm sinks', logged(self.start(mode='hardware_gravity', hardware='urdf')))
        weightless = f'{LAUNCH.PLUGIN}</plugin><param name="gravity">0 0 0</param><plugin>'
        self.assertNotIn('the arm sinks', logged(self.start(weightless, mode='hardware_gravity')))

    def exited(self, executable, code, context=None):
        """Calls the launch file's handler for the end of this process."""
        actions = self.start()
        process, = (action for action in actions if isinstance(action, Node) and action.node_executable == executable)
        event = ProcessExited(action=process, name=executable, cmd=[], cwd=None, env=None, pid=1, returncode=code)
        handler, = (each for each in handlers(actions, OnProcessExit) if each.matches(event))
        handler.handle(event, context or LaunchContext())

    def test_launch_fails_if_the_controllers_are_not_activated(self):
        self.exited('spawner', 0)
        with self.assertRaisesRegex(RuntimeError, 'not activated.*exit code 1'):
            self.exited('spawner', 1)

    def test_launch_fails_if_the_controller_manager_ends(self):
        with self.assertRaisesRegex(RuntimeError, 'controller manager ended.*exit code 0'):
            self.exited('ros2_control_node', 0)
        stopping = LaunchContext()
        stopping._set_is_shutdown(True)
        self.exited('ros2_control_node', 0, stopping)

    def test_file_of_parameters_is_deleted_at_the_end(self):
        path = LAUNCH.write_parameters({})
        end([LAUNCH.delete(path)])
        self.assertFalse(os.path.exists(path))
        end([LAUNCH.delete(path)])
        self.assertEqual(len(handlers(self.start(), OnShutdown)), 1)


class TestDemoMotion(unittest.TestCase):

    def test_motion_keeps_limits_and_begins_and_ends_at_rest(self):
        try:
            demo = load('src/ros2_control/trajectory_demo.py')
        except ImportError as error:
            self.skipTest(str(error))
        limits = {**demo.limits_of(robot()), 'fast': (-3.0, 3.0, 100.0), 'slow': (-0.1, 3.0, 0.1)}
        self.assertEqual(limits['slide'], (0.0, 1.0, 1.0))
        names = ['turn', 'slide', 'fast', 'slow']
        position = {'turn': 7.0, 'slide': 1.0, 'fast': 0.0, 'slow': -0.1}
        trajectory, seconds = demo.plan(names, position, limits)
        self.assertGreaterEqual(seconds, demo.SHORTEST)
        for k, name in enumerate(names):
            lower, upper, speed = limits[name]
            moved = 0.0
            before = position[name]
            for point in trajectory.points:
                self.assertTrue(lower - 1e-9 <= point.positions[k] <= upper + 1e-9, name)
                self.assertLessEqual(abs(point.velocities[k]), 0.5 * speed)
                step = seconds / len(trajectory.points)
                # The derivative of the positions is the velocity, within the curvature of a step.
                middle = point.velocities[k] - 0.5 * step * point.accelerations[k]
                self.assertAlmostEqual((point.positions[k] - before) / step, middle, delta=0.01)
                before = point.positions[k]
                moved = max(moved, abs(before - position[name]))
            self.assertGreater(moved, 0.05, name)
            last = trajectory.points[-1]
            self.assertAlmostEqual(last.positions[k], position[name])
            self.assertAlmostEqual(last.velocities[k], 0.0)
            self.assertAlmostEqual(last.accelerations[k], 0.0)


if __name__ == '__main__':
    unittest.main()
