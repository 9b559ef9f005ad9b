#include "cli/simulate/simulation_plot.hpp"

#include <algorithm>
#include <string>

namespace spatial_dynamics::cli {
namespace {

constexpr double kSmallestSpan = 1e-6;  // rad, m, N m: rounding errors do not fill a panel

}  // namespace

const char* position_unit(const Model& model) noexcept {
  bool angles = false, lengths = false;
  for (const Index i : model.coordinate_joints()) {
    const JointType type = model.joint(i).type;
    lengths = lengths || type == JointType::kPrismatic || type == JointType::kPlanar;
    angles = angles || (type != JointType::kPrismatic && type != JointType::kFloating);
  }
  return angles == lengths ? "rad or m" : angles ? "rad" : "m";
}

std::vector<Panel> simulation_panels(const SimulationRun& run, ControllerKind controller) {
  const Model& model = run.model();
  const History& history = run.history();
  Panel positions{std::string("positions, ") + position_unit(model), {}, kSmallestSpan},
      bases{"base position, m", {}, kSmallestSpan},
      orientations{"base orientation, quaternion", {}, kSmallestSpan};
  const bool has_reference = controller == ControllerKind::kComputedTorque;
  const std::vector<std::string> position_names = coordinate_names(model, false);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    for (Index k = 0; k < joint.nq; ++k) {
      const std::string& name = position_names[static_cast<std::size_t>(joint.q_index + k)];
      Panel& panel = joint.type != JointType::kFloating ? positions : k < 3 ? bases : orientations;
      panel.curves.push_back({history.find("q:" + name), name});
      if (has_reference)
        panel.curves.push_back({history.find("reference:" + name), "reference", true});
    }
  }
  const std::string unit = position_unit(model);
  Panel efforts{unit == "rad" ? "efforts, N m"
                : unit == "m" ? "efforts, N"
                              : "efforts, N m or N",
                {},
                kSmallestSpan};
  const std::vector<std::string> names = coordinate_names(model, true);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    if (joint.type == JointType::kFloating) continue;  // has no motor
    for (Index k = joint.v_index; k < joint.v_index + joint.nv; ++k) {
      const std::string& name = names[static_cast<std::size_t>(k)];
      efforts.curves.push_back({history.find("effort:" + name), name});
    }
  }
  Panel energies{"energies, J",
                 {{history.find("kinetic_energy"), "kinetic"},
                  {history.find("potential_energy"), "potential"}}};
  std::vector<Panel> drawn;
  for (Panel* panel : {&positions, &bases, &orientations}) {
    if (panel->curves.empty()) continue;
    std::stable_partition(panel->curves.begin(), panel->curves.end(),
                          [](const Curve& curve) { return !curve.dashed; });
    drawn.push_back(std::move(*panel));
  }
  if (controller != ControllerKind::kNone) drawn.push_back(std::move(efforts));
  drawn.push_back(std::move(energies));
  return drawn;
}

}  // namespace spatial_dynamics::cli
