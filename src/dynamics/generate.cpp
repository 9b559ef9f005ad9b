#include "spatial_dynamics/dynamics/generate.hpp"

#include <cctype>
#include <stdexcept>

#include "generated_text.hpp"
#include "kernels/coordinates.hpp"
#include "kernels/core/factor.hpp"
#include "kernels/core/mass_rows.hpp"
#include "kernels/expression.hpp"

namespace spatial_dynamics::kernels {
namespace {

std::vector<Expression> inputs(const std::string& name, Index count) {
  std::vector<Expression> list;
  for (Index i = 0; i < count; ++i) {
    list.push_back(Expression::input(name + "[" + std::to_string(i) + "]"));
  }
  return list;
}
std::vector<Output> outputs(const std::string& name, const std::vector<Expression>& values) {
  std::vector<Output> list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    list.push_back({name + "[" + std::to_string(i) + "]", values[i]});
  }
  return list;
}

/// Where inverse dynamics and mass matrix have more operations together, forward dynamics calls
/// both instead of repeating them, which halves the time to compile.
constexpr int kLargestWhole = 8000;

int total(const OperationCounts& counts) noexcept {
  return counts.multiplications + counts.additions + counts.divisions;
}
OperationCounts operator+(const OperationCounts& a, const OperationCounts& b) noexcept {
  return {a.multiplications + b.multiplications, a.additions + b.additions,
          a.divisions + b.divisions};
}

/// Records one function: the kernels of core/, run on expressions.
class Recorder {
 public:
  Recorder(const CompactModel& model, const Link* payload)
      : model_(model),
        m_(model.layout()),
        flags_(m_.flags, m_.flags + m_.joints),
        memory_(model, 1),
        s_(memory_.scratch()),
        payload_(payload) {
    static_assert(sizeof(Expression) == sizeof(double), "both share the scratch space");
    // The motion of the payload link is kept, as for a link that branches.
    if (payload_ != nullptr && payload_->body > 0) {
      flags_[static_cast<std::size_t>(payload_->body - 1)] |= kBranches;
    }
    m_.flags = flags_.data();
    set_positions(inputs("q", model.nq()));
    if (payload_ != nullptr) {
      read_payload();
      read_wrenches();
    }
  }

  std::vector<Output> inverse_dynamics() {
    const std::vector<Expression> v = unreduced(inputs("v", model_.nv()));
    const std::vector<Expression> a = unreduced(inputs("a", model_.nv()));
    std::vector<Expression> tau = torques<Rates::kAll>(v, a);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      tau[k] += m_.damping[k] * v[k] + m_.armature[k] * a[k];
    }
    return outputs("tau", reduced(tau));
  }

  std::vector<Output> mass_matrix() {
    fill_rows();
    const Index n = model_.nv();
    std::vector<Expression> M(static_cast<std::size_t>(n * n));
    for_each_row_entry([&](Index k, Index i, Expression entry) {
      const Index r = model_.unreduced_index(k), c = model_.unreduced_index(i);
      entry = (model_.unreduced_ratio(k) * model_.unreduced_ratio(i)) * entry;
      M[static_cast<std::size_t>(c * n + r)] += entry;
      if (k != i) M[static_cast<std::size_t>(r * n + c)] += entry;
    });
    return outputs("M", M);
  }

  /// The last step of forward dynamics, from the result of mass_matrix(): M acceleration = tau.
  std::vector<Output> solve() {
    const Index n = model_.nv();
    const std::vector<Expression> M = inputs("M", n * n);
    std::vector<Expression> x = inputs("tau", n);
    const FactorRows rows = model_.reduced() ? model_.reduced_rows() : m_.rows;
    std::vector<Expression> full(
        static_cast<std::size_t>(model_.reduced() ? model_.reduced_size() : model_.packed_size()));
    for (std::int32_t k = 0; k < rows.count; ++k) {
      Expression* entry = full.data() + rows.diagonal(k);
      for (std::int32_t i = k; i >= 0; i = rows.parent[i]) {
        *entry-- = M[static_cast<std::size_t>(n * i + k)];
      }
    }
    return outputs("acceleration", solved(rows, full.data(), std::move(x)));
  }

  std::vector<Output> forward_dynamics() {
    const std::vector<Expression> v = unreduced(inputs("v", model_.nv()));
    std::vector<Expression> bias = torques<Rates::kVelocities>(v, {});
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] += m_.damping[k] * v[k];
    std::vector<Expression> x = inputs("tau", model_.nv());
    const std::vector<Expression> resisting = reduced(bias);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] -= resisting[k];
    fill_rows();
    Expression* packed = packed_();
    FactorRows rows = m_.rows;
    std::vector<Expression> full;
    if (model_.reduced()) {
      full = reduced_rows();
      packed = full.data();
      rows = model_.reduced_rows();
    }
    return outputs("acceleration", solved(rows, packed, std::move(x)));
  }

 private:
  static std::vector<Expression> solved(const FactorRows& rows, Expression* packed,
                                        std::vector<Expression> x) {
    std::vector<Expression> inverse(static_cast<std::size_t>(rows.count));
    static_cast<void>(factorise(rows, packed, inverse.data(), x.data()));
    solve_outward(rows, packed, inverse.data(), x.data());
    return x;
  }

  template <typename Struct>
  static Struct* as(double* memory) noexcept {
    return reinterpret_cast<Struct*>(memory);
  }
  Expression* packed_() const noexcept { return as<Expression>(memory_.scratch().packed); }

  void set_positions(const std::vector<Expression>& q) {
    int angle = 0;
    for (int j = 0; j < m_.joints; ++j) {
      const bool constant = m_.angle_ratio[j] == 0.0;
      const std::string index = "[" + std::to_string(angle) + "]";
      s_.sine[j] =
          constant ? Expression(std::sin(m_.angle_offset[j])) : Expression::input("s" + index);
      s_.cosine[j] =
          constant ? Expression(std::cos(m_.angle_offset[j])) : Expression::input("c" + index);
      if (!constant) ++angle;
    }
    for (int k = 0; k < m_.slides; ++k) {
      const CompactSlide& slide = m_.slide[k];
      if (m_.flags[slide.joint] & kFreeJoint) {
        place_free_joint(m_, s_, slide, q.data());
      } else {
        place_slide(m_, s_, slide, q.data());
      }
    }
  }

  /// The payload's ten numbers, transformed from the link's frame to its body's compact frame.
  void read_payload() {
    const Transform X = payload_->placement * model_.frame(payload_->body).inverse();
    const std::vector<Expression> p = inputs("payload", 10);
    // Second moments of mass, Jxx = (Iyy - Ixx + Izz) / 2 and so on; the digits of a small Izz are
    // kept.
    const Expression xx = p[4], yy = p[7], zz = p[9];
    load_ = {
        p[0], {p[1], p[2], p[3]},    0.5 * ((yy - xx) + zz), p[5], p[6], 0.5 * ((xx - yy) + zz),
        p[8], 0.5 * ((xx - zz) + yy)};
    const Matrix3 R = X.rotation();
    const auto column = [&R](Index c) { return Vec3<Expression>{R(0, c), R(1, c), R(2, c)}; };
    turn(Mat3<Expression>{column(0), column(1), column(2)}, load_);
    shift(Vec3<Expression>{X.r.x(), X.r.y(), X.r.z()}, load_);
  }
  /// The wrenches on all bodies, in their compact frames: E (n - r x f) and E f.
  void read_wrenches() {
    const std::vector<Expression> x = inputs("external", 6 * model_.body_count());
    for (Index i = 1; i < model_.body_count(); ++i) {
      const Expression* at = x.data() + 6 * i;
      const Matrix3& E = model_.frame(i).E;
      const Vector3& r = model_.frame(i).r;
      const auto row = [&E](Index k) { return Vec3<Expression>{E(k, 0), E(k, 1), E(k, 2)}; };
      const auto turned = [&row](const Vec3<Expression>& a) {
        return Vec3<Expression>{dot(row(0), a), dot(row(1), a), dot(row(2), a)};
      };
      const Vec3<Expression> force{at[3], at[4], at[5]};
      const Vec3<Expression> place{r.x(), r.y(), r.z()};
      external_.push_back(
          {turned(force), turned(minus_cross({at[0], at[1], at[2]}, place, force))});
    }
  }
  int payload_joint() const {
    return payload_ == nullptr ? -1 : static_cast<int>(payload_->body) - 1;
  }

  std::vector<Expression> unreduced(const std::vector<Expression>& x) const {
    std::vector<Expression> result;
    for (Index k = 0; k < m_.coordinates; ++k) {
      result.push_back(model_.unreduced_ratio(k) *
                       x[static_cast<std::size_t>(model_.unreduced_index(k))]);
    }
    return result;
  }
  std::vector<Expression> reduced(const std::vector<Expression>& x) const {
    std::vector<Expression> result(static_cast<std::size_t>(model_.nv()));
    for (Index k = 0; k < m_.coordinates; ++k) {
      result[static_cast<std::size_t>(model_.unreduced_index(k))] +=
          model_.unreduced_ratio(k) * x[static_cast<std::size_t>(k)];
    }
    return result;
  }

  template <Rates kRates>
  std::vector<Expression> torques(const std::vector<Expression>& v,
                                  const std::vector<Expression>& a) {
    const std::vector<Expression> g = inputs("gravity", 3);
    const Matrix3& E = model_.frame(0).E;
    const auto row = [&](Index r) { return -(E(r, 0) * g[0] + E(r, 1) * g[1] + E(r, 2) * g[2]); };
    auto* kept = as<Motion3<Expression>>(memory_.scratch().motion);
    auto* wrench = as<Wrench<Expression>>(memory_.scratch().wrench);
    forward_pass<Expression, kRates>(m_, s_, {row(0), row(1), row(2)}, kept, wrench, v.data(),
                                     a.data());
    if (const int j = payload_joint(); j >= 0) {
      wrench[j] = wrench[j] + load_wrench(kept[j + 1]);
    }
    for (std::size_t j = 0; j < external_.size(); ++j) {
      wrench[j].force -= external_[j].force;
      wrench[j].moment -= external_[j].moment;
    }
    std::vector<Expression> tau(static_cast<std::size_t>(m_.coordinates));
    backward_pass(m_, s_, wrench, tau.data());
    return tau;
  }

  /// The wrench that moves the payload, as if it were a separate link.
  Wrench<Expression> load_wrench(const Motion3<Expression>& at) const {
    const struct {
      Expression hx, hy, Jxx, Jyy, Ixy, Ixz, Iyz;
    } link{load_.h.x, load_.h.y, load_.xx, load_.yy, load_.xy, load_.xz, load_.yz};
    const struct { Expression mass, hz, Jzz; } rod{load_.mass, load_.h.z, load_.zz};
    return link_wrench(link, rod, at, rate_matrix(at));
  }

  void fill_rows() {
    const KernelScratch& scratch = memory_.scratch();
    auto* waiting = as<Composite<Expression>>(scratch.composite);
    auto* column = as<Wrench<Expression>>(scratch.column);
    clear_composites(m_, waiting);
    if (const int j = payload_joint(); j >= 0) waiting[j] = load_;
    composite_pass(m_, s_, waiting, column);
    row_pass(m_, s_, column, packed_());
  }

  template <typename Visit>
  void for_each_row_entry(const Visit& visit) const {
    for (std::int32_t k = 0; k < m_.rows.count; ++k) {
      const Expression* entry = packed_() + m_.rows.diagonal(k);
      for (std::int32_t i = k; i >= 0; i = m_.rows.parent[i]) visit(k, i, *entry--);
    }
  }
  /// The same as reduce_rows() for numbers.
  std::vector<Expression> reduced_rows() const {
    std::vector<Expression> full(static_cast<std::size_t>(model_.reduced_size()));
    for_each_row_entry([&](Index k, Index i, Expression entry) {
      const Index a = std::max(model_.unreduced_index(k), model_.unreduced_index(i));
      const Index b = std::min(model_.unreduced_index(k), model_.unreduced_index(i));
      const double times = a == b && k != i ? 2.0 : 1.0;
      full[static_cast<std::size_t>(model_.reduced_rows().start[a] + b)] +=
          (times * model_.unreduced_ratio(k) * model_.unreduced_ratio(i)) * entry;
    });
    return full;
  }

  const CompactModel& model_;
  CompactLayout m_;
  std::vector<std::uint8_t> flags_;
  ScratchMemory memory_;
  Scratch<Expression> s_;
  const Link* payload_;
  Composite<Expression> load_{};
  std::vector<Wrench<Expression>> external_;  ///< per joint, where there is a payload
};

std::string identifier(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])))
    result = "robot_" + result;
  return result;
}

}  // namespace
}  // namespace spatial_dynamics::kernels

namespace spatial_dynamics {

GeneratedCode generate_code(const Model& model, const GenerateOptions& options) {
  using namespace kernels;  // NOLINT(google-build-using-namespace): its own parts
  const Index link = options.payload_link.empty() ? last_moving_link(model)
                                                  : model.find_link(options.payload_link);
  if (link == kNoIndex) {
    throw std::invalid_argument("the robot has no link '" + options.payload_link +
                                "' that could carry a payload");
  }
  if (!options.payload_link.empty() && model.link(link).body == 0) {
    throw std::invalid_argument(
        "link '" + options.payload_link +
        "' is fixed to the world, where a payload changes no torque; name a link that moves");
  }
  const CompactModel compact = compile(model);
  GeneratedText text(model, compact, identifier(options.name.empty() ? model.name() : options.name),
                     model.link(link).name);
  OperationCounts solution;
  for (const bool loaded : {false, true}) {
    const Link* payload = loaded ? &model.link(link) : nullptr;
    const auto record = [&](const std::string& function, auto member) {
      const ExpressionGraph graph;
      Recorder recorder(compact, payload);
      const std::vector<Output> results = (recorder.*member)();
      OperationCounts counts;
      text.add(function, loaded, write_statements(graph, results, counts), counts);
      return counts;
    };
    const OperationCounts torque = record("inverse_dynamics", &Recorder::inverse_dynamics);
    const OperationCounts matrix = record("mass_matrix", &Recorder::mass_matrix);
    if (total(torque) + total(matrix) <= kLargestWhole) {
      record("forward_dynamics", &Recorder::forward_dynamics);
    } else {
      if (!loaded) solution = record("solve", &Recorder::solve);
      text.add_composed_forward_dynamics(loaded, torque + matrix + solution);
    }
  }
  return text.finish();
}

}  // namespace spatial_dynamics
