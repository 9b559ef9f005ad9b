#!/usr/bin/env python3
"""A ROS 2 node in Python that balances gravity: joint_states in, efforts out.

For trying ideas: Python's loop has no real-time guarantee, and this node has no limits, watchdogs or ramps. The node
`ros2 launch spatial_dynamics gravity_compensation.launch.xml` has them.

usage: gravity_compensation_node.py ROBOT.urdf [--ros-args …]
"""
import sys

import numpy as np
import rclpy
import spatial_dynamics as sd
from rclpy.node import Node
from sensor_msgs.msg import JointState


class GravityCompensation(Node):
    """Publishes the efforts that hold the robot for each state that has all joints."""

    def __init__(self, urdf):
        super().__init__("gravity_compensation")
        self.model = sd.load_urdf(urdf)
        self.index = {name: k for k, name in enumerate(self.model.joint_names)}
        self.publisher = self.create_publisher(JointState, "gravity_torque", 1)
        self.create_subscription(JointState, "joint_states", self.on_state, 1)

    def on_state(self, state):
        q = np.full(self.model.nq, np.nan)
        for name, position in zip(state.name, state.position):
            if name in self.index:
                q[self.index[name]] = position
        if not np.isfinite(q).all():
            return
        message = JointState(name=self.model.joint_names)
        message.header.stamp = state.header.stamp
        message.effort = sd.gravity_torque(self.model, q).tolist()
        self.publisher.publish(message)


def main():
    rclpy.init()
    node = GravityCompensation(sys.argv[1])
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        pass
    node.destroy_node()


if __name__ == "__main__":
    main()
