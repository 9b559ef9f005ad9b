#include <spatial_dynamics/runtime/loop.hpp>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>
using namespace spatial_dynamics;
int main(int, char** argv) {
  const Model model = load_urdf_file(argv[1]);
  ControlSettings settings;                            // limits: the URDF's; watchdog: 0.1 s
  settings.torque_mode = TorqueMode::kComputedTorque;  // without a reference it holds the position
  TorqueController controller(model, settings);
  ControlInput input = controller.make_input();
  ControlOutput output = controller.make_output();
  Simulator robot(model);                                          // replace it by your driver
  FixedRateLoop loop({}, [&](std::int64_t, std::int64_t now) {     // 1 kHz, on its own thread
    input.set_state(now, robot.measured().q, robot.measured().v);  // read
    controller.step(now, input, output);
    if (output.send_torque && !robot.step(1e-3, output.torque)) std::abort();  // write
  });
  loop.start();
  std::this_thread::sleep_for(std::chrono::seconds(1));
}
