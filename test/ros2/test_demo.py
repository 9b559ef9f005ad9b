"""demo.launch.py: the simulated arm follows the motion, and torques arrive at the rate."""

import re
import time
import unittest

from sensor_msgs.msg import JointState

from support import Tester, description, included, largest

RATE = 250


def generate_test_description():
    return description(included('demo.launch.py', rate=str(RATE)))


class TestDemo(unittest.TestCase):

    def test_tracks_at_the_rate(self, proc_output):
        tester = Tester()
        self.addCleanup(tester.close)
        torques = tester.collect(JointState, '/dynamics/torque', 100)
        self.assertIsNotNone(torques.wait_for(lambda m: largest(m.effort) > 1.0), 'no torque')
        torques.clear()
        begin = time.monotonic()
        # A delay of one cycle and the stiffness of the feedback leave an error of two milliradians
        # at this rate; the limit has a margin.
        proc_output.assertWaitFor(re.compile(r'tracking error: rms [01]\.'), timeout=30)
        seconds = time.monotonic() - begin
        torques.wait_for()
        self.assertGreater(len(torques.messages) / seconds, 0.5 * RATE, 'torques are too rare')
