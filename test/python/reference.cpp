// reference ROBOT.urdf fixed|floating N: results of every function of the library, for comparison
// with the Python module.
//
// Reads N states from standard input: all q, then all v, then all accelerations or torques, then
// all wrenches on the bodies, as doubles. Writes for each function a line "name numbers" and the
// results: `numbers` doubles for each state, computed one by one, then the same as a batch.
//
// reference ROBOT.urdf time N: reads q, v and a, and writes the least time that a thread needs for
// a batch of inverse dynamics, in seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "spatial_dynamics/spatial_dynamics.hpp"

using namespace spatial_dynamics;

namespace {

MatrixXd read_columns(Index rows, Index columns) {
  MatrixXd x(rows, columns);
  const auto count = static_cast<std::size_t>(x.size());
  if (std::fread(x.data(), sizeof(double), count, stdin) != count) std::abort();
  return x;
}

// A result of one state as a column.
VectorXd column(const MatrixXd& x) { return x.reshaped(); }
VectorXd column(double x) { return VectorXd::Constant(1, x); }
VectorXd column(const Motion& x) { return x.vector(); }
VectorXd column(const Force& x) { return x.vector(); }
VectorXd column(const Transform& pose) {
  VectorXd x(7);
  x << pose.position(), Quaternion(pose.rotation()).coeffs();
  return x;
}
VectorXd column(const std::vector<Force>& wrenches) {
  VectorXd x(6 * static_cast<Index>(wrenches.size()));
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    x.segment<6>(6 * static_cast<Index>(i)) = wrenches[i].vector();
  }
  return x;
}

/// The arguments for one state or for a batch: a function is called with the same text for both.
template <typename DataType, typename Numbers, typename Wrenches>
struct Call {
  const Model& model;
  DataType& data;
  Numbers q, v, x;
  Wrenches external;
};

class Reference {
 public:
  Reference(const Model& model, Index states)
      : model_(model),
        states_(states),
        q_(read_columns(model.nq(), states)),
        v_(read_columns(model.nv(), states)),
        x_(read_columns(model.nv(), states)),
        f_(read_columns(6 * model.body_count(), states)),
        one_(model, Dense::kAll),
        many_(model, states, Dense::kAll) {}

  template <typename Function>
  void write(const char* name, const Function& function) {
    ExternalForces external(model_);
    MatrixXd results;
    for (Index i = 0; i < states_; ++i) {
      for (Index b = 0; b < model_.body_count(); ++b) {
        external.set_on_body(b, Force(Vector6(f_.col(i).segment<6>(6 * b))));
      }
      const VectorXd q = q_.col(i), v = v_.col(i), x = x_.col(i);
      const VectorXd result = column(function(
          Call<Data, const VectorXd&, const ExternalForces&>{model_, one_, q, v, x, external}));
      if (i == 0) results.resize(result.size(), states_);
      results.col(i) = result;
    }
    const MatrixXd batch =
        function(Call<BatchData, const MatrixXd&, const MatrixXd&>{model_, many_, q_, v_, x_, f_});
    std::printf("%s %ld\n", name, static_cast<long>(results.rows()));
    write(results);
    write(batch);
  }

 private:
  static void write(const MatrixXd& x) {
    std::fwrite(x.data(), sizeof(double), static_cast<std::size_t>(x.size()), stdout);
  }

  const Model& model_;
  Index states_;
  MatrixXd q_, v_, x_, f_;
  Data one_;
  BatchData many_;
};

void write_dynamics(Reference& r) {
  r.write("inverse_dynamics", [](const auto& c) {
    return inverse_dynamics(c.model, c.data, c.q, c.v, c.x, c.external);
  });
  r.write("rigid_body_torque", [](const auto& c) {
    return rigid_body_torque(c.model, c.data, c.q, c.v, c.x, c.external);
  });
  r.write("friction_torque", [](const auto& c) { return friction_torque(c.model, c.data, c.v); });
  r.write("friction_torque 2",
          [](const auto& c) { return friction_torque(c.model, c.data, c.v, c.x); });
  r.write("rotor_torque", [](const auto& c) { return rotor_torque(c.model, c.data, c.x); });
  r.write("bias_torque",
          [](const auto& c) { return bias_torque(c.model, c.data, c.q, c.v, c.external); });
  r.write("gravity_torque",
          [](const auto& c) { return gravity_torque(c.model, c.data, c.q, c.external); });
  r.write("joint_wrenches",
          [](const auto& c) { return joint_wrenches(c.model, c.data, c.q, c.v, c.x, c.external); });
  r.write("forward_dynamics", [](const auto& c) {
    return forward_dynamics(c.model, c.data, c.q, c.v, c.x, c.external);
  });
  r.write("mass_matrix", [](const auto& c) { return mass_matrix(c.model, c.data, c.q); });
  r.write("mass_matrix_inverse",
          [](const auto& c) { return mass_matrix_inverse(c.model, c.data, c.q); });
  r.write("coriolis_matrix",
          [](const auto& c) { return coriolis_matrix(c.model, c.data, c.q, c.v); });
  r.write("regressor", [](const auto& c) { return regressor(c.model, c.data, c.q, c.v, c.x); });
}

void write_derivatives(Reference& r) {
  const auto inverse = [](const auto& c) -> decltype(auto) {
    return inverse_dynamics_derivatives(c.model, c.data, c.q, c.v, c.x, c.external);
  };
  r.write("inverse_dynamics_derivatives 0", [=](const auto& c) { return inverse(c).dtau_dq; });
  r.write("inverse_dynamics_derivatives 1", [=](const auto& c) { return inverse(c).dtau_dv; });
  r.write("inverse_dynamics_derivatives 2", [=](const auto& c) { return inverse(c).dtau_da; });
  const auto forward = [](const auto& c) -> decltype(auto) {
    return forward_dynamics_derivatives(c.model, c.data, c.q, c.v, c.x, c.external);
  };
  r.write("forward_dynamics_derivatives 0", [=](const auto& c) { return forward(c).da_dq; });
  r.write("forward_dynamics_derivatives 1", [=](const auto& c) { return forward(c).da_dv; });
  r.write("forward_dynamics_derivatives 2", [=](const auto& c) { return forward(c).da_dtau; });
  r.write("forward_dynamics_derivatives 3", [=](const auto& c) { return forward(c).a; });
}

void write_kinematics(Reference& r, Index link) {
  r.write("link_pose", [=](const auto& c) { return link_pose(c.model, c.data, c.q, link); });
  for (const Frame frame : {Frame::kLocal, Frame::kWorld, Frame::kLocalWorldAligned}) {
    const auto with_frame = [frame](const char* name) {
      return std::string(name) + " " + std::to_string(static_cast<int>(frame));
    };
    r.write(with_frame("link_velocity").c_str(),
            [=](const auto& c) { return link_velocity(c.model, c.data, c.q, c.v, link, frame); });
    r.write(with_frame("link_acceleration").c_str(), [=](const auto& c) {
      return link_acceleration(c.model, c.data, c.q, c.v, c.x, link, frame);
    });
    r.write(with_frame("jacobian").c_str(),
            [=](const auto& c) { return jacobian(c.model, c.data, c.q, link, frame); });
    r.write(with_frame("jacobian_rate").c_str(),
            [=](const auto& c) { return jacobian_rate(c.model, c.data, c.q, c.v, link, frame); });
  }
  r.write("link_classical_acceleration", [=](const auto& c) {
    return link_classical_acceleration(c.model, c.data, c.q, c.v, c.x, link);
  });
  r.write("kinetic_energy",
          [](const auto& c) { return kinetic_energy(c.model, c.data, c.q, c.v); });
  r.write("potential_energy", [](const auto& c) { return potential_energy(c.model, c.data, c.q); });
  r.write("center_of_mass", [](const auto& c) { return center_of_mass(c.model, c.data, c.q); });
  r.write("centroidal_momentum",
          [](const auto& c) { return centroidal_momentum(c.model, c.data, c.q, c.v); });
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void print_time(const Model& model, Index states) {
  const MatrixXd q = read_columns(model.nq(), states), v = read_columns(model.nv(), states),
                 a = read_columns(model.nv(), states);
  BatchData data(model, states);
  double least = 1e9;
  for (int round = 0; round < 10; ++round) {
    const double start = thread_seconds();
    inverse_dynamics(model, data, q, v, a);
    least = std::min(least, thread_seconds() - start);
  }
  std::cout << least << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) return 2;
  LoadOptions options;
  options.floating_base = std::string(argv[2]) == "floating";
  const Model model = load_urdf_file(argv[1], options);
  if (std::string(argv[2]) == "time") {
    print_time(model, std::atol(argv[3]));
    return 0;
  }
  Reference reference(model, std::atol(argv[3]));
  write_dynamics(reference);
  write_derivatives(reference);
  write_kinematics(reference, last_moving_link(model));
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
