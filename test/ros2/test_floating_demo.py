"""demo.launch.py with a floating robot: its joints follow the motion, and the topics of the base are published."""

import os
import re
import unittest

from geometry_msgs.msg import WrenchStamped

from support import SHARE, Tester, description, included


def generate_test_description():
    quadruped = os.path.join(SHARE, 'urdf', 'quadruped.urdf')
    return description(included('demo.launch.py', rate='250', urdf=quadruped, floating_base='true'))


class TestFloatingDemo(unittest.TestCase):

    def test_tracks(self, proc_output):
        tester = Tester()
        self.addCleanup(tester.close)
        wrenches = tester.collect(WrenchStamped, '/dynamics/base/wrench')
        self.assertIsNotNone(wrenches.wait_for(), 'no rows of the base')
        proc_output.assertWaitFor(re.compile(r'tracking error: rms \d\.'), timeout=30)
