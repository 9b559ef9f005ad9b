// Arithmetic that remembers instead of computing: kernels run on Expression instead of numbers leave behind the list of
// operations that they would have done, each of them once, and none that a constant 0 or 1 makes superfluous.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace spatial_dynamics {

/// A number that will be known when the generated code runs. As wide as a double, so that both fit the kernels' scratch space;
/// made of zeros it is the number 0.
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

/// The operations of one function. While it lives, expressions of its thread are recorded in it.
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

  struct Counts {
    int multiplications = 0, additions = 0, divisions = 0;
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

  /// What an expression is assigned to.
  struct Output {
    std::string target;
    Expression value;
  };
  /// The statements that compute the outputs, without what they do not need. They are good for numbers and for lanes:
  /// set(target, value) is to know both.
  std::string statements(const std::vector<Output>& outputs, Counts& counts) const;

 private:
  class Writer;
  struct Node {
    Operation operation;
    std::int64_t a, b;
    double value;
    std::string name;
  };
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
  [[nodiscard]] std::string text(std::int64_t node) const;

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
/// Pivots are judged where the code runs, by whether its results are finite.
inline bool is_pivot(const Expression&, const Expression&, double) noexcept { return true; }

inline Expression& operator*=(Expression& a, Expression b) { return a = a * b; }

}  // namespace spatial_dynamics
