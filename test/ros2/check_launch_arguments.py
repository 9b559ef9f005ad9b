"""Invalid arguments of the launch files are rejected with a sentence that names them."""

import importlib.util
import os
import tempfile
import unittest

from launch import LaunchContext

LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'launch')


def load(file):
    spec = importlib.util.spec_from_file_location('launch_file', os.path.join(LAUNCH, file))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start(file, **given):
    """The actions of the launch file with these arguments."""
    module = load(file)
    context = LaunchContext()
    for name, (default, _) in module.ARGUMENTS.items():
        context.launch_configurations[name] = given.pop(name, default)
    assert not given, f'{file} has no such argument: {given}'
    return module.start(context)


class TestLaunchArguments(unittest.TestCase):

    def test_good_ones_start_nodes(self):
        self.assertEqual(len(start('dynamics.launch.py')), 1)
        self.assertEqual(len(start('dynamics.launch.py', container='/box')), 2)
        self.assertGreaterEqual(len(start('demo.launch.py', floating_base='true', rate='500')), 4)

    @unittest.skipIf(importlib.util.find_spec('xacro') is None, 'xacro is not installed')
    def test_a_xacro_file_is_expanded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'pendulum.urdf.xacro')
            with open(path, 'w', encoding='utf-8') as file:
                file.write('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                           '<xacro:property name="base" value="ground"/><link name="${base}"/></robot>')
            text, for_the_demo = load('demo.launch.py').describe(path)
            for_a_robot = load('dynamics.launch.py').robot(path)
        self.assertIn('<link name="ground"/>', text)
        for parameters in (for_the_demo, for_a_robot):
            self.assertEqual(list(parameters), ['robot_description'])
            self.assertEqual(parameters['robot_description'].evaluate(LaunchContext()), text)

    def test_bad_ones_are_rejected_with_a_sentence(self):
        for file, name, value, remedy in (
                ('dynamics.launch.py', 'rate', 'fast', 'write cycles per second'),
                ('dynamics.launch.py', 'autostart', 'perhaps', 'write true or false'),
                ('dynamics.launch.py', 'urdf', '/no/such.urdf', 'there is no such file'),
                ('dynamics.launch.py', 'params_file', '/no.yaml', 'there is no such file'),
                ('demo.launch.py', 'rate', 'fast', 'write cycles per second'),
                ('demo.launch.py', 'params_file', '/no.yaml', 'there is no such file'),
                ('demo.launch.py', 'floating_base', 'perhaps', 'write true or false')):
            with self.assertRaises(RuntimeError, msg=f'{file} {name}') as rejection:
                start(file, **{name: value})
            self.assertEqual(str(rejection.exception), f'{name}:={value}: {remedy}' + (
                ', such as 500' if name == 'rate' else ''))


if __name__ == '__main__':
    unittest.main()
