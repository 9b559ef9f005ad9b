#include "functions.hpp"

#include <memory>
#include <string>
#include <utility>

#include "call.hpp"
#include "spatial_dynamics/dynamics/energy.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/kinematics.hpp"
#include "spatial_dynamics/dynamics/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"
#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics::python {
namespace {

constexpr auto kVelocities = ResultKind::kVelocities;
constexpr auto kMatrix = ResultKind::kMatrix;

/// A row whose `call` is a generic lambda: for one state it calls the library's function, for a
/// batch the function's overload for batches.
template <typename Call>
constexpr Function row(const char* name, std::array<const char*, kMostStates> states,
                       std::size_t required, Extra extras, Dense dense,
                       std::array<ResultKind, kMostResults> results, Call call, const char* what,
                       const char* returns, const char* tuple = nullptr,
                       const char* fields = nullptr) {
  return {name, states, required, extras, dense, results, call, call, what, returns, tuple, fields};
}

/// Calls a function of one state, which writes `rows` numbers, for one state ...
template <typename Compute>
Results each(const OneState& c, Index rows, const Compute& compute) {
  VectorXd& out = c.object.scratch;
  out.resize(rows);
  compute([&c](std::size_t k) { return c.x(k); }, Eigen::Ref<VectorXd>(out));
  return out;
}
/// ... or for each state of a batch.
template <typename Compute>
Results each(const ManyStates& c, Index rows, const Compute& compute) {
  MatrixXd& out = c.worker.scratch;
  out.resize(rows, c.count);
  for (Index i = 0; i < c.count; ++i) {
    compute([&c, i](std::size_t k) { return c.x(k).col(i); }, Eigen::Ref<VectorXd>(out.col(i)));
  }
  return out;
}

// One row per function.
constexpr std::array<Function, 26> kFunctions{{
    row(
        "inverse_dynamics", {"q", "v", "a"}, 3, Extra::kExternal, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results {
          return inverse_dynamics(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "Inverse dynamics: tau = M(q) a + C(q, v) v + g(q) + friction(v) - J' f.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "rigid_body_torque", {"q", "v", "a"}, 3, Extra::kExternal, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results {
          return rigid_body_torque(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "The torque of the rigid bodies: M a + C v + g - J' f, without rotors and friction.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "friction_torque", {"v", "coulomb_velocity"}, 1, Extra::kNone, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results { return friction_torque(c.model, c.data, c.x(0), c.x(1)); },
        "damping * v + friction * tanh(v / friction_speed) of every joint.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "rotor_torque", {"a"}, 1, Extra::kNone, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results { return rotor_torque(c.model, c.data, c.x(0)); },
        "armature * a of every joint: the torque that accelerates the rotors of the drives.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "bias_torque", {"q", "v"}, 2, Extra::kExternal, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results {
          return bias_torque(c.model, c.data, c.x(0), c.x(1), c.external);
        },
        "C(q, v) v + g(q) - J' f: the torque at zero acceleration, without friction.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "gravity_torque", {"q"}, 1, Extra::kExternal, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results {
          return gravity_torque(c.model, c.data, c.x(0), c.external);
        },
        "g(q) - J' f: the torque that holds the robot at rest.",
        "the torque, N m or N: (nv,) or (N, nv)"),
    row(
        "joint_wrenches", {"q", "v", "a"}, 3, Extra::kExternal, Dense::kJointWrenches,
        {ResultKind::kWrenches},
        [](const auto& c) -> Results {
          return joint_wrenches(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "The wrench that the parent exerts on each body through its joint, with the drive's "
        "torque,\n"
        "in the body's frame at its origin. Body 0: the wrench that holds the base.",
        "moments, N m, then forces, N: (bodies, 6) or (N, bodies, 6)"),
    row(
        "forward_dynamics", {"q", "v", "tau"}, 3, Extra::kExternal | Extra::kSingular, Dense::kNone,
        {kVelocities},
        [](const auto& c) -> Results {
          return forward_dynamics(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "Forward dynamics: the acceleration with inverse_dynamics(q, v, a) = tau.\n"
        "Zero, with a RuntimeWarning, where it is not unique.",
        "the acceleration, rad/s^2 or m/s^2: (nv,) or (N, nv)"),
    row(
        "mass_matrix", {"q"}, 1, Extra::kNone, Dense::kMassMatrix, {kMatrix},
        [](const auto& c) -> Results { return mass_matrix(c.model, c.data, c.x(0)); },
        "The joint-space inertia matrix M(q), including rotors.",
        "M, kg m^2 or kg: (nv, nv) or (N, nv, nv)"),
    row(
        "mass_matrix_inverse", {"q"}, 1, Extra::kSingular, Dense::kMassMatrixInverse, {kMatrix},
        [](const auto& c) -> Results { return mass_matrix_inverse(c.model, c.data, c.x(0)); },
        "The inverse of M(q). Zero, with a RuntimeWarning, where M is singular.",
        "the inverse: (nv, nv) or (N, nv, nv)"),
    row(
        "coriolis_matrix", {"q", "v"}, 2, Extra::kNone, Dense::kCoriolisMatrix, {kMatrix},
        [](const auto& c) -> Results { return coriolis_matrix(c.model, c.data, c.x(0), c.x(1)); },
        "C(q, v) with C v = bias_torque - gravity_torque and dM/dt - 2 C skew-symmetric.",
        "C: (nv, nv) or (N, nv, nv)"),
    row(
        "inverse_dynamics_derivatives", {"q", "v", "a"}, 3, Extra::kExternal,
        Dense::kInverseDynamicsDerivatives, {kMatrix, kMatrix, kMatrix},
        [](const auto& c) -> Results {
          return inverse_dynamics_derivatives(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "Derivatives of inverse_dynamics(). Column k of dtau_dq is the rate of change while q "
        "moves\n"
        "with v = e_k.",
        "the tuple (dtau_dq, dtau_dv, dtau_da): (nv, nv) or (N, nv, nv) each",
        "spatial_dynamics.InverseDynamicsDerivatives", "dtau_dq dtau_dv dtau_da"),
    row(
        "forward_dynamics_derivatives", {"q", "v", "tau"}, 3, Extra::kExternal | Extra::kSingular,
        Dense::kForwardDynamicsDerivatives, {kMatrix, kMatrix, kMatrix, kVelocities},
        [](const auto& c) -> Results {
          return forward_dynamics_derivatives(c.model, c.data, c.x(0), c.x(1), c.x(2), c.external);
        },
        "Derivatives of forward_dynamics(), and the acceleration.\n"
        "Zero, with a RuntimeWarning, where the acceleration is not unique.",
        "the tuple (da_dq, da_dv, da_dtau, a): (nv, nv) or (N, nv, nv), and (nv,) or (N, nv)",
        "spatial_dynamics.ForwardDynamicsDerivatives", "da_dq da_dv da_dtau a"),
    row(
        "regressor", {"q", "v", "a"}, 3, Extra::kNone, Dense::kRegressor, {ResultKind::kRegressor},
        [](const auto& c) -> Results { return regressor(c.model, c.data, c.x(0), c.x(1), c.x(2)); },
        "Y with Y p = rigid_body_torque(q, v, a) for any parameters p; see link_parameters().",
        "Y: (nv, 10 links) or (N, nv, 10 links)"),
    row(
        "link_pose", {"q"}, 1, Extra::kLink, Dense::kNone, {ResultKind::kPose},
        [](const auto& c) -> Results { return link_pose(c.model, c.data, c.x(0), c.options.link); },
        "The link's pose in the world: position, m, then the quaternion x, y, z, w.",
        "(7,) or (N, 7)"),
    row(
        "link_velocity", {"q", "v"}, 2, Extra::kLink | Extra::kFrame, Dense::kNone,
        {ResultKind::kMotion},
        [](const auto& c) -> Results {
          return link_velocity(c.model, c.data, c.x(0), c.x(1), c.options.link, c.options.frame);
        },
        "The velocity of a link, rad/s and m/s.", "angular, then linear: (6,) or (N, 6)"),
    row(
        "link_acceleration", {"q", "v", "a"}, 3, Extra::kLink | Extra::kFrame, Dense::kNone,
        {ResultKind::kMotion},
        [](const auto& c) -> Results {
          return link_acceleration(c.model, c.data, c.x(0), c.x(1), c.x(2), c.options.link,
                                   c.options.frame);
        },
        "The spatial acceleration of a link, rad/s^2 and m/s^2, without gravity.",
        "angular, then linear: (6,) or (N, 6)"),
    row(
        "link_classical_acceleration", {"q", "v", "a"}, 3, Extra::kLink, Dense::kNone,
        {ResultKind::kMotion},
        [](const auto& c) -> Results {
          return link_classical_acceleration(c.model, c.data, c.x(0), c.x(1), c.x(2),
                                             c.options.link);
        },
        "The angular acceleration of a link and the classical acceleration of its origin, along "
        "the\n"
        "world's axes. An accelerometer measures the linear part minus gravity.",
        "angular, then linear: (6,) or (N, 6)"),
    row(
        "jacobian", {"q"}, 1, Extra::kLink | Extra::kFrame, Dense::kJacobian,
        {ResultKind::kJacobian},
        [](const auto& c) -> Results {
          return jacobian(c.model, c.data, c.x(0), c.options.link, c.options.frame);
        },
        "J with link_velocity = J v; rows: angular, then linear.", "J: (6, nv) or (N, 6, nv)"),
    row(
        "jacobian_rate", {"q", "v"}, 2, Extra::kLink | Extra::kFrame, Dense::kJacobian,
        {ResultKind::kJacobian},
        [](const auto& c) -> Results {
          return jacobian_rate(c.model, c.data, c.x(0), c.x(1), c.options.link, c.options.frame);
        },
        "The time derivative of J while q moves with v: d/dt link_velocity = J a + dJ/dt v.",
        "dJ/dt: (6, nv) or (N, 6, nv)"),
    row(
        "kinetic_energy", {"q", "v"}, 2, Extra::kNone, Dense::kNone, {ResultKind::kNumber},
        [](const auto& c) -> Results { return kinetic_energy(c.model, c.data, c.x(0), c.x(1)); },
        "The kinetic energy 1/2 v' M v, including rotors.", "J: a float or (N,)"),
    row(
        "potential_energy", {"q"}, 1, Extra::kNone, Dense::kNone, {ResultKind::kNumber},
        [](const auto& c) -> Results { return potential_energy(c.model, c.data, c.x(0)); },
        "The potential energy of all bodies; zero at the world's origin.", "J: a float or (N,)"),
    row(
        "center_of_mass", {"q"}, 1, Extra::kNone, Dense::kNone, {ResultKind::kPoint},
        [](const auto& c) -> Results { return center_of_mass(c.model, c.data, c.x(0)); },
        "The centre of mass of all links, in the world.", "m: (3,) or (N, 3)"),
    row(
        "centroidal_momentum", {"q", "v"}, 2, Extra::kNone, Dense::kNone, {ResultKind::kMotion},
        [](const auto& c) -> Results {
          return centroidal_momentum(c.model, c.data, c.x(0), c.x(1));
        },
        "The momentum of all bodies about their centre of mass, along the world's axes.",
        "angular, kg m^2/s, then linear, kg m/s: (6,) or (N, 6)"),
    row(
        "integrate", {"q", "v"}, 2, Extra::kDt, Dense::kNone, {ResultKind::kPositions},
        [](const auto& c) -> Results {
          return each(c, c.model.nq(),
                      [&](auto x, auto out) { integrate(c.model, x(0), x(1), c.options.dt, out); });
        },
        "The configuration after moving from q with the constant velocity v for dt seconds.\n"
        "Quaternions stay unit, planar joints follow their arc.",
        "the configuration: (nq,) or (N, nq)"),
    row(
        "difference", {"q0", "q1"}, 2, Extra::kNone, Dense::kNone, {kVelocities},
        [](const auto& c) -> Results {
          return each(c, c.model.nv(),
                      [&](auto x, auto out) { difference(c.model, x(0), x(1), out); });
        },
        "The velocity v that moves q0 to q1 in one second: integrate(q0, v, 1) = q1.",
        "the velocity: (nv,) or (N, nv)"),
}};

std::array<std::unique_ptr<Signature>, kFunctions.size()> signatures;

template <std::size_t kIndex>
PyObject* entry(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count,
                PyObject* keywords) {
  return call_function(*signatures[kIndex], arguments, count, keywords);
}

/// What Python knows of a function; lives as long as the process.
struct Definition {
  std::string document;
  PyMethodDef method;
};
std::array<Definition, kFunctions.size()> definitions;

template <std::size_t kIndex>
void add_function(py::module_& module, const py::str& module_name) {
  const Function& function = kFunctions[kIndex];
  signatures[kIndex] = std::make_unique<Signature>(function, module);
  Definition& definition = definitions[kIndex];
  definition.document = signatures[kIndex]->document();
  definition.method = {function.name,
                       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry<kIndex>)),
                       METH_FASTCALL | METH_KEYWORDS, definition.document.c_str()};
  module.add_object(function.name,
                    PyCFunction_NewEx(&definition.method, module.ptr(), module_name.ptr()));
}

template <std::size_t... kIndices>
void add_all(py::module_& module, std::index_sequence<kIndices...> /*unused*/) {
  const py::str module_name("spatial_dynamics");
  (add_function<kIndices>(module, module_name), ...);
}

}  // namespace

void add_functions(py::module_& module) {
  add_all(module, std::make_index_sequence<kFunctions.size()>());
}

}  // namespace spatial_dynamics::python
