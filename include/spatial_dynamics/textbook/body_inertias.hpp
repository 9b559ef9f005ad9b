// Inertias at a joint: with all joints beyond it locked (composite), or free to move (articulated).
#pragma once

#include "spatial_dynamics/textbook/data.hpp"

namespace spatial_dynamics::textbook {

/// Composite inertias: body i and all bodies beyond it as one rigid body, in body i's frame; [0] is
/// the whole robot, at the base. They solve Lyapunov's equation Ic_i = I_i + sum of X' Ic_child X.
/// [SOA track 5] In data.Ic. O(n). Real-time safe.
const std::vector<Inertia>& composite_inertias(const Model& model, Data& data, VectorIn q) noexcept;

/// Articulated inertias: body i and all bodies beyond it with free joints, in body i's frame; [0]
/// is the whole robot, at the base. They solve Riccati's equation IA_i = I_i + sum of X' (IA - U
/// D^-1 U') X over the children, U = IA S, D = S' U + armature. [SOA track 6] In data.IA, with
/// data.U and data.D_inverse. O(n). Real-time safe. Returns false if a joint moves no inertia, so
/// that its D has no inverse, or if the model has mimic joints, which are not free.
[[nodiscard]] bool articulated_inertias(const Model& model, Data& data, VectorIn q) noexcept;

}  // namespace spatial_dynamics::textbook
