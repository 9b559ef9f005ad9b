#include "generated_text.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "generated_skeleton.hpp"

namespace spatial_dynamics::kernels {
namespace {

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

constexpr const char* kOpen =
    "namespace spatial_dynamics_NAME {\nnamespace {\nnamespace NAME_LEVEL {\n";
constexpr const char* kClose =
    "}  // namespace NAME_LEVEL\n}  // namespace\n}  // namespace spatial_dynamics_NAME\n";

/// A header of kernels/core/ without #pragma once and its #include of lanes.hpp, in the namespace
/// of an instruction set. The vectors are as wide as that has registers.
std::string part_of_a_level(std::string text) {
  text = with(text, "#pragma once\n", "");
  text = with(text, "#include \"lanes.hpp\"\n", "");
  text = with(text, "namespace spatial_dynamics::kernels {\nnamespace {\n", kOpen);
  text = with(text, "}  // namespace\n}  // namespace spatial_dynamics::kernels\n", kClose);
  return with(text, "defined(__AVX__)", "defined(NAME_WIDE)");
}

std::string element(const std::string& array, Index i) {
  return array + "[" + std::to_string(i) + "]";
}

std::string costs(const GeneratedFunction& f) {
  return std::to_string(f.multiplications) + " multiplications, " + std::to_string(f.additions) +
         " additions, " + std::to_string(f.divisions) + " divisions\n";
}

/// The arguments of a function. Gravity and payload are the same for all states.
std::string parameters(const std::string& function, bool loaded) {
  if (function == "solve") return "const T* M, const T* tau, T* acceleration";
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

/// The names in a list of parameters.
std::string arguments(const std::string& parameters) {
  std::string list;
  for (std::size_t end = 0, start = 0; end != std::string::npos; start = end + 1) {
    end = parameters.find(',', start);
    const std::string parameter = parameters.substr(start, end - start);
    list += (list.empty() ? "" : ", ") + parameter.substr(parameter.rfind(' ') + 1);
  }
  return list;
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

void GeneratedText::add(const std::string& function, bool loaded, const StatementParts& statements,
                        const OperationCounts& counts) {
  functions_.push_back({function + (loaded ? "_loaded" : ""), counts.multiplications,
                        counts.additions, counts.divisions});
  const GeneratedFunction& f = functions_.back();
  const std::string list = parameters(function, loaded);
  if (statements.parts.size() == 1) {
    bodies_ += "// " + costs(f) + "template <typename T>\ninline void " + f.name + "(" + list +
               ") noexcept {\n" + statements.parts[0] + "}\n\n";
    return;
  }
  std::string calls;
  for (std::size_t i = 0; i < statements.parts.size(); ++i) {
    const std::string part = f.name + "_part" + std::to_string(i);
    bodies_.append("template <typename T>\n[[gnu::noinline]] void ").append(part).append("(");
    bodies_.append(list).append(", [[maybe_unused]] T* kept) noexcept {\n");
    bodies_.append(statements.parts[i]).append("}\n");
    calls.append("  ").append(part).append("(").append(arguments(list)).append(", kept);\n");
  }
  bodies_ += "// " + costs(f) + "template <typename T>\ninline void " + f.name + "(" + list +
             ") noexcept {\n  T kept[" + std::to_string(std::max(statements.kept, 1)) + "];\n" +
             calls + "}\n\n";
}

void GeneratedText::add_composed_forward_dynamics(bool loaded, const OperationCounts& counts) {
  const std::string suffix = loaded ? "_loaded" : "";
  functions_.push_back(
      {"forward_dynamics" + suffix, counts.multiplications, counts.additions, counts.divisions});
  bodies_ += "// " + costs(functions_.back()) + "template <typename T>\ninline void " +
             functions_.back().name + "(" + parameters("forward_dynamics", loaded) +
             ") noexcept {\n" +
             filled("  T M[NV * NV], bias[NV], drive[NV] = {};\n  inverse_dynamics" + suffix +
                    "(q, v, drive, gravity, " + (loaded ? "payload, external, " : "") +
                    "s, c, bias);\n  mass_matrix" + suffix + "(q, " + (loaded ? "payload, " : "") +
                    "s, c, M);\n  for (int k = 0; k < NV; ++k) drive[k] = tau[k] - bias[k];\n"
                    "  solve(M, drive, acceleration);\n}\n\n");
}

std::string GeneratedText::filled(std::string text) const {
  text = with(text, "NQ", std::to_string(model_.nq()));
  text = with(text, "NV", std::to_string(model_.nv()));
  text = with(text, "WRENCHES", std::to_string(6 * model_.body_count()));
  text = with(text, "ANGLES", std::to_string((turning_.size() + 3) / 4 * 4));
  return with(text, "NAME", name_);  // last, because it may contain a mark
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
      ".\n// external: null, or the wrench that acts on each of these links, moment x y z and "
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

/// Four joints at a time. Where their positions are contiguous, the last four are loaded together,
/// some of them again.
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

/// A pack of states at a time.
std::string GeneratedText::pack_sines() const {
  const CompactLayout& m = compact_.layout();
  std::string text =
      "inline void set_sines([[maybe_unused]] const Pack* q, [[maybe_unused]] Pack* s, "
      "[[maybe_unused]] Pack* c) noexcept {\n";
  if (turning_.empty()) return text + "}\n\n";
  text += "  Pack angle[ANGLES];\n";
  for (std::size_t k = 0; k < turning_.size(); ++k) {
    const Index j = turning_[k];
    text += "  angle[" + std::to_string(k) + "] = " + number(m.angle_ratio[j]) + " * " +
            element("q", m.q_index[j]) + " + " + number(m.angle_offset[j]) + ";\n";
  }
  const std::string count = std::to_string(turning_.size());
  // The number of angles is a multiple of four.
  if (turning_.size() % 2 != 0) text += "  angle[" + count + "] = Pack{};\n";
  text += "  sine_cosine((kPack * " + count +
          " + 3) / 4 * 4, reinterpret_cast<double*>(angle), reinterpret_cast<double*>(s), "
          "reinterpret_cast<double*>(c));\n}\n\n";
  return filled(text);
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
            list([this](Index k) { return element("v", compact_.unreduced_index(k)); }) + " * " +
            list([&](Index k) { return number(compact_.unreduced_ratio(k) / m.friction_speed); }) +
            ");\n";
    for (std::size_t k = i; k < std::min(i + 4, rubbing_.size()); ++k) {
      const Index unreduced = rubbing_[k];
      text += "  " + element("tau", compact_.unreduced_index(unreduced)) + " += sign * " +
              number(compact_.unreduced_ratio(unreduced) * m.friction[unreduced]) + " * " +
              element(share, static_cast<Index>(k - i)) + ";\n";
    }
  }
  return text + "}\n";
}

/// A pack of states at a time.
std::string GeneratedText::pack_friction() const {
  const CompactLayout& m = compact_.layout();
  std::string text =
      "inline void add_friction([[maybe_unused]] double sign, [[maybe_unused]] const Pack* v, "
      "[[maybe_unused]] Pack* tau) noexcept {\n";
  for (const Index k : rubbing_) {
    const Index i = compact_.unreduced_index(k);
    text += "  " + element("tau", i) + " += sign * " +
            number(compact_.unreduced_ratio(k) * m.friction[k]) + " * hyperbolic_tangent(" +
            element("v", i) + " * " + number(compact_.unreduced_ratio(k) / m.friction_speed) +
            ");\n";
  }
  return text + "}\n\n";
}

GeneratedCode GeneratedText::finish() {
  GeneratedCode code;
  code.name = name_;
  code.functions = functions_;
  code.header = header();
  code.source =
      "// Generated by spatial_dynamics; do not edit. Compile with -O2 -ffp-contract=fast. "
      "Without -march, on x86-64, the\n// functions are compiled for two instruction sets; the "
      "program chooses one when it starts.\n";
  code.source += filled(kLevels) + filled(kEntryPoints);
  for (const char* const header : {kLanesSource, kElementarySource, kTransposeSource}) {
    code.source += with(part_of_a_level(header), "NAME", name_);
  }
  code.source += kPragmas + filled(kOpen) + filled(kHelpers) + sines() + pack_sines() + friction() +
                 pack_friction() + bodies_ + filled(kRunners) + filled(kFunctionsOfALevel) +
                 filled(kClose) + filled(kEnd);
  return code;
}

}  // namespace spatial_dynamics::kernels
