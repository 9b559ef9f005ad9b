"""Helpers of the launch tests: the nodes under test, and a tester that replaces the robot."""

import json
import os
import subprocess
import threading
import time

from ament_index_python.packages import get_package_prefix, get_package_share_directory
from diagnostic_msgs.msg import DiagnosticStatus
import launch
import launch.actions
import launch.launch_description_sources
import launch_ros.actions
import launch_testing.actions
from lifecycle_msgs.srv import ChangeState, GetState
import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String

SHARE = get_package_share_directory('spatial_dynamics')
ARM = os.path.join(SHARE, 'urdf', 'arm7.urdf')
PENDULUM = os.path.join(SHARE, 'urdf', 'double_pendulum.urdf')
CLI = os.path.join(get_package_prefix('spatial_dynamics'), 'lib', 'spatial_dynamics', 'spatial_dynamics')
ARM_JOINTS = ['shoulder_yaw', 'shoulder_pitch', 'upper_arm_roll', 'elbow', 'forearm_roll', 'wrist_pitch', 'wrist_roll']
PATIENCE = 20.0  # seconds; long, for busy machines


def dynamics(*, parameters=None, namespace='', **more):
    """The node as a process, at a rate that is low enough for Python."""
    return launch_ros.actions.Node(
        package='spatial_dynamics', executable='dynamics_node', name='dynamics', namespace=namespace, output='screen',
        parameters=[{'rate_hz': 200, 'state_timeout_s': 0.5, **(parameters or {})}], **more)


def included(file, **arguments):
    """A launch file of the package with these arguments."""
    source = launch.launch_description_sources.AnyLaunchDescriptionSource(os.path.join(SHARE, 'launch', file))
    return launch.actions.IncludeLaunchDescription(source, launch_arguments=arguments.items())


def description(*actions):
    return launch.LaunchDescription([*actions, launch_testing.actions.ReadyToTest()])


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def compute(urdf, *options, **line):
    """The library's answer, by its command line."""
    answer = subprocess.run([CLI, 'compute', *options, urdf], input=json.dumps(line) + '\n', capture_output=True, text=True,
                            check=True, timeout=PATIENCE)
    return json.loads(answer.stdout.splitlines()[0])


def holds_the_arm(position):
    """Whether the torques only compensate the arm's weight at this position."""
    weight = compute(ARM, q=position, want=['gravity'])['gravity']
    return lambda m: len(m.effort) == len(weight) and largest(map(float.__sub__, m.effort, weight)) < 1e-9


class Collector:
    """The messages of one topic."""

    def __init__(self, node, kind, topic, qos):
        self.messages = []
        self.changed = threading.Condition()
        self.subscription = node.create_subscription(kind, topic, self.add, qos)

    def add(self, message):
        with self.changed:
            self.messages.append(message)
            self.changed.notify_all()

    def clear(self):
        with self.changed:
            self.messages.clear()

    def wait_for(self, predicate=lambda message: True, timeout=PATIENCE):
        """The first message from now on that fulfils the condition; None if none arrives."""
        deadline = time.monotonic() + timeout
        with self.changed:
            seen = len(self.messages)
            while True:
                for message in self.messages[seen:]:
                    if predicate(message):
                        return message
                seen = len(self.messages)
                left = deadline - time.monotonic()
                if left <= 0 or not self.changed.wait(left):
                    return None


class Tester:
    """A node with its own thread."""

    def __init__(self, namespace=''):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('tester', namespace=namespace, context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.clients = {}
        self.closing = False
        self.thread = threading.Thread(target=self.spin, daemon=True)
        self.thread.start()

    def spin(self):
        while not self.closing:
            self.executor.spin_once(timeout_sec=0.1)

    def close(self):
        self.closing = True
        self.thread.join()
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def collect(self, kind, topic, qos=10):
        return Collector(self.node, kind, topic, qos)

    def play_robot(self, names, position, velocity, effort=None, topic='joint_states', period=0.005, age=0.0, stamps=None):
        """Publishes this state, `age` seconds old, in each period, and adds its stamps in ns to `stamps`. The timer that is
        returned ends it when it is cancelled."""
        publisher = self.node.create_publisher(JointState, topic, 10)

        def send():
            message = JointState(name=names, position=position, velocity=velocity, effort=effort or [])
            stamp = self.node.get_clock().now() - Duration(seconds=age)
            message.header.stamp = stamp.to_msg()
            if stamps is not None:
                stamps.add(stamp.nanoseconds)
            publisher.publish(message)

        return self.node.create_timer(period, send)

    def describe_robot(self, text, topic='robot_description'):
        qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        publisher = self.node.create_publisher(String, topic, qos)
        publisher.publish(String(data=text))
        return publisher

    def call(self, kind, name, request, once=False):
        """The service's answer. The request is repeated every two seconds unless `once` is set: Fast DDS drops the answer
        to a client that the server has not discovered yet, which happens on busy machines."""
        if name not in self.clients:
            self.clients[name] = self.node.create_client(kind, name)
        client = self.clients[name]
        assert client.wait_for_service(PATIENCE), f'there is no service {name}'
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            future = client.call_async(request)
            next_time = deadline if once else time.monotonic() + 2.0
            while not future.done() and time.monotonic() < next_time:
                time.sleep(0.005)
            if future.done():
                return future.result()
            client.remove_pending_request(future)
        raise AssertionError(f'{name} does not answer')

    def transition(self, number, node='/dynamics'):
        """Whether the node made this transition."""
        request = ChangeState.Request()
        request.transition.id = number
        return self.call(ChangeState, f'{node}/change_state', request, once=True).success

    def state(self, node='/dynamics'):
        return self.call(GetState, f'{node}/get_state', GetState.Request()).current_state.label

    def wait_for_state(self, label, node='/dynamics'):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.state(node) == label:
                return True
            time.sleep(0.05)
        return False


def torques_sent(diagnostics, name):
    """The number of torques sent, from the node's next report."""
    def value(message):
        if not message.status[0].name.startswith(f'/{name}:'):
            return None
        return next((int(v.value) for v in message.status[0].values if v.key == 'torques sent'), None)
    message = diagnostics.wait_for(lambda m: value(m) is not None)
    assert message is not None, f'no report of {name}'
    return value(message)


def expect_exactly_one_drives(test, diagnostics, names):
    """One of two nodes sends torques, the other one waits for it, and both report the other as an error."""
    def problem(name, words):
        """The node's first report of this problem."""
        found = diagnostics.wait_for(lambda m: m.status[0].name.startswith(f'/{name}:') and words in m.status[0].message)
        test.assertIsNotNone(found, f'{name}: {words}')
        return found.status[0]

    # Nodes that start before they discover each other may need 5 s (ActivationGate::kPersists) until one of them waits.
    waits = 'activation waits: node /'
    found = diagnostics.wait_for(lambda m: waits in m.status[0].message and 'sends on' in m.status[0].message)
    test.assertIsNotNone(found, 'neither waits for the other')
    other = next(name for name in names if found.status[0].name.startswith(f'/{name}:'))
    driver = next(name for name in names if name != other)
    test.assertIn(f'{waits}{driver} sends on /dynamics/torque', found.status[0].message)
    before = {name: torques_sent(diagnostics, name) for name in names}
    for _ in range(2):  # a second each
        after = {name: torques_sent(diagnostics, name) for name in names}
    test.assertGreater(after[driver], before[driver])
    test.assertEqual(after[other], before[other])
    for name, rival in ((driver, other), (other, driver)):
        status = problem(name, 'also publishes')
        test.assertIn(f'node /{rival} also publishes /dynamics/torque', status.message)
        test.assertEqual(status.level, DiagnosticStatus.ERROR)


def largest(values):
    return max((abs(value) for value in values), default=0.0)
