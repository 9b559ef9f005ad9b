"""A stand-alone node and a ROS 2 node for one robot: each detects the other, and only one of them sends torques."""

import os
import subprocess
import unittest

from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray

from support import ARM, ARM_JOINTS, CLI, description, dynamics, expect_exactly_one_drives, PATIENCE, Tester

NODE = os.path.join(get_package_prefix('spatial_dynamics'), 'lib', 'spatial_dynamics', 'dynamics_node')
ROUNDS = 4  # identifiers are random: in every round either node may have the lower one


def generate_test_description():
    return description(dynamics(namespace='bystander', parameters={'urdf_file': ARM}))  # launch_testing needs a process


def options(name):
    return ['--ros-args', '-r', f'__node:={name}', '-p', f'urdf_file:={ARM}', '-p', 'rate_hz:=100.0', '-p',
            'state_timeout_s:=2.0', '-p', 'torque_mode:=gravity_compensation', '-r', '~/torque:=/dynamics/torque', '-r',
            '~/torque_array:=/dynamics/torque_array']


class TestMixedPair(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)
        self.diagnostics = self.tester.collect(DiagnosticArray, '/diagnostics')
        self.robot = self.tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)

    def start(self, commands):
        nodes = [subprocess.Popen(command) for command in commands]
        for node in nodes:
            self.addCleanup(node.kill)
        return nodes

    def end(self, nodes):
        for node in nodes:
            node.terminate()
        for node in nodes:
            self.assertEqual(node.wait(PATIENCE), 0)

    def test_of_two_that_become_ready_together_one_drives(self):
        for i in range(ROUNDS):
            names = (f'alone_{i}', f'ros_{i}')
            self.robot.cancel()
            nodes = self.start([[CLI, 'run', *options(names[0])], [NODE, *options(names[1])]])
            for name, rival in (names, names[::-1]):
                found = self.diagnostics.wait_for(
                    lambda m, name=name, rival=rival: m.status[0].name.startswith(f'/{name}:') and any(
                        f'node /{rival} also publishes' in v.value for v in m.status[0].values))
                self.assertIsNotNone(found, f'{name} does not report {rival}')
            self.robot.reset()
            expect_exactly_one_drives(self, self.diagnostics, names)
            self.end(nodes)

    def test_second_waits_for_the_first(self):
        commands = {'alone': [CLI, 'run', *options('alone')], 'ros': [NODE, *options('ros')]}
        for first, second in (('alone', 'ros'), ('ros', 'alone')):
            nodes = self.start([commands[first]])
            running = self.diagnostics.wait_for(
                lambda m, name=first: m.status[0].name.startswith(f'/{name}:') and any(
                    v.key == 'torques sent' and int(v.value) > 100 for v in m.status[0].values))
            self.assertIsNotNone(running, first)
            nodes += self.start([commands[second]])
            waits = self.diagnostics.wait_for(
                lambda m, name=first: f'activation waits: node /{name} sends on /dynamics/torque' in m.status[0].message)
            self.assertIsNotNone(waits, f'{second} does not wait for {first}')
            self.end(nodes)
