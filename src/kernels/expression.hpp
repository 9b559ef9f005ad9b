// Arithmetic that records instead of computing: kernels that run on Expression instead of numbers
// record the list of their operations, each once, and without those that a constant 0 or 1 makes
// redundant.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace spatial_dynamics::kernels {

/// A number that is known when the generated code runs. It has the size of a double, so that both
/// fit the kernels' scratch space; all bytes zero represent the number 0.
struct Expression {
  std::int64_t node = 0;

  Expression() = default;
  Expression(double constant);  // NOLINT(google-explicit-constructor): kernels mix both
  static Expression input(const std::string& name);

 private:
  friend class ExpressionGraph;
  struct Node {};
  Expression(Node, std::int64_t index) : node(index) {}
};

/// The operations of one function. Expressions of its thread are recorded in it during its
/// lifetime.
class ExpressionGraph {
 public:
  enum class Operation : std::uint8_t {
    kConstant,
    kInput,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide
  };

  struct Node {
    Operation operation;
    std::int64_t a, b;  ///< operands
    double value;       ///< of a constant
    std::string name;   ///< of an input
  };

  ExpressionGraph();
  ~ExpressionGraph();
  ExpressionGraph(const ExpressionGraph&) = delete;
  ExpressionGraph& operator=(const ExpressionGraph&) = delete;
  static ExpressionGraph& current() noexcept;

  Expression constant(double value);
  Expression input(const std::string& name);
  Expression negate(Expression a);
  Expression add(Expression a, Expression b);
  Expression subtract(Expression a, Expression b);
  Expression multiply(Expression a, Expression b);
  Expression divide(Expression a, Expression b);

  [[nodiscard]] static bool is_zero(Expression a) noexcept { return a.node == 0; }

  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  /// A node as an operand in C++: its name or its number.
  [[nodiscard]] std::string text(std::int64_t node) const;

 private:
  struct Key {
    Operation operation;
    std::int64_t a, b;
    bool operator==(const Key& o) const noexcept {
      return operation == o.operation && a == o.a && b == o.b;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& k) const noexcept;
  };

  [[nodiscard]] const Node& at(Expression a) const {
    return nodes_[static_cast<std::size_t>(a.node)];
  }
  [[nodiscard]] bool is(Expression a, Operation operation) const {
    return at(a).operation == operation;
  }
  Expression make(Operation operation, Expression a, Expression b);

  ExpressionGraph* outer_;
  std::vector<Node> nodes_;
  std::unordered_map<Key, std::int64_t, Hash> known_;
};

inline Expression operator-(Expression a) { return ExpressionGraph::current().negate(a); }
inline Expression operator+(Expression a, Expression b) {
  return ExpressionGraph::current().add(a, b);
}
inline Expression operator-(Expression a, Expression b) {
  return ExpressionGraph::current().subtract(a, b);
}
inline Expression operator*(Expression a, Expression b) {
  return ExpressionGraph::current().multiply(a, b);
}
inline Expression operator/(Expression a, Expression b) {
  return ExpressionGraph::current().divide(a, b);
}
inline Expression& operator+=(Expression& a, Expression b) { return a = a + b; }
inline Expression& operator-=(Expression& a, Expression b) { return a = a - b; }
/// Pivots are not checked here: the generated code checks whether its results are finite.
inline bool is_pivot(const Expression&, const Expression&, double) noexcept { return true; }

inline Expression& operator*=(Expression& a, Expression b) { return a = a * b; }

}  // namespace spatial_dynamics::kernels
