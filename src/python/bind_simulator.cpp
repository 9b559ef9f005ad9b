#include "bindings.hpp"
#include "parse.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"

namespace spatial_dynamics::python {
namespace {

Integrator integrator_of(const std::string& name) {
  for (const Integrator integrator : {Integrator::kSemiImplicit, Integrator::kRk4}) {
    if (name == to_string(integrator)) return integrator;
  }
  throw std::invalid_argument("integrator is '" + name +
                              "', but must be 'semi_implicit' or 'rk4'.");
}

std::unique_ptr<Simulator> make_simulator(const ModelObject& m, const std::string& integrator,
                                          int substeps, bool joint_stops, bool saturate_effort,
                                          double position_noise, double velocity_noise,
                                          double effort_noise, int delay_samples,
                                          std::uint64_t seed) {
  SimulatorOptions options;
  options.integrator = integrator_of(integrator);
  options.substeps = substeps;
  options.joint_stops = joint_stops;
  options.saturate_effort = saturate_effort;
  options.position_noise = position_noise;
  options.velocity_noise = velocity_noise;
  options.effort_noise = effort_noise;
  options.delay_samples = delay_samples;
  options.seed = seed;
  return std::make_unique<Simulator>(m.model, options);
}

void reset(Simulator& simulator, const py::object& q, const py::object& v) {
  const VectorXd q_ = vector_of(q, "Simulator.reset", "q");
  if (v.is_none()) {
    simulator.reset(q_);
  } else {
    simulator.reset(q_, vector_of(v, "Simulator.reset", "v"));
  }
}

void step(Simulator& simulator, double dt, const py::object& effort) {
  const VectorXd x = vector_of(effort, "Simulator.step", "effort");
  if (simulator.step(dt, x)) return;
  const Index nv = simulator.model().nv();
  throw std::invalid_argument(
      "Simulator.step(): nothing has changed, because " +
      (!(dt > 0.0)      ? std::string("dt is not positive.")
       : x.size() != nv ? "effort has " + std::to_string(x.size()) + " numbers, expected " +
                              std::to_string(nv) + "."
       : !x.allFinite() ? std::string("an effort is not finite.")
                        : std::string("the result is not finite; use a shorter dt.")));
}

template <typename Class>
void bind_state(Class& simulator) {
  simulator.def_property_readonly("time_s", &Simulator::time_s)
      .def_property_readonly(
          "q", [](const Simulator& s) { return array_of(s.q()); },
          "The true configuration, rad or m: (nq,). A copy.")
      .def_property_readonly(
          "v", [](const Simulator& s) { return array_of(s.v()); },
          "The true velocity, rad/s or m/s: (nv,). A copy.")
      .def_property_readonly(
          "effort", [](const Simulator& s) { return array_of(s.effort()); },
          "The motors' efforts of the last step(), N m or N: (nv,). A copy.")
      .def_property_readonly("effort_limit",
                             [](const Simulator& s) { return array_of(s.effort_limit()); })
      .def_property_readonly(
          "measured", [](const Simulator& s) { return s.measured(); },
          "The measured state, with noise and delay. A copy.")
      .def_property_readonly("energy", &Simulator::energy, "Kinetic and potential energy, J.")
      .def_property_readonly("paused", &Simulator::paused)
      .def("pause", &Simulator::pause)
      .def("resume", &Simulator::resume)
      .def("__repr__", [](const Simulator& s) {
        return "<Simulator of '" + s.model().name() + "' at " + std::to_string(s.time_s()) + " s>";
      });
}

}  // namespace

void bind_simulator(py::module_& module) {
  py::class_<Measurement>(module, "Measurement", py::module_local(), py::is_final(),
                          "Sensor values: time_s, q, v, a, effort.")
      .def_readonly("time_s", &Measurement::time_s)
      .def_property_readonly("q", [](const Measurement& m) { return array_of(m.q); })
      .def_property_readonly("v", [](const Measurement& m) { return array_of(m.v); })
      .def_property_readonly("a", [](const Measurement& m) { return array_of(m.a); })
      .def_property_readonly("effort", [](const Measurement& m) { return array_of(m.effort); });
  py::class_<Simulator> simulator(
      module, "Simulator", py::module_local(), py::is_final(),
      "Integrates the motion of a robot from the efforts of its motors. Starts at rest in the "
      "neutral\nconfiguration. Has a copy of the model.");
  simulator
      .def(py::init(&make_simulator), py::arg("model"), py::kw_only(),
           py::arg("integrator") = "semi_implicit", py::arg("substeps") = 4,
           py::arg("joint_stops") = true, py::arg("saturate_effort") = false,
           py::arg("position_noise") = 0.0, py::arg("velocity_noise") = 0.0,
           py::arg("effort_noise") = 0.0, py::arg("delay_samples") = 0, py::arg("seed") = 1)
      .def("reset", reset, py::arg("q"), py::arg("v") = py::none(),
           "Returns to time 0, at q (nq,) with the velocity v (nv,), by default at rest.")
      .def("step", step, py::arg("dt"), py::arg("effort"),
           "Advances by dt seconds under constant efforts (nv,), N m or N. Raises ValueError, and "
           "changes\nnothing, if a number is wrong or the result is not finite.")
      .def("prescribe_velocity", &Simulator::prescribe_velocity, py::arg("coordinate"),
           py::arg("velocity"),
           "Drives a coordinate (an index into v) at a velocity, rad/s or m/s; NaN: by its effort "
           "again.")
      .def(
          "set_wrench",
          [](Simulator& s, const py::object& link, const py::object& wrench) {
            const VectorXd x = vector_of(wrench, "Simulator.set_wrench", "wrench");
            if (x.size() != 6) {
              throw std::invalid_argument("Simulator.set_wrench(): wrench has " +
                                          std::to_string(x.size()) + " numbers, expected 6.");
            }
            s.set_wrench(link_of(s.model(), "Simulator.set_wrench", link), Force(Vector6(x)));
          },
          py::arg("link"), py::arg("wrench"),
          "Replaces the wrench on a link: moment, N m, then force, N, in the link's frame.")
      .def("clear_wrenches", &Simulator::clear_wrenches)
      .def(
          "set_gravity",
          [](Simulator& s, const py::object& gravity) {
            s.set_gravity(vector3_of(gravity, "gravity"));
          },
          py::arg("gravity"), "m/s^2, in the world's frame.")
      .def(
          "set_payload",
          [](Simulator& s, const py::object& link, double mass, const py::object& com,
             const py::object& inertia) {
            s.set_payload(link_of(s.model(), "Simulator.set_payload", link),
                          inertia_of(mass, com, inertia));
          },
          py::arg("link"), py::arg("mass"), py::arg("com") = py::make_tuple(0.0, 0.0, 0.0),
          py::arg("inertia") = py::none(), "As of Model.");
  bind_state(simulator);
}

}  // namespace spatial_dynamics::python
