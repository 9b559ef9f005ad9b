// Wrenches that act on a robot from outside.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// Wrenches that act on the robot, summed per body. Construct one per model and reuse it.
class ExternalForces {
 public:
  ExternalForces() = default;                  ///< none
  explicit ExternalForces(const Model& model)  ///< Allocates.
      : on_body_(to_size(model.body_count()), Force::Zero()) {}

  [[nodiscard]] bool empty() const noexcept { return on_body_.empty(); }
  [[nodiscard]] Index body_count() const noexcept { return static_cast<Index>(on_body_.size()); }
  /// Removes all wrenches. Real-time safe.
  void clear() noexcept {
    for (Force& f : on_body_) f = Force::Zero();
  }
  /// Adds a wrench ON the robot at the link's origin, in the link's frame. Real-time safe. Throws
  /// std::invalid_argument if the model has no such link, or not the bodies of the model at
  /// construction.
  void add(const Model& model, Index link, const Force& wrench) {
    model.require_link("ExternalForces::add", link);
    if (body_count() != model.body_count()) wrong_bodies(model);
    const Link& l = model.link(link);
    on_body_[to_size(l.body)] += l.placement.apply_transpose(wrench);
  }
  /// Replaces the sum on body i (0 … body_count() - 1), in the body's frame at its origin.
  /// Real-time safe.
  void set_on_body(Index i, const Force& wrench) noexcept { on_body_[to_size(i)] = wrench; }
  /// The sum on body i, in the body's frame at its origin.
  [[nodiscard]] const Force& on_body(Index i) const noexcept { return on_body_[to_size(i)]; }

 private:
  [[noreturn, gnu::cold]] void wrong_bodies(const Model& model) const {
    throw std::invalid_argument("ExternalForces::add() on model '" + model.name() +
                                "': it was constructed for " + std::to_string(body_count()) +
                                " bodies, but the model has " + std::to_string(model.body_count()) +
                                ". Construct ExternalForces from this model.");
  }

  std::vector<Force> on_body_;
};

inline const ExternalForces kNoExternalForces{};

}  // namespace spatial_dynamics
