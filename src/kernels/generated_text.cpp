#include "generated_text.hpp"

#include <cstdio>
#include <functional>

namespace spatial_dynamics {
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

/// A library's text without what only its own folder knows.
std::string without_includes(std::string text) {
  for (const char* line : {"#pragma once\n", "#include \"lanes.hpp\"\n"}) {
    const std::size_t at = text.find(line);
    if (at != std::string::npos) text.erase(at, std::string(line).size());
  }
  return text;
}

/// The text with every `mark` replaced.
std::string with(const std::string& text, char mark, const std::string& value) {
  std::string result;
  for (const char c : text) {
    if (c == mark) {
      result += value;
    } else {
      result += c;
    }
  }
  return result;
}

struct Signature {
  const char* function;
  const char* result;
  const char* inputs;     ///< of the function that users call
  const char* arguments;  ///< the same, passed on
  const char* target;
};
constexpr Signature kSignatures[] = {
    {"inverse_dynamics", "void",
     "const double* q, const double* v, const double* a, const double* gravity,\n    const double* "
     "payload, double* tau",
     "q, v, a, gravity, payload, s, c, tau", "tau"},
    {"mass_matrix", "void", "const double* q, const double* payload, double* M",
     "q, payload, s, c, M", "M"},
    {"forward_dynamics", "int",
     "const double* q, const double* v, const double* tau, const double* gravity,\n    const "
     "double* payload, double* acceleration",
     "q, v, drive, gravity, payload, s, c, acceleration", "acceleration"},
};
const Signature& signature_of(const std::string& function) {
  for (const Signature& s : kSignatures) {
    if (function == s.function) return s;
  }
  return kSignatures[0];
}

std::string with_sines(const std::string& inputs) {
  const std::size_t last = inputs.rfind(", ");
  return inputs.substr(0, last) + ",\n    const double* s, const double* c" + inputs.substr(last);
}

/// The same parameters, of which a body may not need all.
std::string unused(std::string parameters) {
  const std::string mark = "[[maybe_unused]] ";
  for (std::size_t at = 0; (at = parameters.find("const double*", at)) != std::string::npos;) {
    parameters.insert(at, mark);
    at += mark.size() + 1;
  }
  return parameters;
}

}  // namespace

GeneratedText::GeneratedText(const Model& model, const CompactModel& compact, std::string name,
                             std::string payload_link)
    : model_(model),
      compact_(compact),
      name_(std::move(name)),
      payload_link_(std::move(payload_link)) {}

void GeneratedText::add(const std::string& function, bool loaded, const std::string& statements,
                        const ExpressionGraph::Counts& counts) {
  const std::string body = function + (loaded ? "_with_payload" : "");
  functions_.push_back({body, counts.multiplications, counts.additions, counts.divisions});
  bodies_ += "// " + std::to_string(counts.multiplications) + " multiplications, " +
             std::to_string(counts.additions) + " additions, " + std::to_string(counts.divisions) +
             " divisions\n";
  bodies_ += "inline void " + body + "(" + unused(with_sines(signature_of(function).inputs)) +
             ") noexcept {\n";
  bodies_ += statements + "}\n\n";
}

std::string GeneratedText::header() const {
  const std::string nq = std::to_string(model_.nq()), nv = std::to_string(model_.nv());
  std::string text = "// Dynamics of " + name_ +
                     ", generated from its URDF by spatial_dynamics; do not edit.\n#pragma once\n\n"
                     "// q has " +
                     nq + " numbers; v, a, tau and acceleration have " + nv + ". Joints in order:";
  for (const std::string& joint : model_.joint_names()) text += "\n//   " + joint;
  text +=
      "\n// gravity: x y z in the world's frame, m/s^2. payload: null, or mass, first moment x y z "
      "and second moments xx xy "
      "xz\n// yy yz zz about the origin, in the frame of link " +
      payload_link_ +
      ". M is written column by column, both halves.\n// All are real-time safe. "
      "forward_dynamics returns 0, and zeros, where there is no unique answer.\n//\n";
  for (const GeneratedFunction& f : functions_) {
    text += "// " + f.name + ": " + std::to_string(f.multiplications) + " multiplications, " +
            std::to_string(f.additions) + " additions, " + std::to_string(f.divisions) +
            " divisions\n";
  }
  text +=
      "\nextern \"C\" {\n\nint " + name_ + "_nq() noexcept;\nint " + name_ + "_nv() noexcept;\n";
  for (const Signature& s : kSignatures) {
    text += std::string(s.result) + " " + name_ + "_" + s.function + "(\n    " + s.inputs +
            ") noexcept;\n";
  }
  return text + "\n}  // extern \"C\"\n";
}

std::string GeneratedText::sines() const {
  const CompactLayout& m = compact_.layout();
  std::vector<std::size_t> joints;
  for (std::int32_t j = 0; j < m.joints; ++j) {
    if (m.angle_ratio[j] != 0.0) joints.push_back(static_cast<std::size_t>(j));
  }
  const std::size_t padded = (joints.size() + 3) / 4 * 4;
  std::string text;
  const std::string size = std::to_string(std::max<std::size_t>(padded, 4));
  text += "struct Sines {\n  alignas(32) double s[" + size + "], c[" + size +
          "];\n};\n\ninline void set_sines(const double* q, Sines& sines) noexcept {\n"
          "  static_cast<void>(q);\n  static_cast<void>(sines);\n";
  std::string stores;
  for (std::size_t i = 0; i < padded; i += 4) {
    const std::string at = std::to_string(i);
    const auto from = [&](const double* values) {
      return lanes(i, joints.size(), [&](std::size_t k) { return number(values[joints[k]]); });
    };
    text +=
        "  const Lanes x" + at + " = " + from(m.angle_ratio) + " * " +
        lanes(i, joints.size(),
              [&](std::size_t k) { return "q[" + std::to_string(m.q_index[joints[k]]) + "]"; }) +
        " + " + from(m.angle_offset) + ";\n";
    text += with(
        "  Lanes s@, c@;\n  sine_cosine(x@, s@, c@);\n  store_lanes(s@, sines.s + @);\n"
        "  store_lanes(c@, sines.c + @);\n",
        '@', at);
    stores += with("    store_lanes(x@, angle + @);\n", '@', at);
  }
  if (padded > 0) {
    text += "  LaneBits far = {};\n";
    for (std::size_t i = 0; i < padded; i += 4) {
      text += with("  far |= ~((x@ <= kLargestAngle) & (x@ >= -kLargestAngle));\n", '@',
                   std::to_string(i));
    }
    text += "  if (any(far)) {\n    double angle[" + size + "];\n" + stores +
            "    sine_cosine_anywhere(" + std::to_string(padded) +
            ", angle, sines.s, sines.c);\n  }\n";
  }
  return text + "}\n\n";
}

std::string GeneratedText::friction(const std::string& target, const std::string& sign) const {
  const CompactLayout& m = compact_.layout();
  std::vector<Index> rubbing;
  for (Index k = 0; k < m.coordinates; ++k) {
    if (m.friction[k] != 0.0) rubbing.push_back(k);
  }
  std::string text;
  for (std::size_t i = 0; i < rubbing.size(); i += 4) {
    const std::string name = "f" + std::to_string(i);
    text += "  const Lanes " + name + " = hyperbolic_tangent(" +
            lanes(i, rubbing.size(),
                  [&](std::size_t k) {
                    return "v[" + std::to_string(compact_.own_index(rubbing[k])) + "]";
                  }) +
            " * " +
            lanes(i, rubbing.size(),
                  [&](std::size_t k) {
                    return number(compact_.own_ratio(rubbing[k]) / m.friction_speed);
                  }) +
            ");\n";
    for (std::size_t k = i; k < std::min(i + 4, rubbing.size()); ++k) {
      const Index own = rubbing[k];
      std::string line = with("  $[@] & ^ * f%[#];\n", '$', target);
      line = with(line, '@', std::to_string(compact_.own_index(own)));
      line = with(line, '&', sign);
      line = with(line, '^', number(compact_.own_ratio(own) * m.friction[own]));
      line = with(line, '%', std::to_string(i));
      text += with(line, '#', std::to_string(k - i));
    }
  }
  return text;
}

std::string GeneratedText::entry_points() const {
  const std::string nq = std::to_string(model_.nq()), nv = std::to_string(model_.nv());
  std::string text = "extern \"C\" {\n\nint " + name_ + "_nq() noexcept { return " + nq +
                     "; }\nint " + name_ + "_nv() noexcept { return " + nv + "; }\n\n";
  for (const Signature& s : kSignatures) {
    const std::string function = s.function;
    const bool forward = function == "forward_dynamics";
    std::string body = std::string(s.result) +
                       " $_@(\n    ^) noexcept {\n  Sines sines;\n  set_sines(q, sines);\n"
                       "  const double *s = sines.s, *c = sines.c;\n";
    if (forward) {
      body += "  double drive[%];\n  for (int k = 0; k < %; ++k) drive[k] = tau[k];\n";
      body += friction("drive", "-=");
    }
    body += "  if (payload != nullptr) {\n    @_with_payload(#);\n  } else {\n    @(#);\n  }\n";
    if (function == "inverse_dynamics") body += friction("tau", "+=");
    if (forward) {  // what is not finite is not equal to itself less itself
      body +=
          "  double sum = 0.0;\n  for (int k = 0; k < %; ++k) sum += acceleration[k] - "
          "acceleration[k];\n"
          "  if (sum == 0.0) return 1;\n  for (int k = 0; k < %; ++k) acceleration[k] = 0.0;\n"
          "  return 0;\n";
    }
    body = with(with(with(body, '$', name_), '@', function), '^', s.inputs);
    text += with(with(body, '%', nv), '#', s.arguments) + "}\n\n";
  }
  return text + "}  // extern \"C\"\n";
}

GeneratedCode GeneratedText::finish() {
  GeneratedCode code;
  code.name = name_;
  code.functions = functions_;
  code.header = header();
  code.source =
      "// Generated by spatial_dynamics; do not edit. Compile with -O2 -ffp-contract=fast.\n";
  code.source += "#include \"" + name_ + ".hpp\"\n\n";
  code.source += without_includes(kLanesSource) + without_includes(kElementarySource);
  code.source += "\nnamespace spatial_dynamics {\nnamespace {\n\n" + sines() + bodies_;
  code.source += "}  // namespace\n}  // namespace spatial_dynamics\n\n";
  code.source += "using namespace spatial_dynamics;\n\n" + entry_points();
  return code;
}

}  // namespace spatial_dynamics
