#include "ros2/dynamics_node.hpp"
#include "ros2/run_node.hpp"

int main(int argc, char** argv) {
  return spatial_dynamics::ros2::run_node<spatial_dynamics::DynamicsNode>(argc, argv);
}
