"""What launch/ros2_control.launch.py makes of a URDF and of a file of controllers; no process is started."""

import importlib.util
import os
import tempfile
import unittest
from xml.etree import ElementTree

from launch import LaunchContext
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
    return LAUNCH.start(context)


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

    def read(self, text, joints=('a', 'b')):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
            file.write(text)
            file.flush()
            return LAUNCH.read_controllers(file.name, list(joints))

    def test_shipped_files_get_all_joints(self):
        for mode in LAUNCH.MODES:
            sections, types = LAUNCH.read_controllers(os.path.join(ROOT, 'config', f'ros2_control_{mode}.yaml'), ['a', 'b'])
            self.assertEqual(types['torque_controller'], LAUNCH.TORQUE)
            self.assertEqual(sections['torque_controller']['joints'], ['a', 'b'])
            if 'joint_trajectory_controller' in types:
                self.assertEqual(sections['joint_trajectory_controller']['command_joints'],
                                 ['torque_controller/a', 'torque_controller/b'])
            self.assertNotIn('joint_state_broadcaster', sections)

    def test_given_joints_are_kept_in_any_namespace(self):
        sections, types = self.read(
            '/left/controller_manager: {ros__parameters: {update_rate: 500, jtc: {type: ' + LAUNCH.TRAJECTORY + '}}}\n'
            '/**/jtc: {ros__parameters: {joints: [b]}}\n')
        self.assertEqual(types, {'jtc': LAUNCH.TRAJECTORY})
        self.assertEqual(sections['jtc'], {'joints': ['b']})

    def test_file_without_controllers_is_rejected(self):
        for text in ('', 'controller_manager: {ros__parameters: {update_rate: 10}}'):
            with self.assertRaises(RuntimeError):
                self.read(text)

    def test_parameters_reach_every_namespace(self):
        path = LAUNCH.write_parameters({'jtc': {'joints': ['a']}})
        self.addCleanup(os.remove, path)
        with open(path, encoding='utf-8') as file:
            self.assertEqual(yaml.safe_load(file), {'/**/jtc': {'ros__parameters': {'joints': ['a']}}})

    def test_bad_arguments_are_rejected_with_a_sentence(self):
        for given, reason in (({'mode': 'magic'}, 'computed_torque'), ({'controllers': '/no.yaml'}, 'no such file'),
                              ({'urdf': '/no.urdf'}, 'no such file'), ({'demo': 'perhaps'}, 'true or false'),
                              ({'rviz': 'perhaps'}, 'true or false')):
            with self.assertRaises(RuntimeError) as rejection:
                start(**given)
            self.assertIn(reason, str(rejection.exception))


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
