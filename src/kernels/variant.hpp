// All kernels, compiled for the instruction set of the including file.
#pragma once

#include "core/articulated.hpp"
#include "core/common_frame.hpp"
#include "core/derivatives.hpp"
#include "core/mass_rows.hpp"
#include "core/newton_euler_lanes.hpp"
#include "core/poses.hpp"
#include "core/product.hpp"
#include "core/resistance.hpp"
#include "core/unpack.hpp"
#include "kernel_table.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The scratch space with all its types.
template <typename T>
struct Room : Scratch<T> {
  explicit Room(const KernelScratch& s) noexcept
      : Scratch<T>(s),
        kept(reinterpret_cast<Motion3<T>*>(s.motion)),
        wrench(reinterpret_cast<Wrench<T>*>(s.wrench)),
        pose(reinterpret_cast<LinkPose<T>*>(s.pose) + 1),
        composite(reinterpret_cast<Composite<T>*>(s.composite)),
        column(reinterpret_cast<Wrench<T>*>(s.column)),
        articulated(reinterpret_cast<Articulated<T>*>(s.articulated)),
        gain(reinterpret_cast<Gain<T>*>(s.gain)),
        packed(reinterpret_cast<T*>(s.packed)),
        pivot(reinterpret_cast<T*>(s.pivot)),
        torque(reinterpret_cast<T*>(s.torque)) {}

  Motion3<T>* kept;
  Wrench<T>* wrench;
  LinkPose<T>* pose;  ///< [-1] is the base
  Composite<T>* composite;
  Wrench<T>* column;
  Articulated<T>* articulated;
  Gain<T>* gain;
  T *packed, *pivot, *torque;
};

template <typename T>
const T* as(const double* numbers) noexcept {
  return reinterpret_cast<const T*>(numbers);
}

template <typename T>
void take_off_external(const CompactLayout& m, Room<T>& s, const T* external) noexcept {
  for (int j = 0; j < m.joints; ++j) {
    const T* f = external + 6 * j;
    s.wrench[j].force -= Vec3<T>{f[0], f[1], f[2]};
    s.wrench[j].moment -= Vec3<T>{f[3], f[4], f[5]};
  }
}

/// The motion of every link and the wrench that causes it. In a chain, where the next link reuses
/// most of the terms of the wrench, one link after the other is faster.
template <Rates kRates, typename T>
void set_wrenches(const CompactLayout& m, Room<T>& s, const KernelState& state) noexcept {
  bool done = false;
  if constexpr (sizeof(T) == sizeof(double)) {
    done = m.path_length != m.joints;
    if (done) {
      forward_pass_lanes<kRates>(m, s, state.v, state.x, reinterpret_cast<MotionBlock*>(s.kept),
                                 s.wrench);
    }
  }
  if (!done) {
    forward_pass<T, kRates>(m, s, base_acceleration<T>(m), s.kept, s.wrench, as<T>(state.v),
                            as<T>(state.x));
  }
  if (state.external) take_off_external(m, s, as<T>(state.external));
}

template <typename T>
void rigid_body_torque(const CompactLayout& m, const KernelScratch& scratch,
                       const KernelState& state, double* result) noexcept {
  Room<T> s(scratch);
  set_positions(m, s, as<T>(state.q));
  set_wrenches<Rates::kAll>(m, s, state);
  backward_pass(m, s, s.wrench, reinterpret_cast<T*>(result));
}

template <typename T>
void inverse_dynamics(const CompactLayout& m, const KernelScratch& scratch,
                      const KernelState& state, double* result) noexcept {
  rigid_body_torque<T>(m, scratch, state, result);
  T* tau = reinterpret_cast<T*>(result);
  add_rotors(m, as<T>(state.x), tau);
  add_friction(m, 1.0, as<T>(state.v), tau);
}

/// Velocity terms and gravity minus external wrenches, no friction. The wrenches stay in the
/// scratch space for the next step.
template <typename T>
void set_bias_wrenches(const CompactLayout& m, Room<T>& s, const KernelState& state) noexcept {
  set_positions(m, s, as<T>(state.q));
  set_wrenches<Rates::kVelocities>(m, s, state);
}

template <typename T>
void bias_torque(const CompactLayout& m, const KernelScratch& scratch, const KernelState& state,
                 double* result) noexcept {
  Room<T> s(scratch);
  set_bias_wrenches(m, s, state);
  backward_pass(m, s, s.wrench, reinterpret_cast<T*>(result));
}

template <typename T>
void gravity_torque(const CompactLayout& m, const KernelScratch& scratch, const double* q,
                    double* result) noexcept {
  Room<T> s(scratch);
  set_positions(m, s, as<T>(q));
  gravity_pass(m, s, reinterpret_cast<Vec3<T>*>(s.kept), s.wrench);
  backward_pass(m, s, s.wrench, reinterpret_cast<T*>(result));
}

template <typename T>
void poses(const CompactLayout& m, const KernelScratch& scratch, const double* q,
           int last) noexcept {
  Room<T> s(scratch);
  set_positions(m, s, as<T>(q));
  set_poses(m, s, last, s.pose);
}

/// The packed mass matrix at the positions in the scratch space.
template <typename T>
void fill_packed(const CompactLayout& m, Room<T>& s) noexcept {
  clear_composites(m, s.composite);
  composite_pass(m, s, s.composite, s.column);
  row_pass(m, s, s.column, s.packed);
}

/// Vectors in a common frame: for numbers, if there are registers for lanes.
#if defined(__AVX__)
template <typename T>
constexpr bool kInCommonFrame = sizeof(T) == sizeof(double);
#else
template <typename T>
constexpr bool kInCommonFrame = false;
#endif

/// M into `out`, from positions in the scratch space. With kMoves the bias torques are subtracted
/// from x.
template <bool kMoves, typename Out>
void fill_in_common_frame(const CompactLayout& m, const KernelScratch& scratch, Room<double>& s,
                          const double* v, const double* external, const Out& out,
                          double* x) noexcept {
  auto* const link = reinterpret_cast<DerivativeLink*>(scratch.derivative_link);
  auto* const motion = reinterpret_cast<DerivativeMotion*>(scratch.derivative_motion);
  auto* const sum = reinterpret_cast<BodySum<kMoves>*>(scratch.derivative_sum);
  common_link_pass<kMoves>(m, s, v, link, motion);
  common_body_pass<kMoves>(m, external, link, sum);
  common_rows<kMoves>(m, motion, sum, out, x);
}

template <typename T>
void mass_rows(const CompactLayout& m, const KernelScratch& scratch, const double* q) noexcept {
  Room<T> s(scratch);
  set_positions(m, s, as<T>(q));
  if constexpr (kInCommonFrame<T>) {
    const PackedRows out(m, s.packed);
    fill_in_common_frame<false>(m, scratch, s, nullptr, nullptr, out, nullptr);
  } else {
    fill_packed(m, s);
  }
}

void mass_matrix(const CompactLayout& m, const KernelScratch& scratch, const double* q,
                 double* M) noexcept {
  Room<double> s(scratch);
  set_positions(m, s, q);
  const FullMatrix out(m, M);
  if constexpr (kInCommonFrame<double>) {
    fill_in_common_frame<false>(m, scratch, s, nullptr, nullptr, out, nullptr);
  } else {
    fill_packed(m, s);
    for (int k = 0; k < m.coordinates; ++k) {
      const double* entry = s.packed + m.rows.diagonal(k);
      for (int i = k; i >= 0; i = m.rows.parent[i]) out.set(k, i, *entry--);
    }
  }
}

/// tau - friction, which forward dynamics starts from.
template <typename T>
void set_drive(const CompactLayout& m, const KernelState& state, T* drive) noexcept {
  for (int k = 0; k < m.coordinates; ++k) drive[k] = as<T>(state.x)[k];
  add_friction(m, -1.0, as<T>(state.v), drive);
}

/// M a = tau - friction - bias.
template <typename T>
bool forward_dynamics(const CompactLayout& m, const KernelScratch& scratch,
                      const KernelState& state, double* result) noexcept {
  Room<T> s(scratch);
  T* a = reinterpret_cast<T*>(result);
  set_drive(m, state, a);
  if constexpr (kInCommonFrame<T>) {
    set_positions(m, s, state.q);
    const PackedRows out(m, s.packed);
    fill_in_common_frame<true>(m, scratch, s, state.v, state.external, out, a);
  } else {
    set_bias_wrenches(m, s, state);
    backward_pass(m, s, s.wrench, s.torque);
    for (int k = 0; k < m.coordinates; ++k) a[k] -= s.torque[k];
    fill_packed(m, s);
  }
  if (!factorise(m.rows, s.packed, s.pivot, a)) return false;
  solve_outward(m.rows, s.packed, s.pivot, a);
  return true;
}

template <typename T>
bool articulated_dynamics(const CompactLayout& m, const KernelScratch& scratch,
                          const KernelState& state, double* result) noexcept {
  Room<T> s(scratch);
  set_bias_wrenches(m, s, state);
  set_drive(m, state, s.torque);
  if (!articulated_pass(m, s, s.wrench, s.articulated, s.gain, s.torque)) return false;
  acceleration_pass(m, s, s.gain, s.kept, reinterpret_cast<T*>(result));
  return true;
}

template <typename T>
bool factorise_rows(const FactorRows& rows, double* packed, double* inverse) noexcept {
  return factorise(rows, reinterpret_cast<T*>(packed), reinterpret_cast<T*>(inverse),
                   static_cast<T*>(nullptr));
}
template <typename T>
void solve_rows(const FactorRows& rows, const double* packed, const double* inverse,
                double* x) noexcept {
  solve_inward(rows, as<T>(packed), as<T>(inverse), reinterpret_cast<T*>(x));
  solve_outward(rows, as<T>(packed), as<T>(inverse), reinterpret_cast<T*>(x));
}

void inverse_dynamics_derivatives(const CompactLayout& m, const KernelScratch& scratch,
                                  const KernelState& state, double* by_q, double* by_v,
                                  double* M) noexcept {
  Room<double> s(scratch);
  auto* const link = reinterpret_cast<DerivativeLink*>(scratch.derivative_link);
  auto* const motion = reinterpret_cast<DerivativeMotion*>(scratch.derivative_motion);
  auto* const sum = reinterpret_cast<DerivativeSum*>(scratch.derivative_sum);
  set_positions(m, s, state.q);
  derivative_motion_pass(m, s, state.v, state.x, link, motion);
  for (int j = 0; j < m.joints; j += kLanes) write_bodies(m, j, link, sum);
  if (state.external != nullptr) {
    subtract_external(m, state.external, link, kDerivativeForce, sum);
  }
  common_sum_pass(m, sum);
  auto* const loads = reinterpret_cast<DerivativeLoads*>(scratch.derivative_loads);
  if (M != nullptr) {
    derivative_pass<3>(m, s, link, motion, sum, loads, {{by_q, by_v, M}});
  } else {
    derivative_pass<2>(m, s, link, motion, sum, loads, {{by_q, by_v}});
  }
}

void tanh_of_many(int count, const double* x, double* result) noexcept {
  for (int i = 0; i < count; i += kLanes) {
    store_lanes(hyperbolic_tangent(load_lanes(x + i)), result + i);
  }
}

// Fitted to chains of 7 to 44 joints, a quadruped and a humanoid.
#if defined(__AVX__)
constexpr ForwardDynamicsCosts kSingleCosts{23.3, 0.655, 0.0535, 44.5, 26.4, 34.0};
constexpr ForwardDynamicsCosts kBatchCosts{7.5, 1.17, 0.0432, 11.7, 4.0, 10.0};
#else
constexpr ForwardDynamicsCosts kSingleCosts{27.7, 4.0, 0.706, 57.5, 39.0, 94.0};
constexpr ForwardDynamicsCosts kBatchCosts{64.7, 2.77, 0.133, 69.0, 59.0, 103.0};
#endif

constexpr KernelTable make_table(const char* name) noexcept {
  return {name,
          kSingleCosts,
          kBatchCosts,
          inverse_dynamics<double>,
          rigid_body_torque<double>,
          bias_torque<double>,
          gravity_torque<double>,
          poses<double>,
          mass_rows<double>,
          mass_matrix,
          forward_dynamics<double>,
          articulated_dynamics<double>,
          factorise_rows<double>,
          solve_rows<double>,
          inverse_dynamics<Lanes>,
          mass_rows<Lanes>,
          forward_dynamics<Lanes>,
          articulated_dynamics<Lanes>,
          factorise_rows<Lanes>,
          solve_rows<Lanes>,
          to_lanes,
          from_lanes,
          unpack,
          inverse_dynamics_derivatives,
          invert,
          negative_product,
          sine_cosine,
          tanh_of_many};
}

}  // namespace
}  // namespace spatial_dynamics::kernels
