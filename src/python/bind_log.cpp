#include "bindings.hpp"
#include "spatial_dynamics/identification/log.hpp"

namespace spatial_dynamics::python {
namespace {

/// Samples in rows; None if the file has no such column.
py::object samples_of(const MatrixXd& x) {
  if (x.size() == 0) return py::none();
  return matrix_array_of(MatrixXd(x.transpose()));
}

}  // namespace

void bind_log(py::module_& module) {
  py::class_<RobotLog>(module, "RobotLog", py::module_local(), py::is_final(),
                       "A log in SI units: one sample per row, coordinates in the model's order. "
                       "Arrays are copies.")
      .def_property_readonly(
          "time",
          [](const RobotLog& log) {
            return array_of(VectorXd(
                Eigen::Map<const VectorXd>(log.time.data(), static_cast<Index>(log.time.size()))));
          },
          "s: (samples,)")
      .def_property_readonly(
          "q", [](const RobotLog& log) { return samples_of(log.q); }, "rad or m: (samples, nv)")
      .def_property_readonly(
          "v", [](const RobotLog& log) { return samples_of(log.v); }, "rad/s or m/s, or None")
      .def_property_readonly(
          "a", [](const RobotLog& log) { return samples_of(log.a); }, "rad/s^2 or m/s^2, or None")
      .def_property_readonly(
          "effort", [](const RobotLog& log) { return samples_of(log.effort); }, "N m or N, or None")
      .def_property_readonly(
          "has_effort", [](const RobotLog& log) { return py::tuple(py::cast(log.has_effort)); },
          "For each coordinate, whether its efforts are known.")
      .def_property_readonly(
          "excluded",
          [](const RobotLog& log) {
            return log.excluded.empty() ? std::vector<bool>(log.time.size(), false) : log.excluded;
          },
          "For each sample, whether it is bad: an effort at a limit, or a jump of positions.")
      .def_property_readonly(
          "left_out", [](const RobotLog& log) { return exclusions_text(log.exclusions); },
          "What was left out and why; empty if nothing was.")
      .def("__len__", [](const RobotLog& log) { return log.time.size(); })
      .def("__repr__", [](const RobotLog& log) {
        return "<RobotLog of " + std::to_string(log.time.size()) + " samples>";
      });
  module.def(
      "read_log",
      [](const py::object& path, const ModelObject& m, const std::string& topic) {
        const auto text =
            py::str(py::module_::import("os").attr("fspath")(path)).cast<std::string>();
        RobotLog log = read_logs({text}, scalar_coordinates(m.model), {topic});
        exclude_bad_samples(m.model, log);
        return log;
      },
      py::arg("path"), py::arg("model"), py::arg("topic") = "",
      "Reads a log of this robot: a CSV file, the output of `ros2 topic echo --csv`, or a rosbag2 "
      "recording (MCAP or SQLite); see docs/logs.md. Raises LogError.");
}

}  // namespace spatial_dynamics::python
