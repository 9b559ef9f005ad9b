// The part of generated code that is the same for every robot except NAME and the sizes NQ, NV,
// WRENCHES and ANGLES.
#pragma once

namespace spatial_dynamics::kernels {

inline constexpr const char* kDeclarations = R"(
extern "C" {

int NAME_nq() noexcept;
int NAME_nv() noexcept;

void NAME_inverse_dynamics(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external, double* tau) noexcept;
void NAME_mass_matrix(const double* q, const double* payload, double* M) noexcept;
int NAME_forward_dynamics(const double* q, const double* v, const double* tau, const double* gravity,
                          const double* payload, const double* external,
                          double* acceleration) noexcept;

void NAME_inverse_dynamics_batch(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept;
void NAME_mass_matrix_batch(int states, const double* q, const double* payload, double* M) noexcept;
int NAME_forward_dynamics_batch(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept;

}  // extern "C"
)";

/// GCC's straight-line vectoriser would lose more by shuffles than it gains.
inline constexpr const char* kPragmas = R"(
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
)";

inline constexpr const char* kHelpers = R"(
// A number, or the same for four states.
inline void set(double& to, double x) noexcept { to = x; }
inline void set(Lanes& to, const Lanes& x) noexcept { to = x; }
inline void set(Lanes& to, double x) noexcept { to = x - Lanes{}; }

/// A product used by several sums. GCC would fuse it into each of them and repeat the
/// multiplication; but additions have separate pipelines, and multiplications are the bottleneck.
template <typename T>
inline T once(const T& product) noexcept {
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(product);
#endif
#endif
  return product;
}

template <typename T, int kCount>
constexpr T kZeros[kCount] = {};
/// The argument, or zeros if it is null.
template <int kCount, typename T>
inline const T* or_zeros(const T* given) noexcept {
  return given != nullptr ? given : kZeros<T, kCount>;
}

)";

/// From one or four states to their results.
inline constexpr const char* kRunners = R"(template <typename T>
inline void run_inverse_dynamics(const T* q, const T* v, const T* a, const double* gravity,
                                 const double* payload, const T* external, T* tau) noexcept {
  alignas(32) T s[ANGLES], c[ANGLES];
  set_sines(q, s, c);
  if (payload == nullptr && external == nullptr) {
    inverse_dynamics(q, v, a, gravity, s, c, tau);
  } else {
    inverse_dynamics_loaded(q, v, a, gravity, or_zeros<10>(payload), or_zeros<WRENCHES>(external), s,
                            c, tau);
  }
  add_friction(1.0, v, tau);
}

template <typename T>
inline void run_mass_matrix(const T* q, const double* payload, T* M) noexcept {
  alignas(32) T s[ANGLES], c[ANGLES];
  set_sines(q, s, c);
  if (payload == nullptr) {
    mass_matrix(q, s, c, M);
  } else {
    mass_matrix_loaded(q, payload, s, c, M);
  }
}

/// Zero if all accelerations are finite.
template <typename T>
inline T run_forward_dynamics(const T* q, const T* v, const T* tau, const double* gravity,
                              const double* payload, const T* external, T* acceleration) noexcept {
  alignas(32) T s[ANGLES], c[ANGLES];
  set_sines(q, s, c);
  T drive[NV];
  for (int k = 0; k < NV; ++k) drive[k] = tau[k];
  add_friction(-1.0, v, drive);
  if (payload == nullptr && external == nullptr) {
    forward_dynamics(q, v, drive, gravity, s, c, acceleration);
  } else {
    forward_dynamics_loaded(q, v, drive, gravity, or_zeros<10>(payload),
                            or_zeros<WRENCHES>(external), s, c, acceleration);
  }
  T sum{};
  for (int k = 0; k < NV; ++k) sum += acceleration[k] - acceleration[k];
  return sum;
}

)";

inline constexpr const char* kEntryPoints = R"(extern "C" {

int NAME_nq() noexcept { return NQ; }
int NAME_nv() noexcept { return NV; }

void NAME_inverse_dynamics(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external, double* tau) noexcept {
  run_inverse_dynamics(q, v, a, gravity, payload, external, tau);
}

void NAME_mass_matrix(const double* q, const double* payload, double* M) noexcept {
  run_mass_matrix(q, payload, M);
}

int NAME_forward_dynamics(const double* q, const double* v, const double* tau, const double* gravity,
                          const double* payload, const double* external,
                          double* acceleration) noexcept {
  if (run_forward_dynamics(q, v, tau, gravity, payload, external, acceleration) == 0.0) return 1;
  for (int k = 0; k < NV; ++k) acceleration[k] = 0.0;
  return 0;
}

void NAME_inverse_dynamics_batch(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept {
  Lanes q4[NQ], v4[NV], a4[NV], tau4[NV], external4[WRENCHES];
  for (int first = 0; first < states; first += kLanes) {
    const FourStates four{first, states};
    four.read(NQ, q, q4);
    four.read(NV, v, v4);
    four.read(NV, a, a4);
    if (external != nullptr) four.read(WRENCHES, external, external4);
    run_inverse_dynamics<Lanes>(q4, v4, a4, gravity, payload,
                                external != nullptr ? external4 : nullptr, tau4);
    four.write(NV, tau4, tau);
  }
}

void NAME_mass_matrix_batch(int states, const double* q, const double* payload, double* M) noexcept {
  Lanes q4[NQ], M4[NV * NV];
  for (int first = 0; first < states; first += kLanes) {
    const FourStates four{first, states};
    four.read(NQ, q, q4);
    run_mass_matrix<Lanes>(q4, payload, M4);
    four.write(NV * NV, M4, M);
  }
}

int NAME_forward_dynamics_batch(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept {
  Lanes q4[NQ], v4[NV], tau4[NV], acceleration4[NV], external4[WRENCHES];
  int singular = 0;
  for (int first = 0; first < states; first += kLanes) {
    const FourStates four{first, states};
    four.read(NQ, q, q4);
    four.read(NV, v, v4);
    four.read(NV, tau, tau4);
    if (external != nullptr) four.read(WRENCHES, external, external4);
    const Lanes sum =
        run_forward_dynamics<Lanes>(q4, v4, tau4, gravity, payload,
                                    external != nullptr ? external4 : nullptr, acceleration4);
    if (any(sum != 0.0)) {
      for (int l = 0; l < kLanes; ++l) {
        if (sum[l] == 0.0) continue;
        for (int k = 0; k < NV; ++k) acceleration4[k][l] = 0.0;
        if (first + l < states) ++singular;
      }
    }
    four.write(NV, acceleration4, acceleration);
  }
  return singular;
}

}  // extern "C"
)";

}  // namespace spatial_dynamics::kernels
