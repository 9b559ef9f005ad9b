#include "generated_text.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace spatial_dynamics {
namespace {

// ---- what is the same for every robot but for NAME and the sizes NQ, NV, WRENCHES and ANGLES ---------------------------

constexpr const char* kDeclarations = R"(
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

/// GCC's straight-line vectoriser would pay more for shuffles than it gains.
constexpr const char* kPragmas = R"(
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
)";

constexpr const char* kHelpers = R"(
// A number, or the same for four states.
inline void set(double& to, double x) noexcept { to = x; }
inline void set(Lanes& to, const Lanes& x) noexcept { to = x; }
inline void set(Lanes& to, double x) noexcept { to = x - Lanes{}; }

/// A product that several sums need. GCC would fuse it into each of them and multiply as often; but additions have pipes of their
/// own in today's processors, and multiplications are what there is too much of.
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
/// What is given, or zeros.
template <int kCount, typename T>
inline const T* or_zeros(const T* given) noexcept {
  return given != nullptr ? given : kZeros<T, kCount>;
}

)";

/// From a state, or four, to its result.
constexpr const char* kRunners = R"(template <typename T>
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

constexpr const char* kEntryPoints = R"(extern "C" {

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

// ---- pieces of text --------------------------------------------------------------------------------------------------

std::string number(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

/// Lanes{item(first), …}, 0 behind the last.
std::string lanes(std::size_t first, std::size_t count,
                  const std::function<std::string(std::size_t)>& item) {
  std::string text = "Lanes{";
  for (std::size_t i = first; i < first + 4; ++i) {
    if (i > first) text += ", ";
    text += i < count ? item(i) : "0.0";
  }
  return text + "}";
}

/// The text with every `mark` replaced.
std::string with(std::string text, const std::string& mark, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
    text.replace(at, mark.size(), value);
  }
  return text;
}

/// A library's text without what only its own folder knows.
std::string without_includes(const std::string& text) {
  return with(with(text, "#pragma once\n", ""), "#include \"lanes.hpp\"\n", "");
}

std::string element(const std::string& array, Index i) {
  return array + "[" + std::to_string(i) + "]";
}

std::string costs(const GeneratedFunction& f) {
  return std::to_string(f.multiplications) + " multiplications, " + std::to_string(f.additions) +
         " additions, " + std::to_string(f.divisions) + " divisions\n";
}

/// What the statements of a function are written on. Gravity and payload are those of all states.
std::string parameters(const std::string& function, bool loaded) {
  const bool moves = function != "mass_matrix", forward = function == "forward_dynamics";
  std::string list = "[[maybe_unused]] const T* q, ";
  if (moves) {
    list += "[[maybe_unused]] const T* v, [[maybe_unused]] const T* ";
    list += std::string(forward ? "tau" : "a") + ", [[maybe_unused]] const double* gravity, ";
  }
  if (loaded) list += "[[maybe_unused]] const double* payload, ";
  if (loaded && moves) list += "[[maybe_unused]] const T* external, ";
  list += "[[maybe_unused]] const T* s, [[maybe_unused]] const T* c, [[maybe_unused]] T* ";
  return list + (!moves ? "M" : forward ? "acceleration" : "tau");
}

/// The link whose frame is that of body i.
const std::string& link_of(const Model& model, Index body) {
  for (Index k = 0; k < model.link_count(); ++k) {
    if (model.link(k).body == body) return model.link(k).name;
  }
  return model.name();
}

}  // namespace

GeneratedText::GeneratedText(const Model& model, const CompactModel& compact, std::string name,
                             std::string payload_link)
    : model_(model),
      compact_(compact),
      name_(std::move(name)),
      payload_link_(std::move(payload_link)) {
  const CompactLayout& m = compact_.layout();
  for (Index j = 0; j < m.joints; ++j) {
    if (m.angle_ratio[j] != 0.0) turning_.push_back(j);
  }
  for (Index k = 0; k < m.coordinates; ++k) {
    if (m.friction[k] != 0.0) rubbing_.push_back(k);
  }
}

void GeneratedText::add(const std::string& function, bool loaded, const std::string& statements,
                        const ExpressionGraph::Counts& counts) {
  functions_.push_back({function + (loaded ? "_loaded" : ""), counts.multiplications,
                        counts.additions, counts.divisions});
  const GeneratedFunction& f = functions_.back();
  bodies_ += "// " + costs(f) + "template <typename T>\ninline void " + f.name + "(" +
             parameters(function, loaded) + ") noexcept {\n" + statements + "}\n\n";
}

std::string GeneratedText::filled(std::string text) const {
  text = with(text, "NQ", std::to_string(model_.nq()));
  text = with(text, "NV", std::to_string(model_.nv()));
  text = with(text, "WRENCHES", std::to_string(6 * model_.body_count()));
  text = with(text, "ANGLES", std::to_string((turning_.size() + 3) / 4 * 4));
  return with(text, "NAME", name_);  // last: it may read like a mark
}

std::string GeneratedText::header() const {
  std::string text = "// Dynamics of " + name_ +
                     ", generated from its URDF by spatial_dynamics; do not edit.\n#pragma once\n\n"
                     "// q has " +
                     std::to_string(model_.nq()) + " numbers; v, a, tau and acceleration have " +
                     std::to_string(model_.nv()) + ". Joints in order:";
  for (const std::string& joint : model_.joint_names()) text += "\n//   " + joint;
  text +=
      "\n// gravity: x y z in the world's frame, m/s^2. payload: null, or mass, first moment x y z "
      "and inertia xx xy xz\n// yy yz zz about the origin, in the frame of link " +
      payload_link_ +
      ".\n// external: null, or the wrench that acts on each of these links, couple x y z and "
      "force x y z, in its frame at its origin:";
  for (Index i = 0; i < model_.body_count(); ++i) text += "\n//   " + link_of(model_, i);
  text +=
      "\n// M is written column by column, both halves. forward_dynamics returns 0, and zeros, "
      "where there is no unique answer.\n// The functions of a batch take `states` states one "
      "behind the other, wrenches too, with one gravity and one payload;\n// forward_dynamics "
      "then returns how many have no unique answer. All are real-time safe.\n//\n";
  for (const GeneratedFunction& f : functions_) text += "// " + f.name + ": " + costs(f);
  return text + filled(kDeclarations);
}

/// Four joints at a time. Where their positions lie one behind the other, the last four are loaded as four, some of them again.
std::string GeneratedText::sines() const {
  const CompactLayout& m = compact_.layout();
  const std::size_t count = turning_.size();
  bool in_a_row = count >= 4;
  for (std::size_t k = 0; k < count; ++k) {
    in_a_row = in_a_row && m.q_index[turning_[k]] == m.q_index[turning_[0]] + static_cast<Index>(k);
  }
  std::string text =
      "inline void set_sines([[maybe_unused]] const double* q, [[maybe_unused]] double* s, "
      "[[maybe_unused]] double* c) noexcept {\n";
  std::string far, stores;
  for (std::size_t block = 0; block < count; block += 4) {
    const std::size_t i = in_a_row ? std::min(block, count - 4) : block;
    const auto list = [&](const auto& item) {
      return lanes(i, count, [&](std::size_t k) { return item(turning_[k]); });
    };
    const std::string at = std::to_string(i);
    text += "  const Lanes x" + at + " = " +
            list([&m](Index j) { return number(m.angle_ratio[j]); }) + " * " +
            (in_a_row ? "load_lanes(q + " + std::to_string(m.q_index[turning_[i]]) + ")"
                      : list([&m](Index j) { return element("q", m.q_index[j]); })) +
            " + " + list([&m](Index j) { return number(m.angle_offset[j]); }) + ";\n";
    text += with(
        "  Lanes s@, c@;\n  sine_cosine(x@, s@, c@);\n  store_lanes(s@, s + @);\n"
        "  store_lanes(c@, c + @);\n",
        "@", at);
    far += with("  far |= is_far(x@);\n", "@", at);
    stores += with("    store_lanes(x@, angle + @);\n", "@", at);
  }
  if (count > 0) {
    text += "  LaneBits far = {};\n" + far + "  if (any(far)) {\n    double angle[ANGLES];\n" +
            stores + "    sine_cosine_anywhere(" + std::to_string(count) + ", angle, s, c);\n  }\n";
  }
  return filled(text) + "}\n";
}

/// Four states at a time.
std::string GeneratedText::lane_sines() const {
  const CompactLayout& m = compact_.layout();
  std::string text =
      "inline void set_sines([[maybe_unused]] const Lanes* q, [[maybe_unused]] Lanes* s, "
      "[[maybe_unused]] Lanes* c) noexcept {\n";
  if (turning_.empty()) return text + "}\n\n";
  text += "  double angle[4 * ANGLES];\n";
  for (std::size_t k = 0; k < turning_.size(); ++k) {
    const Index j = turning_[k];
    text += "  store_lanes(" + number(m.angle_ratio[j]) + " * " + element("q", m.q_index[j]) +
            " + " + number(m.angle_offset[j]) + ", angle + " + std::to_string(4 * k) + ");\n";
  }
  const std::string count = std::to_string(4 * turning_.size());
  return filled(text) + "  sine_cosine(" + count +
         ", angle, reinterpret_cast<double*>(s), reinterpret_cast<double*>(c));\n}\n\n";
}

/// Four coordinates at a time.
std::string GeneratedText::friction() const {
  const CompactLayout& m = compact_.layout();
  std::string text =
      "inline void add_friction([[maybe_unused]] double sign, [[maybe_unused]] const double* v, "
      "[[maybe_unused]] double* tau) noexcept {\n";
  for (std::size_t i = 0; i < rubbing_.size(); i += 4) {
    const auto list = [&](const auto& item) {
      return lanes(i, rubbing_.size(), [&](std::size_t k) { return item(rubbing_[k]); });
    };
    const std::string share = "f" + std::to_string(i);
    text += "  const Lanes " + share + " = hyperbolic_tangent(" +
            list([this](Index k) { return element("v", compact_.own_index(k)); }) + " * " +
            list([&](Index k) { return number(compact_.own_ratio(k) / m.friction_speed); }) +
            ");\n";
    for (std::size_t k = i; k < std::min(i + 4, rubbing_.size()); ++k) {
      const Index own = rubbing_[k];
      text += "  " + element("tau", compact_.own_index(own)) + " += sign * " +
              number(compact_.own_ratio(own) * m.friction[own]) + " * " +
              element(share, static_cast<Index>(k - i)) + ";\n";
    }
  }
  return text + "}\n";
}

/// Four states at a time.
std::string GeneratedText::lane_friction() const {
  const CompactLayout& m = compact_.layout();
  std::string text =
      "inline void add_friction([[maybe_unused]] double sign, [[maybe_unused]] const Lanes* v, "
      "[[maybe_unused]] Lanes* tau) noexcept {\n";
  for (const Index k : rubbing_) {
    const Index i = compact_.own_index(k);
    text += "  " + element("tau", i) + " += sign * " +
            number(compact_.own_ratio(k) * m.friction[k]) + " * hyperbolic_tangent(" +
            element("v", i) + " * " + number(compact_.own_ratio(k) / m.friction_speed) + ");\n";
  }
  return text + "}\n\n";
}

GeneratedCode GeneratedText::finish() {
  GeneratedCode code;
  code.name = name_;
  code.functions = functions_;
  code.header = header();
  code.source =
      "// Generated by spatial_dynamics; do not edit. Compile with -O2 -ffp-contract=fast, and "
      "-mtune=generic if -march=native.\n";
  code.source += "#include \"" + name_ + ".hpp\"\n\n";
  code.source += without_includes(kLanesSource) + without_includes(kElementarySource) +
                 without_includes(kTransposeSource);
  code.source += kPragmas;
  code.source += "\nnamespace spatial_dynamics {\nnamespace {\n" + std::string(kHelpers);
  code.source += sines() + lane_sines() + friction() + lane_friction() + bodies_;
  code.source += filled(kRunners) + "}  // namespace\n}  // namespace spatial_dynamics\n\n";
  code.source += "using namespace spatial_dynamics;\n\n" + filled(kEntryPoints);
  return code;
}

}  // namespace spatial_dynamics
