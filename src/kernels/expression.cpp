#include "expression.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace spatial_dynamics::kernels {
namespace {

thread_local ExpressionGraph* current_graph = nullptr;

}  // namespace

Expression::Expression(double constant)
    : Expression(ExpressionGraph::current().constant(constant)) {}
Expression Expression::input(const std::string& name) {
  return ExpressionGraph::current().input(name);
}

std::size_t ExpressionGraph::Hash::operator()(const Key& k) const noexcept {
  std::uint64_t h = static_cast<std::uint64_t>(k.operation) + 1;
  for (const std::int64_t x : {k.a, k.b}) {
    h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return static_cast<std::size_t>(h);
}

ExpressionGraph::ExpressionGraph() : outer_(std::exchange(current_graph, this)) {
  nodes_.push_back({Operation::kConstant, 0, 0, 0.0, {}});  // node 0 is the number 0
  known_.emplace(Key{Operation::kConstant, 0, 0}, 0);
}
ExpressionGraph::~ExpressionGraph() { current_graph = outer_; }
ExpressionGraph& ExpressionGraph::current() noexcept { return *current_graph; }

Expression ExpressionGraph::make(Operation operation, Expression a, Expression b) {
  const bool commutes = operation == Operation::kAdd || operation == Operation::kMultiply;
  if (commutes && a.node > b.node) std::swap(a, b);
  const auto [found, is_new] =
      known_.emplace(Key{operation, a.node, b.node}, static_cast<std::int64_t>(nodes_.size()));
  if (is_new) nodes_.push_back({operation, a.node, b.node, 0.0, {}});
  return {Expression::Node{}, found->second};
}

Expression ExpressionGraph::constant(double value) {
  if (value == 0.0) return {};  // -0 too
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const auto [found, is_new] =
      known_.emplace(Key{Operation::kConstant, bits, 0}, static_cast<std::int64_t>(nodes_.size()));
  if (is_new) nodes_.push_back({Operation::kConstant, 0, 0, value, {}});
  return {Expression::Node{}, found->second};
}

Expression ExpressionGraph::input(const std::string& name) {
  nodes_.push_back({Operation::kInput, 0, 0, 0.0, name});
  return {Expression::Node{}, static_cast<std::int64_t>(nodes_.size()) - 1};
}

Expression ExpressionGraph::negate(Expression a) {
  if (is(a, Operation::kConstant)) return constant(-at(a).value);
  if (is(a, Operation::kNegate)) return {Expression::Node{}, at(a).a};
  if (is(a, Operation::kSubtract)) {
    return make(Operation::kSubtract, {Expression::Node{}, at(a).b}, {Expression::Node{}, at(a).a});
  }
  return make(Operation::kNegate, a, {});
}

Expression ExpressionGraph::add(Expression a, Expression b) {
  if (is(a, Operation::kConstant) && is(b, Operation::kConstant)) {
    return constant(at(a).value + at(b).value);
  }
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (is(b, Operation::kNegate)) return subtract(a, negate(b));
  if (is(a, Operation::kNegate)) return subtract(b, negate(a));
  return make(Operation::kAdd, a, b);
}

Expression ExpressionGraph::subtract(Expression a, Expression b) {
  if (is(b, Operation::kConstant)) return add(a, negate(b));
  if (a.node == b.node) return {};
  if (is_zero(a)) return negate(b);
  if (is(b, Operation::kNegate)) return add(a, negate(b));
  if (is(a, Operation::kNegate)) return negate(add(negate(a), b));
  if (is(a, Operation::kAdd) && is(b, Operation::kAdd)) {  // (x + y) - (x + z)
    const Node m = at(a), n = at(b);
    const auto difference = [this](std::int64_t y, std::int64_t z) {
      return subtract({Expression::Node{}, y}, {Expression::Node{}, z});
    };
    if (m.a == n.a) return difference(m.b, n.b);
    if (m.a == n.b) return difference(m.b, n.a);
    if (m.b == n.a) return difference(m.a, n.b);
    if (m.b == n.b) return difference(m.a, n.a);
  }
  return make(Operation::kSubtract, a, b);
}

Expression ExpressionGraph::multiply(Expression a, Expression b) {
  if (is(b, Operation::kConstant)) std::swap(a, b);
  if (is(a, Operation::kConstant)) {
    const double value = at(a).value;
    if (is(b, Operation::kConstant)) return constant(value * at(b).value);
    if (value == 0.0) return {};
    if (value == 1.0) return b;
    if (value < 0.0) return negate(multiply(constant(-value), b));
    if (is(b, Operation::kMultiply)) {
      Expression factor{Expression::Node{}, at(b).a}, other{Expression::Node{}, at(b).b};
      if (is(other, Operation::kConstant)) std::swap(factor, other);
      if (is(factor, Operation::kConstant)) {
        return multiply(constant(value * at(factor).value), other);
      }
    }
  }
  // Signs move outward, where they combine with an addition and vanish.
  if (is(a, Operation::kNegate)) return negate(multiply(negate(a), b));
  if (is(b, Operation::kNegate)) return negate(multiply(a, negate(b)));
  return make(Operation::kMultiply, a, b);
}

Expression ExpressionGraph::divide(Expression a, Expression b) {
  if (is(b, Operation::kConstant)) return multiply(a, constant(1.0 / at(b).value));
  if (is_zero(a)) return {};
  return make(Operation::kDivide, a, b);
}

std::string ExpressionGraph::text(std::int64_t node) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  if (n.operation == Operation::kInput) return n.name;
  if (n.operation != Operation::kConstant) return "t" + std::to_string(node);
  // A link without inertia makes pivots zero: results computed with them are not finite.
  if (!std::isfinite(n.value)) return "__builtin_nan(\"\")";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", n.value);
  std::string number = buffer;
  if (number.find_first_of(".en") == std::string::npos) number += ".0";
  return n.value < 0.0 ? "(" + number + ")" : number;
}

}  // namespace spatial_dynamics::kernels
