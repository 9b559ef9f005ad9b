// The robot: a fixed tree of bodies and joints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spatial_dynamics/model/joint.hpp"
#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

/// Standard gravity, z up, m/s^2.
inline const Vector3 kStandardGravity{0.0, 0.0, -9.80665};
/// Speed (rad/s or m/s) below which Coulomb friction decreases: friction * tanh(v / speed).
inline constexpr double kDefaultFrictionSpeed = 1e-3;

/// A link of the description. Links without a moving joint between them share one body.
struct Link {
  std::string name;
  Index body = 0;                               ///< the body it belongs to; 0 is the base
  Transform placement = Transform::Identity();  ///< from the body's frame to the link's
  Inertia inertia = Inertia::Zero();            ///< in the link's frame, without payload
};

/// The frame in which a link's motion is expressed, and the point it belongs to.
enum class Frame {
  kLocal,              ///< the link's axes, at the link's origin
  kWorld,              ///< the world's axes, at the world's origin
  kLocalWorldAligned,  ///< the world's axes, at the link's origin
};

/// A tree of bodies. Body 0 is the base; joint i connects body i > 0 to its parent, and the body's
/// frame is that of the joint's child link. A parent's index is less than its children's. Built by
/// ModelBuilder or load_urdf.
///
/// The tree is fixed. Gravity, friction speed and payloads may change between calls, by the thread
/// that computes: the setters are real-time safe. A change during a call of another thread is a
/// data race.
class Model {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] Index nq() const noexcept { return nq_; }  ///< numbers in a configuration q
  [[nodiscard]] Index nv() const noexcept { return nv_; }  ///< numbers in v, a and tau

  /// Bodies with the base: valid indices are 0 … body_count() - 1, joints 1 … body_count() - 1.
  [[nodiscard]] Index body_count() const noexcept { return static_cast<Index>(inertias_.size()); }
  [[nodiscard]] const Joint& joint(Index i) const noexcept { return joints_[to_size(i)]; }
  [[nodiscard]] Index parent(Index i) const noexcept { return joints_[to_size(i)].parent; }
  /// The inertia of body i in the body's frame, including all links merged into it and its
  /// payloads.
  [[nodiscard]] const Inertia& inertia(Index i) const noexcept { return inertias_[to_size(i)]; }

  /// Links are in depth-first order; link 0 is the root.
  [[nodiscard]] Index link_count() const noexcept { return static_cast<Index>(links_.size()); }
  [[nodiscard]] const Link& link(Index l) const noexcept { return links_[to_size(l)]; }
  /// kNoIndex if no link has this name. May allocate (a long name): look up once, outside of loops.
  [[nodiscard]] Index find_link(std::string_view name) const;
  /// Throws a std::invalid_argument that names `function` if the model has no link of this index.
  void require_link(const char* function, Index link) const {
    if (link < 0 || link >= link_count()) no_such_link(function, link);
  }
  /// Index of a moving joint, including mimic joints; kNoIndex if no joint has this name. May
  /// allocate, as above.
  [[nodiscard]] Index find_joint(std::string_view name) const;

  /// Names of the joints that are coordinates (no mimic joints), in the order of their numbers in q
  /// and v.
  [[nodiscard]] const std::vector<std::string>& joint_names() const noexcept { return names_; }
  /// Indices of the same joints.
  [[nodiscard]] const std::vector<Index>& coordinate_joints() const noexcept {
    return coordinate_joints_;
  }

  [[nodiscard]] bool has_mimic() const noexcept { return has_mimic_; }
  [[nodiscard]] double total_mass() const noexcept;

  /// The reason why forces do not determine accelerations (for example a massless moving link at
  /// the end of a chain); empty if the tree shows no reason. Describes the model as built: later
  /// payloads do not change it, but forward_dynamics() includes them.
  [[nodiscard]] const std::string& why_forward_dynamics_fails() const noexcept {
    return why_forward_dynamics_fails_;
  }

  /// Gravity in the world's frame (a fixed root link's), m/s^2.
  [[nodiscard]] const Vector3& gravity() const noexcept { return gravity_; }
  void set_gravity(const Vector3& gravity) noexcept;

  [[nodiscard]] double friction_speed() const noexcept { return friction_speed_; }
  void set_friction_speed(double speed) noexcept;

  /// The payload of a link, in the link's frame; Inertia::Zero() if it has none.
  [[nodiscard]] const Inertia& payload(Index link) const noexcept {
    return payloads_[to_size(link)];
  }
  /// Replaces the payload of a link (inertia in the link's frame). Inertia::Zero() removes it. On a
  /// link that is fixed to the world (link(i).body is 0) a payload counts in total_mass(), but
  /// changes no torque and no acceleration; last_moving_link() returns a link that moves. Throws
  /// std::invalid_argument if the model has no such link.
  void set_payload(Index link, const Inertia& payload);

  /// Identifies the tree: unique in this process for every model that is built, and the same for
  /// its copies. 0 after the model was moved from.
  [[nodiscard]] std::uint64_t structure() const noexcept { return structure_.value; }
  /// Identifies the tree with its present gravity, friction speed and payloads: a setter that
  /// changes one of them replaces the stamp by a number that this process has not used before.
  /// Copies share the stamp until one of them changes.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_.value; }

 private:
  friend class ModelBuilder;
  [[noreturn, gnu::cold]] void no_such_link(const char* function, Index link) const;

  /// A number that moves with the model: a moved-from model has 0, which no Data accepts.
  struct Stamp {
    Stamp() noexcept;  // a number that this process has not used before
    Stamp(const Stamp&) = default;
    Stamp& operator=(const Stamp&) = default;
    Stamp(Stamp&& other) noexcept : value(std::exchange(other.value, 0)) {}
    Stamp& operator=(Stamp&& other) noexcept {
      value = std::exchange(other.value, 0);
      return *this;
    }
    std::uint64_t value;
  };

  std::string name_;
  Index nq_ = 0;
  Index nv_ = 0;
  std::vector<Joint> joints_;          // [0] is a placeholder for the base
  std::vector<Inertia> own_inertias_;  // per body, without payloads
  std::vector<Inertia> inertias_;      // per body, with payloads
  std::vector<Link> links_;
  std::vector<Inertia> payloads_;  // per link, in the link's frame
  std::vector<std::vector<Index>> links_of_body_;
  std::unordered_map<std::string, Index> link_index_;
  std::unordered_map<std::string, Index> joint_index_;
  std::vector<std::string> names_;
  std::vector<Index> coordinate_joints_;
  bool has_mimic_ = false;
  std::string why_forward_dynamics_fails_;
  Vector3 gravity_ = kStandardGravity;
  double friction_speed_ = kDefaultFrictionSpeed;
  Stamp structure_;
  Stamp stamp_ = structure_;
};

/// The link with the most joints between it and the base, where a gripper, payload or contact force
/// most likely is; the last one if several have the same number. (For a UR5 this is tool0; its last
/// link, base, is fixed to the world.) The last link if no joint moves. Allocates.
[[nodiscard]] Index last_moving_link(const Model& model);

}  // namespace spatial_dynamics
