// Compares generated code with the kernels before it is used: does it belong to this robot?
#include <double_pendulum.hpp>

#include <iostream>
#include <spatial_dynamics/dynamics/generated_library.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>

int main(int argc, char** argv) try {
  const auto model = spatial_dynamics::load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const std::string difference =
      spatial_dynamics::find_difference(SPATIAL_DYNAMICS_GENERATED(double_pendulum), model);
  std::cout << (difference.empty() ? "the generated code is this robot's" : difference) << '\n';
  return difference.empty() ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
