#!/usr/bin/env python3
"""Sends one motion of all joints to a trajectory controller and prints the tracking error.

    ros2 run spatial_dynamics trajectory_demo --ros-args -p controller:=joint_trajectory_controller

The motion goes from the present position to a position nearby and back, within the URDF's position and velocity limits. The exit
code is 0 if the controller has accepted and completed it.
"""

import math
import sys
from xml.etree import ElementTree

from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTrajectoryControllerState
import rclpy
from rclpy.action import ActionClient
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

STEP = 0.05  # s between points
WAY = 0.4  # rad or m: the longest way of a joint
SHARE_OF_RANGE = 0.2  # and of its range
SHARE_OF_SPEED = 0.4  # of its velocity limit
SHORTEST, LONGEST = 3.0, 10.0  # s
# largest speed of the motion times its duration, per way
PEAK = 2.0 * math.pi * 3.0 * math.sqrt(3.0) / 8.0


def limits_of(description):
    """Lower, upper and velocity limit by joint name; infinite where there is none."""
    limits = {}
    for joint in ElementTree.fromstring(description).findall('joint'):
        limit = joint.find('limit')
        bounded = limit is not None and joint.get('type') in ('revolute', 'prismatic')
        lower = float(limit.get('lower', 0.0)) if bounded else -math.inf
        upper = float(limit.get('upper', 0.0)) if bounded else math.inf
        velocity = float(limit.get('velocity', 0.0)) if limit is not None else 0.0
        limits[joint.get('name')] = (lower, upper, velocity if velocity > 0.0 else math.inf)
    return limits


def way_of(position, lower, upper, speed):
    """How far a joint moves: towards the side on which its limit is farther away."""
    way = min(WAY, SHARE_OF_RANGE * (upper - lower), SHARE_OF_SPEED * speed * LONGEST / PEAK)
    return way if upper - position >= position - lower else -way


def plan(names, position, limits):
    """There and back along (1 - cos)^2 / 4, which begins and ends with zero velocity and acceleration."""
    ways = [way_of(position[name], *limits[name]) for name in names]
    seconds = max(SHORTEST, max(abs(way) * PEAK / (SHARE_OF_SPEED * limits[name][2]) for way, name in zip(ways, names)))
    rate = 2.0 * math.pi / seconds
    trajectory = JointTrajectory(joint_names=names)
    count = math.ceil(seconds / STEP)
    for i in range(1, count + 1):
        time = seconds * i / count
        c, s = math.cos(rate * time), math.sin(rate * time)
        shape = ((1.0 - c) ** 2 / 4.0, rate * (1.0 - c) * s / 2.0, rate * rate * (s * s + c - c * c) / 2.0)
        trajectory.points.append(JointTrajectoryPoint(
            positions=[position[name] + way * shape[0] for way, name in zip(ways, names)],
            velocities=[way * shape[1] for way in ways], accelerations=[way * shape[2] for way in ways],
            time_from_start=Duration(seconds=time).to_msg()))
    return trajectory, seconds


def summary(names, errors):
    """The joints with the largest errors, in one sentence."""
    rms = [math.sqrt(sum(e * e for e in column) / len(column)) for column in zip(*errors)]
    most = [max(map(abs, column)) for column in zip(*errors)]
    i, k = rms.index(max(rms)), most.index(max(most))
    return f'tracking error: rms {rms[i]:.3g} ({names[i]}), at most {most[k]:.3g} ({names[k]}), in rad or m'


class TrajectoryDemo(Node):

    def __init__(self):
        super().__init__('trajectory_demo')
        self.controller = self.declare_parameter('controller', 'joint_trajectory_controller').value
        self.patience = self.declare_parameter('timeout_s', 60.0).value
        self.description, self.state, self.errors, self.moving = None, None, [], False
        once = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.create_subscription(String, 'robot_description', self.on_description, once)
        self.create_subscription(JointTrajectoryControllerState, f'{self.controller}/controller_state', self.on_state, 50)
        self.client = ActionClient(self, FollowJointTrajectory, f'{self.controller}/follow_joint_trajectory')

    def on_description(self, message):
        self.description = message.data

    def on_state(self, message):
        self.state = message
        if self.moving:
            self.errors.append(list(message.error.positions))

    def wait(self, condition, what, seconds=None):
        """Spins until the condition holds; False, with an error, if that takes too long."""
        end = self.get_clock().now() + Duration(seconds=seconds or self.patience)
        while rclpy.ok() and not condition():
            if self.get_clock().now() > end:
                self.get_logger().error(f'{what}: not within {seconds or self.patience:.0f} s')
                return False
            rclpy.spin_once(self, timeout_sec=0.1)
        return rclpy.ok()

    def move(self):
        """Whether the motion was completed."""
        if not (self.wait(lambda: self.description is not None, "the robot's description arrives on robot_description") and
                self.wait(lambda: self.state is not None, f'{self.controller}/controller_state arrives') and
                self.wait(self.client.server_is_ready, f'{self.controller}/follow_joint_trajectory answers')):
            return False
        names = list(self.state.joint_names)
        position = dict(zip(names, self.state.feedback.positions))
        limits = limits_of(self.description)
        fixed = [name for name in names if limits[name][0] == limits[name][1]]
        if fixed:
            self.get_logger().warning(f'these joints have no range in the URDF and do not move: {", ".join(fixed)}')
        trajectory, seconds = plan(names, position, limits)
        self.get_logger().info(f'moving {len(names)} joints for {seconds:.1f} s through {self.controller}/follow_joint_trajectory')
        self.moving = True
        accepted = self.client.send_goal_async(FollowJointTrajectory.Goal(trajectory=trajectory))
        if not self.wait(accepted.done, 'the controller answers'):
            return False
        if not accepted.result().accepted:
            self.get_logger().error('the controller has rejected the motion; its log has the reason')
            return False
        result = accepted.result().get_result_async()
        if not self.wait(result.done, 'the motion is completed', seconds + self.patience):
            return False
        self.moving = False
        answer = result.result().result
        if answer.error_code != FollowJointTrajectory.Result.SUCCESSFUL:
            self.get_logger().error(f'the controller has aborted the motion: {answer.error_string or answer.error_code}')
            return False
        self.get_logger().info(summary(names, self.errors) if self.errors else 'no controller_state during the motion')
        return True


def main():
    rclpy.init()
    node = TrajectoryDemo()
    try:
        return 0 if node.move() else 1
    except KeyboardInterrupt:
        return 1
    finally:
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == '__main__':
    sys.exit(main())
