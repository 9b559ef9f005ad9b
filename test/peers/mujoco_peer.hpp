// The robot as a model of MuJoCo, built from the same lists as the Model.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>

#include "peers/coordinates.hpp"
#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::peers {

/// Vectors and matrices are "full" (see Coordinates), in this library's conventions. In MuJoCo,
///  - a link is a body, also behind a fixed joint; a root without mass is MuJoCo's world;
///  - a floating base is a free joint; another floating joint is three slides and a ball; a planar
///    joint is two slides and a hinge;
///  - the velocities of these joints, w = T v, are linear first and along the joint's axes.
/// The tree is given to MuJoCo as MJCF. The numbers are then written into the compiled model, in
/// full precision and without the compiler's checks and repairs of inertias.
class MujocoPeer {
 public:
  MujocoPeer(const Robot& robot, const Vector3& gravity);

  /// Sets the state for all functions below.
  void set_state(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  [[nodiscard]] Transform pose(std::size_t link) const;
  /// The following are along the world's axes, at the link's origin.
  [[nodiscard]] MatrixXd jacobian(std::size_t link) const;
  [[nodiscard]] Motion velocity(std::size_t link) const;
  [[nodiscard]] Motion classical_acceleration(std::size_t link) const;

  /// Damping and armature included.
  [[nodiscard]] VectorXd inverse_dynamics(const std::vector<LinkWrench>& wrenches = {});
  [[nodiscard]] VectorXd bias() const;
  [[nodiscard]] MatrixXd mass_matrix() const;
  [[nodiscard]] VectorXd forward_dynamics(const VectorXd& tau,
                                          const std::vector<LinkWrench>& wrenches = {});
  /// The wrench that a link's parent exerts on it, in the link's frame at its origin. The link must
  /// not be the root.
  [[nodiscard]] Force reaction(std::size_t link, const std::vector<LinkWrench>& wrenches = {});

  [[nodiscard]] double kinetic_energy();
  [[nodiscard]] double potential_energy();
  [[nodiscard]] Vector3 center_of_mass() const;
  [[nodiscard]] Force centroidal_momentum();

 private:
  struct DeleteModel {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
  };
  struct DeleteData {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };

  void write_numbers();
  void write_joint(const JointDescription& joint, int body);
  void set_wrenches(const std::vector<LinkWrench>& wrenches);
  [[nodiscard]] int body(std::size_t link) const { return bodies_[link]; }

  Robot robot_;
  std::vector<Slot> slots_;
  std::vector<int> bodies_;  // per link, MuJoCo's body
  std::unique_ptr<mjModel, DeleteModel> m_;
  std::unique_ptr<mjData, DeleteData> d_;
  VectorXd qacc_;
  MatrixXd T_;        // MuJoCo's velocity = T v
  VectorXd T_dot_v_;  // so that MuJoCo's acceleration = T a + T' v
};

}  // namespace spatial_dynamics::peers
