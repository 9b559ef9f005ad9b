"""demo.launch.py with a robot that nothing holds: its joints follow all the same, and the base's rows go out."""

import os
import re
import unittest

from geometry_msgs.msg import WrenchStamped
import launch.actions
import launch.launch_description_sources

from support import SHARE, Tester, description


def generate_test_description():
    demo = launch.actions.IncludeLaunchDescription(
        launch.launch_description_sources.AnyLaunchDescriptionSource(os.path.join(SHARE, 'launch', 'demo.launch.py')),
        launch_arguments={'rate': '250', 'urdf': os.path.join(SHARE, 'urdf', 'quadruped.urdf'), 'floating_base': 'true'}.items())
    return description(demo)


class TestFloatingDemo(unittest.TestCase):

    def test_tracks(self, proc_output):
        tester = Tester()
        self.addCleanup(tester.close)
        wrenches = tester.collect(WrenchStamped, '/dynamics/base/wrench')
        self.assertIsNotNone(wrenches.wait_for(), 'no rows of the base')
        proc_output.assertWaitFor(re.compile(r'tracking error: rms \d\.'), timeout=30)
