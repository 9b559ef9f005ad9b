// The part of generated code that is the same for every robot except NAME and the sizes NQ, NV,
// WRENCHES and ANGLES.
#pragma once

namespace spatial_dynamics::kernels {

inline constexpr const char* kDeclarations = R"(
extern "C" {

int NAME_nq() noexcept;
int NAME_nv() noexcept;
// The instruction set of the functions that run on this machine: x86-64, x86-64-v3 or x86-64-v4,
// or "compiled" if the compiler's options select it.
const char* NAME_isa() noexcept;

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

/// Before the functions: which instruction sets they are compiled for. The file includes itself
/// once per set.
inline constexpr const char* kLevels = R"(#ifndef NAME_LEVEL
#include "NAME.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors stay inside this file
#endif

namespace spatial_dynamics_NAME {
namespace {

// The functions below, compiled for one instruction set.
struct Functions {
  const char* isa;
  void (*inverse_dynamics)(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external, double* tau) noexcept;
  void (*mass_matrix)(const double* q, const double* payload, double* M) noexcept;
  int (*forward_dynamics)(const double* q, const double* v, const double* tau,
                          const double* gravity, const double* payload, const double* external,
                          double* acceleration) noexcept;
  void (*inverse_dynamics_batch)(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept;
  void (*mass_matrix_batch)(int states, const double* q, const double* payload, double* M) noexcept;
  int (*forward_dynamics_batch)(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept;
};

}  // namespace
}  // namespace spatial_dynamics_NAME

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX__)

#define NAME_LEVEL x86_64
#define NAME_ISA "x86-64"
#include "NAME.cpp"
#undef NAME_LEVEL
#undef NAME_ISA

#define NAME_WIDE
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2")
#endif
#define NAME_LEVEL x86_64_v3
#define NAME_ISA "x86-64-v3"
#include "NAME.cpp"
#undef NAME_LEVEL
#undef NAME_ISA
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else

#ifdef __AVX__
#define NAME_WIDE
#endif
#define NAME_LEVEL compiled
#define NAME_ISA "compiled"
#include "NAME.cpp"

#endif

namespace spatial_dynamics_NAME {
namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX__)
// Until it is chosen, when the program starts, the set that every processor has.
const Functions* chosen = &x86_64::kFunctions;

bool choose() noexcept {
  const char* const wanted = std::getenv("SPATIAL_DYNAMICS_ISA");
  if (wanted != nullptr && std::strcmp(wanted, x86_64::kFunctions.isa) == 0) return true;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    chosen = &x86_64_v3::kFunctions;
  }
  return true;
}
[[maybe_unused]] const bool is_chosen = choose();
#else
constexpr const Functions* chosen = &compiled::kFunctions;
#endif

}  // namespace
}  // namespace spatial_dynamics_NAME

)";

/// After the choice: the functions that the header declares.
inline constexpr const char* kEntryPoints = R"(using spatial_dynamics_NAME::chosen;

extern "C" {

int NAME_nq() noexcept { return NQ; }
int NAME_nv() noexcept { return NV; }
const char* NAME_isa() noexcept { return chosen->isa; }

void NAME_inverse_dynamics(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external, double* tau) noexcept {
  chosen->inverse_dynamics(q, v, a, gravity, payload, external, tau);
}

void NAME_mass_matrix(const double* q, const double* payload, double* M) noexcept {
  chosen->mass_matrix(q, payload, M);
}

int NAME_forward_dynamics(const double* q, const double* v, const double* tau, const double* gravity,
                          const double* payload, const double* external,
                          double* acceleration) noexcept {
  return chosen->forward_dynamics(q, v, tau, gravity, payload, external, acceleration);
}

void NAME_inverse_dynamics_batch(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept {
  chosen->inverse_dynamics_batch(states, q, v, a, gravity, payload, external, tau);
}

void NAME_mass_matrix_batch(int states, const double* q, const double* payload, double* M) noexcept {
  chosen->mass_matrix_batch(states, q, payload, M);
}

int NAME_forward_dynamics_batch(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept {
  return chosen->forward_dynamics_batch(states, q, v, tau, gravity, payload, external,
                                        acceleration);
}

}  // extern "C"

#else  // the functions, for the instruction set NAME_LEVEL

)";

/// GCC's straight-line vectoriser would lose more by shuffles than it gains.
inline constexpr const char* kPragmas = R"(
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
)";
inline constexpr const char* kEnd = R"(
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
#endif  // NAME_LEVEL
)";

inline constexpr const char* kHelpers = R"(
// The numbers of as many states as fit in a register.
#ifdef NAME_WIDE
using Pack = Lanes;
#else
using Pack = HalfLanes;
inline Pack hyperbolic_tangent(Pack x) noexcept { return hyperbolic_tangent(Lanes{x, x}).low; }
#endif
constexpr int kPack = sizeof(Pack) / sizeof(double);

// A pack of `count` contiguous states from `first` on: after the last, the last repeats.
struct States {
  int first, count;

  const double* of(int size, const double* states, int k) const noexcept {
    return states + std::ptrdiff_t{first + k < count ? first + k : count - 1} * size;
  }
  double* of(int size, double* states, int k) const noexcept {
    return states + std::ptrdiff_t{first + k < count ? first + k : count - 1} * size;
  }
#ifdef NAME_WIDE
  void read(int size, const double* states, Pack* packs) const noexcept {
    const double* const columns[] = {of(size, states, 0), of(size, states, 1), of(size, states, 2),
                                     of(size, states, 3)};
    to_lanes(size, columns, reinterpret_cast<double*>(packs));
  }
  void write(int size, const Pack* packs, double* states) const noexcept {
    double* const columns[] = {of(size, states, 0), of(size, states, 1), of(size, states, 2),
                               of(size, states, 3)};
    from_lanes(size, reinterpret_cast<const double*>(packs), columns);
  }
#else
  void read(int size, const double* states, Pack* packs) const noexcept {
    const double *const a = of(size, states, 0), *const b = of(size, states, 1);
    for (int i = 0; i < size; ++i) packs[i] = Pack{a[i], b[i]};
  }
  void write(int size, const Pack* packs, double* states) const noexcept {
    double *const a = of(size, states, 0), *const b = of(size, states, 1);
    for (int i = 0; i < size; ++i) {
      a[i] = packs[i][0];
      b[i] = packs[i][1];
    }
  }
#endif
};

// A number, or the same for a pack of states.
inline void set(double& to, double x) noexcept { to = x; }
inline void set(Pack& to, const Pack& x) noexcept { to = x; }
inline void set(Pack& to, double x) noexcept { to = x - Pack{}; }

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

/// From one state or a pack of states to the results.
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

/// What an instruction set has of the functions that the header declares.
inline constexpr const char* kFunctionsOfALevel =
    R"(void call_inverse_dynamics(const double* q, const double* v, const double* a, const double* gravity,
                           const double* payload, const double* external, double* tau) noexcept {
  run_inverse_dynamics(q, v, a, gravity, payload, external, tau);
}

void call_mass_matrix(const double* q, const double* payload, double* M) noexcept {
  run_mass_matrix(q, payload, M);
}

int call_forward_dynamics(const double* q, const double* v, const double* tau, const double* gravity,
                          const double* payload, const double* external,
                          double* acceleration) noexcept {
  if (run_forward_dynamics(q, v, tau, gravity, payload, external, acceleration) == 0.0) return 1;
  for (int k = 0; k < NV; ++k) acceleration[k] = 0.0;
  return 0;
}

void call_inverse_dynamics_batch(int states, const double* q, const double* v, const double* a,
                                 const double* gravity, const double* payload,
                                 const double* external, double* tau) noexcept {
  Pack qs[NQ], vs[NV], as[NV], taus[NV], externals[WRENCHES];
  for (int first = 0; first < states; first += kPack) {
    const States some{first, states};
    some.read(NQ, q, qs);
    some.read(NV, v, vs);
    some.read(NV, a, as);
    if (external != nullptr) some.read(WRENCHES, external, externals);
    run_inverse_dynamics<Pack>(qs, vs, as, gravity, payload,
                                external != nullptr ? externals : nullptr, taus);
    some.write(NV, taus, tau);
  }
}

void call_mass_matrix_batch(int states, const double* q, const double* payload, double* M) noexcept {
  Pack qs[NQ], Ms[NV * NV];
  for (int first = 0; first < states; first += kPack) {
    const States some{first, states};
    some.read(NQ, q, qs);
    run_mass_matrix<Pack>(qs, payload, Ms);
    some.write(NV * NV, Ms, M);
  }
}

int call_forward_dynamics_batch(int states, const double* q, const double* v, const double* tau,
                                const double* gravity, const double* payload,
                                const double* external, double* acceleration) noexcept {
  Pack qs[NQ], vs[NV], taus[NV], accelerations[NV], externals[WRENCHES];
  int singular = 0;
  for (int first = 0; first < states; first += kPack) {
    const States some{first, states};
    some.read(NQ, q, qs);
    some.read(NV, v, vs);
    some.read(NV, tau, taus);
    if (external != nullptr) some.read(WRENCHES, external, externals);
    const Pack sum =
        run_forward_dynamics<Pack>(qs, vs, taus, gravity, payload,
                                    external != nullptr ? externals : nullptr, accelerations);
    for (int l = 0; l < kPack; ++l) {
      if (sum[l] == 0.0) continue;
      for (int k = 0; k < NV; ++k) accelerations[k][l] = 0.0;
      if (first + l < states) ++singular;
    }
    some.write(NV, accelerations, acceleration);
  }
  return singular;
}

inline constexpr Functions kFunctions = {NAME_ISA,
                                         call_inverse_dynamics,
                                         call_mass_matrix,
                                         call_forward_dynamics,
                                         call_inverse_dynamics_batch,
                                         call_mass_matrix_batch,
                                         call_forward_dynamics_batch};

)";

}  // namespace spatial_dynamics::kernels
