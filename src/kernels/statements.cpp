// A sum of many terms is written as a chain: each term is added to the sum so far, so that every
// product except the first becomes a fused multiply-add; a tree of additions, as formulas are
// written, would fuse fewer. A term is added as soon as the kernel computes it, so that no term
// waits in a register for the rest of its sum.
#include "statements.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace spatial_dynamics::kernels {
namespace {

using Node = ExpressionGraph::Node;
using Operation = ExpressionGraph::Operation;

/// One statement.
struct Line {
  std::int64_t position;  ///< of the node that it adds or computes
  std::string name;       ///< of its result; empty if it sets an output
  std::string text;       ///< the value; or the whole statement
};

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

  /// The statements in order.
  std::vector<Line> write() {
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
    return std::move(lines_);
  }

 private:
  struct Uses {
    int all = 0, in_sums = 0;
  };
  struct Term {
    std::int64_t node;
    bool negative;
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
    lines_.push_back({position, name, value});
  }

  const ExpressionGraph& graph_;
  OperationCounts& counts_;
  std::vector<Uses> uses_;
  std::vector<Line> lines_;
};

/// Distributes lines over parts. A result that a later part needs is written to the array `kept`;
/// its place there is used again after the last part that reads it.
class PartWriter {
 public:
  PartWriter(const std::vector<Line>& lines, std::size_t longest)
      : lines_(lines), longest_(longest), last_use_(lines.size(), 0) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].name.empty()) line_of_.emplace(lines[i].name, i);
      for_each_operand(lines[i].text, [&](std::size_t, std::size_t, std::size_t definition) {
        last_use_[definition] = part_of(i);
      });
    }
  }

  StatementParts write() {
    place_.assign(lines_.size(), kNoPlace);
    StatementParts result;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (part_of(i) == result.parts.size()) {
        finish(result);
        result.parts.emplace_back();
        release(part_of(i));
      }
      result.parts.back() += statement(i, result.kept);
    }
    if (result.parts.empty()) result.parts.emplace_back();
    finish(result);
    return result;
  }

 private:
  static constexpr int kNoPlace = -1;

  [[nodiscard]] std::size_t part_of(std::size_t line) const noexcept { return line / longest_; }

  /// Calls visit(start, length, line that computes it) for each result that a text uses.
  template <typename Visit>
  void for_each_operand(const std::string& text, const Visit& visit) const {
    const auto is_part_of_a_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (std::size_t start = 0; start < text.size();) {
      std::size_t end = start;
      while (end < text.size() && is_part_of_a_name(text[end])) ++end;
      const auto found = line_of_.find(text.substr(start, end - start));
      if (found != line_of_.end()) visit(start, end - start, found->second);
      start = std::max(end, start + 1);
    }
  }

  std::string statement(std::size_t i, int& kept) {
    const Line& line = lines_[i];
    std::string text;
    std::size_t done = 0;
    for_each_operand(line.text, [&](std::size_t start, std::size_t length, std::size_t definition) {
      if (part_of(definition) == part_of(i)) return;
      text += line.text.substr(done, start - done) + place(definition);
      done = start + length;
    });
    text += line.text.substr(done);
    if (line.name.empty()) return text;
    text = "  const auto " + line.name + " = " + text + ";\n";
    if (last_use_[i] <= part_of(i)) return text;
    place_[i] = take_place(kept);
    stores_ += "  set(" + place(i) + ", " + line.name + ");\n";
    return text;
  }
  /// Writes what is kept at the end of the part: GCC compares each load with all stores before it.
  void finish(StatementParts& result) {
    if (!result.parts.empty()) result.parts.back() += std::exchange(stores_, {});
  }

  [[nodiscard]] std::string place(std::size_t definition) const {
    return "kept[" + std::to_string(place_[definition]) + "]";
  }
  int take_place(int& kept) {
    if (free_.empty()) return kept++;
    const int place = free_.back();
    free_.pop_back();
    return place;
  }
  /// Frees the places of results that neither this part nor a later one reads.
  void release(std::size_t part) {
    for (std::size_t i = 0; i < lines_.size() && part_of(i) < part; ++i) {
      if (place_[i] != kNoPlace && last_use_[i] < part) {
        free_.push_back(place_[i]);
        place_[i] = kNoPlace;
      }
    }
  }

  const std::vector<Line>& lines_;
  std::size_t longest_;
  std::unordered_map<std::string, std::size_t> line_of_;  ///< by the name of its result
  std::vector<std::size_t> last_use_;                     ///< per line: the last part that reads it
  std::vector<int> place_;                                ///< per line: in `kept`
  std::vector<int> free_;
  std::string stores_;  ///< of this part
};

}  // namespace

StatementParts write_statements(const ExpressionGraph& graph, const std::vector<Output>& outputs,
                                OperationCounts& counts, std::size_t longest_part) {
  StatementWriter writer(graph, counts);
  writer.count_uses(outputs);
  std::vector<Line> lines = writer.write();
  for (const Output& output : outputs) {
    lines.push_back(
        {0, "", "  set(" + output.target + ", " + graph.text(output.value.node) + ");\n"});
  }
  return PartWriter(lines, longest_part).write();
}

}  // namespace spatial_dynamics::kernels
