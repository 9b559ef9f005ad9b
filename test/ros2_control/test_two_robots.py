"""The launch file for two robots in two namespaces: each follows its own trajectory."""

import re
import unittest

from support import ARM, PATIENCE, PENDULUM, description, included


def generate_test_description():
    return description(included('ros2_control.launch.py', urdf=ARM, namespace='left'),
                       included('ros2_control.launch.py', urdf=PENDULUM, namespace='right'))


class TestTwoRobots(unittest.TestCase):

    def test_each_follows_its_trajectory(self, proc_output):
        for robot, joints in (('left', 7), ('right', 2)):
            proc_output.assertWaitFor(f'[{robot}.trajectory_demo]: moving {joints} joints', timeout=4 * PATIENCE)
            proc_output.assertWaitFor(f'[{robot}.trajectory_demo]: tracking error', timeout=2 * PATIENCE)
        text = ''.join(line.text.decode() for line in proc_output)
        errors = re.findall(r'tracking error: rms ([-+.e\d]+)', text)
        self.assertEqual(len(errors), 2)
        for error in errors:
            # A hundredth of the motion; test_chain.py has the bound for an undisturbed one.
            self.assertLess(float(error), 4e-3)
