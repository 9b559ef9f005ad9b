"""A robot that can't be loaded: configure fails with the loader's sentence, and the node continues to run."""

import os
import tempfile
import unittest

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from lifecycle_msgs.msg import Transition

from support import ARM, Tester, description, dynamics, text_of

FILE = os.path.join(tempfile.mkdtemp(), 'robot.urdf')
with open(FILE, 'w', encoding='utf-8') as file:
    file.write('<robot name="r"><link name="a"/><joint name="j" type="revolute"><parent link="a"/></joint></robot>')


def generate_test_description():
    node = dynamics(parameters={'urdf_file': FILE})
    return description(node), {'node': node}


class TestConfigure(unittest.TestCase):

    def test_fails_with_a_sentence_and_succeeds_once_the_file_is_right(self, proc_output, node):
        tester = Tester()
        self.addCleanup(tester.close)
        proc_output.assertWaitFor(f"file '{FILE}': joint 'j'", process=node, timeout=20)
        told = tester.collect(DiagnosticArray, '/diagnostics').wait_for()
        self.assertIsNotNone(told, 'no diagnostics while nothing is configured')
        self.assertEqual(told.status[0].level, DiagnosticStatus.ERROR)
        self.assertIn('unconfigured', told.status[0].message)
        self.assertIn("joint 'j'", told.status[0].message)
        self.assertEqual(tester.state(), 'unconfigured')
        self.assertFalse(tester.transition(Transition.TRANSITION_CONFIGURE))
        with open(FILE, 'w', encoding='utf-8') as robot:
            robot.write(text_of(ARM))
        self.assertTrue(tester.transition(Transition.TRANSITION_CONFIGURE))
        self.assertEqual(tester.state(), 'inactive')
