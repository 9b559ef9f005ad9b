"""The node and the stand-alone node load the file that `ros2 param dump` writes."""

import os
import subprocess
import tempfile
import unittest

import launch.actions

from support import ARM, CLI, PATIENCE, Tester, description, dynamics

FOLDER = tempfile.mkdtemp()


def generate_test_description():
    # One array of each kind is not empty.
    return description(dynamics(parameters={'urdf_file': ARM, 'armature': [0.01], 'compensated_by_hardware': ['friction']}))


def dump(node):
    command = ['ros2', 'param', 'dump', node, '--no-daemon', '--spin-time', '5']
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=3 * PATIENCE).stdout


class TestDump(unittest.TestCase):

    def start(self, launch_service, action):
        launch_service.include_launch_description(launch.LaunchDescription([action]))

    def test_is_loaded_again(self, launch_service, proc_output):
        tester = Tester()
        self.addCleanup(tester.close)
        self.assertTrue(tester.wait_for_state('active'))
        written = dump('/dynamics')
        self.assertNotIn('[]', written)
        file = os.path.join(FOLDER, 'dump.yaml')
        with open(file, 'w', encoding='utf-8') as copy:
            copy.write(written.replace('/dynamics:', '/**:'))

        self.start(launch_service, dynamics(namespace='again', arguments=['--ros-args', '--params-file', file]))
        self.assertTrue(tester.wait_for_state('active', '/again/dynamics'))
        self.assertEqual(dump('/again/dynamics').replace('/again/dynamics:', '/dynamics:'), written)

        alone = launch.actions.ExecuteProcess(
            cmd=[CLI, 'run', '--ros-args', '-r', '__ns:=/alone', '--params-file', file], output='screen')
        self.start(launch_service, alone)
        proc_output.assertWaitFor("robot 'arm7' loaded", process=alone, timeout=PATIENCE)
