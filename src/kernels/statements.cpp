// A sum of many terms is written as a chain: each term is added to the sum so far, so that every
// product except the first becomes a fused multiply-add; a tree of additions, as formulas are
// written, would fuse fewer. A term is added as soon as the kernel computes it, so that no term
// waits in a register for the rest of its sum.
#include "statements.hpp"

#include <algorithm>

namespace spatial_dynamics::kernels {
namespace {

using Node = ExpressionGraph::Node;
using Operation = ExpressionGraph::Operation;

class StatementWriter {
 public:
  StatementWriter(const ExpressionGraph& graph, OperationCounts& counts)
      : graph_(graph), counts_(counts), uses_(graph.nodes().size()) {}

  void count_uses(const std::vector<Output>& outputs) {
    for (const Output& output : outputs) ++uses(output.value.node).all;
    for (auto n = static_cast<std::int64_t>(uses_.size()); n-- > 0;) {  // operands come before
      if (!is_written(n)) continue;
      const Node& node = at(n);
      for (const std::int64_t operand : {node.a, node.b}) {
        ++uses(operand).all;
        if (is_sum(node)) ++uses(operand).in_sums;
      }
    }
  }

  std::string write() {
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(uses_.size()); ++n) {
      if (!is_written(n)) continue;
      const Node& node = at(n);
      if (node.operation == Operation::kMultiply) ++counts_.multiplications;
      if (node.operation == Operation::kDivide) ++counts_.divisions;
      if (is_sum(node)) ++counts_.additions;
      if (is_part_of_a_sum(n)) continue;
      if (is_sum(node)) {
        write_sum(n);
      } else {
        write_line(
            n, graph_.text(n),
            is_shared_product(n) ? "once(" + operation_text(node) + ")" : operation_text(node));
      }
    }
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const Line& a, const Line& b) { return a.position < b.position; });
    std::string code;
    for (const Line& line : lines_) code += line.text;
    return code;
  }

 private:
  struct Uses {
    int all = 0, in_sums = 0;
  };
  struct Term {
    std::int64_t node;
    bool negative;
  };
  struct Line {
    std::int64_t position;  ///< of the node that it adds or computes
    std::string text;
  };

  [[nodiscard]] const Node& at(std::int64_t n) const {
    return graph_.nodes()[static_cast<std::size_t>(n)];
  }
  Uses& uses(std::int64_t n) { return uses_[static_cast<std::size_t>(n)]; }
  static bool is_sum(const Node& node) noexcept {
    return node.operation == Operation::kAdd || node.operation == Operation::kSubtract;
  }
  bool is_written(std::int64_t n) {
    return uses(n).all > 0 && at(n).operation >= Operation::kNegate;
  }
  /// A sum or a product that only one sum uses.
  bool is_part_of_a_sum(std::int64_t n) {
    return uses(n).all == 1 && uses(n).in_sums == 1 &&
           (is_sum(at(n)) || at(n).operation == Operation::kMultiply);
  }

  /// A product that only sums use, and several of them. If any other operation uses it, GCC
  /// multiplies only once anyway. See once() in the generated text.
  bool is_shared_product(std::int64_t n) {
    return at(n).operation == Operation::kMultiply && uses(n).all == uses(n).in_sums;
  }

  void collect_terms(std::int64_t n, bool negative, std::vector<Term>& terms) {
    const Node& node = at(n);
    const bool other = negative != (node.operation == Operation::kSubtract);
    for (const Term term : {Term{node.a, negative}, Term{node.b, other}}) {
      if (is_part_of_a_sum(term.node) && is_sum(at(term.node))) {
        collect_terms(term.node, term.negative, terms);
      } else {
        terms.push_back(term);
      }
    }
  }

  /// The first operand of a sum counts positive, and so on inside it: no sum has negative terms
  /// alone.
  void write_sum(std::int64_t n) {
    std::vector<Term> terms;
    collect_terms(n, false, terms);
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return a.node < b.node; });
    const std::string name = graph_.text(n);
    std::string sum = graph_.text(terms[0].node);
    if (is_part_of_a_sum(terms[0].node)) {
      sum = name + "_0";
      write_line(terms[0].node, sum, term_text(terms[0].node));
    }
    bool negative = terms[0].negative;  // what is written so far is minus the sum; at the end not
    for (std::size_t k = 1; k < terms.size(); ++k) {
      const std::string term = term_text(terms[k].node);
      const std::string next = k + 1 < terms.size() ? name + "_" + std::to_string(k) : name;
      if (negative && !terms[k].negative) {
        write_line(terms[k].node, next, joined(term, " - ", sum));
        negative = false;
      } else {
        const char* const sign = terms[k].negative != negative ? " - " : " + ";
        write_line(terms[k].node, next, joined(sum, sign, term));
      }
      sum = next;
    }
  }

  /// The term: a product that fuses into the addition, or the name of an earlier result.
  std::string term_text(std::int64_t n) {
    return is_part_of_a_sum(n) ? operation_text(at(n)) : graph_.text(n);
  }
  [[nodiscard]] std::string operation_text(const Node& node) const {
    static constexpr const char* kSigns[] = {"", "", "-", " + ", " - ", " * ", " / "};
    const char* const sign = kSigns[static_cast<std::size_t>(node.operation)];
    if (node.operation == Operation::kNegate) return sign + graph_.text(node.a);
    return joined(graph_.text(node.a), sign, graph_.text(node.b));
  }
  static std::string joined(std::string left, const char* sign, const std::string& right) {
    left += sign;
    left += right;
    return left;
  }
  void write_line(std::int64_t position, const std::string& name, const std::string& value) {
    lines_.push_back({position, "  const auto " + name + " = " + value + ";\n"});
  }

  const ExpressionGraph& graph_;
  OperationCounts& counts_;
  std::vector<Uses> uses_;
  std::vector<Line> lines_;
};

}  // namespace

std::string write_statements(const ExpressionGraph& graph, const std::vector<Output>& outputs,
                             OperationCounts& counts) {
  StatementWriter writer(graph, counts);
  writer.count_uses(outputs);
  std::string code = writer.write();
  for (const Output& output : outputs) {
    code += "  set(" + output.target + ", " + graph.text(output.value.node) + ");\n";
  }
  return code;
}

}  // namespace spatial_dynamics::kernels
