"""The topics of both nodes, with ROS 2 and stand-alone, are those of docs/topics.md."""

import os
import re
import time
import unittest

import launch.actions
import launch_ros.actions

from support import CLI, PATIENCE, Tester, description, dynamics

PAGE = os.path.join(os.path.dirname(__file__), '..', '..', 'docs', 'topics.md')
EVERYTHING = {'floating_base': True, 'publish.torque_terms': True, 'publish.external_torque': True,
              'publish.mass_matrix': True, 'use_sim_time': True}


def generate_test_description():
    simulator = launch_ros.actions.Node(package='spatial_dynamics', executable='simulator_node', name='robot_simulator',
                                        parameters=[{'floating_base': True, 'publish_clock': True}], output='screen')
    options = [part for name, value in EVERYTHING.items() for part in ('-p', f'{name}:={str(value).lower()}')]
    alone = launch.actions.ExecuteProcess(cmd=[CLI, 'run', '--ros-args', '-r', '__ns:=/alone', *options], output='screen')
    return description(dynamics(parameters=EVERYTHING), simulator, alone)


def documented(heading, namespace, node):
    """{(name, type)} in, {(name, type)} out."""
    with open(PAGE, encoding='utf-8') as file:
        section = file.read().split(f'## The {heading} `{node}`')[1].split('\n## ')[0]
    rows = re.findall(r'^\| `([^`]+)` \| (in|out) \| (\w+)/(\w+) \|', section, re.MULTILINE)
    result = {'in': set(), 'out': set()}
    for name, direction, package, kind in rows:
        full = name if name[0] == '/' else f'{namespace}/{name.replace("~", node)}'
        result[direction].add((full, f'{package}/msg/{kind}'))
    return result['in'], result['out']


class TestTopics(unittest.TestCase):

    def setUp(self):
        self.tester = Tester()
        self.addCleanup(self.tester.close)

    def joined(self, by_node, node, namespace, expected):
        """The topics in the graph, without those that every ROS 2 node has: parameters, events and logs."""
        own = re.compile(r'.*(/parameter_events|/rosout|/transition_event)$')
        deadline = time.monotonic() + PATIENCE
        found = set()
        while found != expected and time.monotonic() < deadline:
            time.sleep(0.1)
            try:
                pairs = by_node(node, namespace or '/')
            except Exception:  # not discovered yet
                continue
            found = {(name, kind) for name, kinds in pairs for kind in kinds if not own.match(name)}
        return found

    def check(self, heading, node, namespace=''):
        inputs, outputs = documented(heading, namespace, node)
        graph = self.tester.node
        self.assertEqual(self.joined(graph.get_publisher_names_and_types_by_node, node, namespace, outputs), outputs)
        self.assertEqual(self.joined(graph.get_subscriber_names_and_types_by_node, node, namespace, inputs), inputs)

    def test_of_the_dynamics_node(self):
        self.check('node', 'dynamics')

    def test_of_the_stand_alone_node(self):
        self.check('node', 'dynamics', '/alone')

    def test_of_the_simulator(self):
        self.check('simulated robot', 'robot_simulator')
