"""SimulatedSystem in a real controller manager at 1 kHz, with controllers of ros2_controllers."""

import importlib.util
import math
import os
import re
import subprocess
import tempfile
import time
import unittest

from controller_manager_msgs.srv import SwitchController
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from support import ARM, ARM_JOINTS, PATIENCE, Tester, compute, description, included, largest

START = [0.3, 0.6, 0.2, -1.2, 0.1, 0.8, 0.0]

CONTROLLERS = '''
controller_manager:
  ros__parameters:
    update_rate: 1000
    joint_state_broadcaster: {type: joint_state_broadcaster/JointStateBroadcaster}
    effort_controller: {type: effort_controllers/JointGroupEffortController}
'''

PLUGIN = 'spatial_dynamics/SimulatedSystem'


def hardware():
    joints = ''.join(
        f'<joint name="{name}"><command_interface name="effort"/><command_interface name="position"/>'
        f'<state_interface name="position"><param name="initial_value">{position}</param></state_interface>'
        '<state_interface name="velocity"/><state_interface name="effort"/></joint>'
        for name, position in zip(ARM_JOINTS, START))
    return f'<ros2_control name="Arm" type="system"><hardware><plugin>{PLUGIN}</plugin></hardware>{joints}</ros2_control></robot>'


def generate_test_description():
    folder = tempfile.mkdtemp()
    with open(ARM, encoding='utf-8') as file:
        urdf = file.read().replace('</robot>', hardware())
    for name, text in (('arm.urdf', urdf), ('controllers.yaml', CONTROLLERS)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
    return description(included('ros2_control.launch.py', urdf=os.path.join(folder, 'arm.urdf'),
                                controllers=os.path.join(folder, 'controllers.yaml')))


def control(*words):
    """The output of `ros2 control`, without colours."""
    answer = subprocess.run(['ros2', 'control', *words], capture_output=True, text=True, check=True, timeout=2 * PATIENCE)
    return re.sub(r'\x1b\[[0-9;]*m', '', answer.stdout)


class TestSimulatedSystem(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.tester = Tester()
        cls.states = cls.tester.collect(JointState, '/joint_states', 100)
        assert cls.states.wait_for(timeout=3 * PATIENCE) is not None, 'no states'
        cls.effort = cls.tester.node.create_publisher(Float64MultiArray, '/effort_controller/commands', 10)

    @classmethod
    def tearDownClass(cls):
        cls.tester.close()

    def position(self):
        state = self.states.wait_for()
        self.assertIsNotNone(state, 'no states')
        found = dict(zip(state.name, state.position))
        return [found[name] for name in ARM_JOINTS]

    def send(self, torque):
        deadline = time.monotonic() + PATIENCE
        while self.effort.get_subscription_count() == 0:
            self.assertLess(time.monotonic(), deadline, 'the effort controller does not subscribe')
            time.sleep(0.05)
        self.effort.publish(Float64MultiArray(data=torque))

    def switch(self, **lists):
        request = SwitchController.Request(strictness=SwitchController.Request.STRICT, **lists)
        return self.tester.call(SwitchController, '/controller_manager/switch_controller', request, once=True).ok

    # Tests run in alphabetic order; each one continues at the position where the previous one left
    # the arm.

    def test_1_brakes_hold_the_arm_before_the_first_command(self):
        time.sleep(1.0)
        self.assertEqual(self.position(), START)

    @unittest.skipUnless(importlib.util.find_spec('ros2controlcli'), 'ros2controlcli is not installed')
    def test_2_command_line_lists_the_hardware(self):
        interfaces = control('list_hardware_interfaces')
        for name in ARM_JOINTS:
            self.assertRegex(interfaces, rf'{name}/effort \[available\] \[claimed\]')
            self.assertRegex(interfaces, rf'{name}/position \[available\] \[unclaimed\]')
        components = control('list_hardware_components')
        self.assertIn(PLUGIN, components)
        self.assertRegex(components, 'label=active')

    def test_3_effort_controller_of_another_package_holds_the_arm(self):
        # Not exactly the weight, which the brakes hold; friction of the joints holds the
        # difference.
        torque = [weight + 0.01 for weight in compute(ARM, q=START, want=['gravity'])['gravity']]
        self.send(torque)

        def arrived(message):
            effort = dict(zip(message.name, message.effort))
            return largest(effort[name] - value for name, value in zip(ARM_JOINTS, torque)) < 1e-9

        self.assertIsNotNone(self.states.wait_for(arrived), 'the motors do not get the torque')
        time.sleep(2.0)
        self.assertLess(largest(map(float.__sub__, self.position(), START)), 1e-3)

    def test_4_states_turn_nan_on_request(self):
        def is_nan(message):
            return math.isnan(dict(zip(message.name, message.position))['elbow'])

        def set_nan(value):
            subprocess.run(['ros2', 'param', 'set', '/arm', 'nan_states', value], check=True, timeout=2 * PATIENCE,
                           capture_output=True)

        set_nan('[elbow]')
        self.assertIsNotNone(self.states.wait_for(is_nan), 'no NaN')
        set_nan("['']")
        self.assertIsNotNone(self.states.wait_for(lambda message: not is_nan(message)), 'NaN stays')

    def test_5_arm_falls_without_torque_and_brakes_stop_it(self):
        before = self.position()
        self.send([0.0] * 7)

        def fell(message):
            return abs(dict(zip(message.name, message.position))['shoulder_pitch'] - before[1]) > 0.05

        self.assertIsNotNone(self.states.wait_for(fell), 'it does not fall')
        self.assertTrue(self.switch(deactivate_controllers=['effort_controller']))
        time.sleep(0.5)
        stopped = self.position()
        time.sleep(0.5)
        self.assertEqual(self.position(), stopped)
