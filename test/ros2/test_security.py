"""ROS_SECURITY_STRATEGY=Enforce with the installed SROS 2 policy: the node's services work, and a node without keys does not."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from diagnostic_msgs.msg import DiagnosticArray
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from keystore import Keystore, shipped_rights
from support import ARM, ARM_JOINTS, Tester, description, dynamics, largest

PROBE = "import rclpy; rclpy.init(); rclpy.create_node('probe')"


def member_variables():
    """The variables of the enclave `/tester` and None, or None and the reason why there is no security."""
    if shutil.which('openssl') is None:
        return None, 'openssl is not installed'
    keys = Keystore(tempfile.mkdtemp())
    keys.add('/dynamics', *shipped_rights('/dynamics'))
    keys.add('/tester')
    variables = keys.variables('/tester')
    probe = subprocess.run([sys.executable, '-c', PROBE], env={**os.environ, **variables}, capture_output=True, text=True,
                           check=False)
    if probe.returncode != 0:
        implementation = os.environ.get('RMW_IMPLEMENTATION', 'the default middleware')
        return None, f'{implementation} has no security plug-in: {probe.stderr.strip().splitlines()[-1]}'
    return variables, None


VARIABLES, REASON = member_variables()


def generate_test_description():
    enclave = {**VARIABLES, 'ROS_SECURITY_ENCLAVE_OVERRIDE': '/dynamics'} if VARIABLES else {}
    return description(dynamics(parameters={'urdf_file': ARM, 'torque_mode': 'gravity_compensation'}, additional_env=enclave))


@unittest.skipIf(VARIABLES is None, REASON)
class TestSecurity(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        os.environ.update(VARIABLES)  # for the tester in this process

    def test_services_are_permitted(self):
        tester = Tester()
        self.addCleanup(tester.close)
        tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        torques = tester.collect(JointState, '/dynamics/torque')
        diagnostics = tester.collect(DiagnosticArray, '/diagnostics')
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque')
        self.assertIsNotNone(diagnostics.wait_for(), 'no diagnostics')

        limits = Parameter('effort_limits', value=[5.0]).to_parameter_msg()
        answer = tester.call(SetParameters, '/dynamics/set_parameters', SetParameters.Request(parameters=[limits]))
        self.assertTrue(answer.results[0].successful, answer.results[0].reason)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) <= 5.0), 'the parameter has no effect')

        answer = tester.call(SetBool, '/dynamics/set_active', SetBool.Request(data=False))
        self.assertTrue(answer.success, answer.message)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) == 0.0), 'no zero at the end')
        answer = tester.call(SetBool, '/dynamics/set_active', SetBool.Request(data=True))
        self.assertTrue(answer.success, answer.message)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque after the activation')

    def test_node_without_keys_receives_nothing(self):
        listener = ("import rclpy, time; from sensor_msgs.msg import JointState; rclpy.init(); "
                    "node = rclpy.create_node('stranger'); got = []; "
                    "node.create_subscription(JointState, '/dynamics/torque', got.append, 10); "
                    "end = time.monotonic() + 3.0\n"
                    "while time.monotonic() < end: rclpy.spin_once(node, timeout_sec=0.1)\n"
                    "print(len(got))")
        variables = {name: value for name, value in os.environ.items() if not name.startswith('ROS_SECURITY')}
        tester = Tester()
        self.addCleanup(tester.close)
        tester.play_robot(ARM_JOINTS, [0.4] * 7, [0.0] * 7)
        torques = tester.collect(JointState, '/dynamics/torque')
        self.assertIsNotNone(torques.wait_for(), 'no torque')
        answer = subprocess.run([sys.executable, '-c', listener], env=variables, capture_output=True, text=True, check=True)
        self.assertEqual(answer.stdout.strip(), '0')
