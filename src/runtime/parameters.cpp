#include "runtime/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/parameters_text.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

std::string subject(const ParameterDescription& description, const ParameterValue& value) {
  return "parameter " + in_quotes(description.name) + " is " + shown(value) + ", but ";
}

[[noreturn]] void reject(const ParameterDescription& description, const ParameterValue& value,
                         const std::string& why) {
  throw ParameterError(description.name, subject(description, value) + why + ".");
}

std::string must_be(const ParameterDescription& description) {
  const std::string allowed = allowed_values(description);
  const bool array =
      description.type() == ParameterType::kNumbers || description.type() == ParameterType::kTexts;
  return (array ? "each of its values must be " : "must be ") + allowed;
}

/// The value as the parameter's type, where nothing is lost by it.
ParameterValue converted(const ParameterDescription& description, const ParameterValue& value) {
  const ParameterType wanted = description.type();
  const ParameterType given = type_of(value);
  if (wanted == given) return value;
  if (given == ParameterType::kInteger) {
    const auto number = static_cast<double>(std::get<std::int64_t>(value));
    if (wanted == ParameterType::kNumber) return number;
    if (wanted == ParameterType::kNumbers) return std::vector<double>{number};
  }
  if (given == ParameterType::kNumber && wanted == ParameterType::kNumbers) {
    return std::vector<double>{std::get<double>(value)};
  }
  if (given == ParameterType::kText && wanted == ParameterType::kTexts) {
    const auto& text = std::get<std::string>(value);
    return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{text};
  }
  if (given == ParameterType::kText && wanted == ParameterType::kNumbers &&
      std::get<std::string>(value).empty() && description.may_be_empty()) {
    return std::vector<double>{};
  }
  // [] has no type of its own.
  if (given == ParameterType::kNumbers && wanted == ParameterType::kTexts &&
      std::get<std::vector<double>>(value).empty()) {
    return std::vector<std::string>{};
  }
  if (given == ParameterType::kTexts && wanted == ParameterType::kNumbers &&
      std::get<std::vector<std::string>>(value).empty()) {
    return std::vector<double>{};
  }
  reject(description, value, std::string("must be ") + with_article(wanted));
}

/// A copy of a value and the number or text in it that is at fault.
struct Checker {
  const ParameterDescription& description;
  const ParameterValue& value;

  void number(double x) const {
    if (!std::isfinite(x)) reject(description, value, "must be finite");
    if (x < description.lower || x > description.upper) {
      reject(description, value, must_be(description));
    }
  }
  void text(const std::string& x) const {
    const auto& choices = description.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), x) == choices.end()) {
      reject(description, value, must_be(description));
    }
  }
  void length(std::size_t n) const {
    if (n == 0 && description.length == 0 && !description.may_be_empty()) {
      reject(description, value, std::string("must be ") + with_article(description.type()));
    }
    if (description.length != 0 && n != description.length) {
      reject(
          description, value,
          "must have " + std::to_string(description.length) + " values, not " + std::to_string(n));
    }
  }
};

void check(const ParameterDescription& description, const ParameterValue& value) {
  const Checker checker{description, value};
  switch (description.type()) {
    case ParameterType::kBool:
      break;
    case ParameterType::kInteger:
      checker.number(static_cast<double>(std::get<std::int64_t>(value)));
      break;
    case ParameterType::kNumber:
      checker.number(std::get<double>(value));
      break;
    case ParameterType::kText:
      checker.text(std::get<std::string>(value));
      break;
    case ParameterType::kNumbers: {
      const auto& numbers = std::get<std::vector<double>>(value);
      checker.length(numbers.size());
      for (const double x : numbers) checker.number(x);
      break;
    }
    case ParameterType::kTexts: {
      const auto& texts = std::get<std::vector<std::string>>(value);
      checker.length(texts.size());
      for (const std::string& x : texts) checker.text(x);
      break;
    }
  }
}

ParameterValue accepted(const ParameterDescription& description, const ParameterValue& value) {
  ParameterValue result = converted(description, value);
  check(description, result);
  return result;
}

/// The row of one joint's number: as its row, but a single number under its own name.
ParameterDescription description_of(const JointParameter& parameter, std::string_view name) {
  ParameterDescription result = *parameter.row;
  result.name = name;
  result.default_value = 0.0;
  return result;
}

[[noreturn]] void reject_unknown(const ParameterTable& table, std::string_view name) {
  const std::string near = nearest_name(table, name);
  throw ParameterError(name, "there is no parameter " + in_quotes(name) +
                                 (near.empty() ? "." : "; did you mean " + in_quotes(near) + "?"));
}

}  // namespace

bool ParameterDescription::may_be_empty() const noexcept {
  const auto* const numbers = std::get_if<std::vector<double>>(&default_value);
  const auto* const texts = std::get_if<std::vector<std::string>>(&default_value);
  return (numbers != nullptr && numbers->empty()) || (texts != nullptr && texts->empty());
}

ParameterType type_of(const ParameterValue& value) noexcept {
  return static_cast<ParameterType>(value.index());
}

const ParameterDescription* find_parameter(const ParameterTable& table, std::string_view name) {
  for (const ParameterDescription& description : table) {
    if (description.name == name) return &description;
  }
  return nullptr;
}

JointParameter find_joint_parameter(const ParameterTable& table, std::string_view name) {
  for (const ParameterDescription& row : table) {
    const std::size_t n = row.name.size();
    if (!row.per_joint || name.size() <= n + 1) continue;
    if (name.substr(0, n) == row.name && name[n] == '.') return {&row, name.substr(n + 1)};
  }
  return {};
}

ParameterSet::ParameterSet(const ParameterTable& table) : table_(&table) {
  values_.reserve(table.size());
  for (const ParameterDescription& description : table) {
    values_.push_back(description.default_value);
  }
}

std::size_t ParameterSet::index_of(std::string_view name) const {
  const ParameterDescription* const description = find_parameter(*table_, name);
  if (description == nullptr) reject_unknown(*table_, name);
  return static_cast<std::size_t>(description - table_->data());
}

void ParameterSet::set(std::string_view name, const ParameterValue& value) {
  set(name, value, false);
}

void ParameterSet::change(std::string_view name, const ParameterValue& value) {
  set(name, value, true);
}

void ParameterSet::set(std::string_view name, const ParameterValue& value, bool running) {
  const auto reject_late = [&](const std::string& is) {
    throw ParameterError(name, "parameter " + in_quotes(name) + " is " + is +
                                   " since the node started and can't be changed while it runs; "
                                   "give it at start.");
  };
  if (const JointParameter of_joint = find_joint_parameter(*table_, name);
      of_joint.row != nullptr) {
    const ParameterDescription description = description_of(of_joint, name);
    const double wanted = std::get<double>(accepted(description, value));
    NumbersByJoint& numbers = by_joint_[of_joint.row->name];
    const auto [entry, is_new] = numbers.emplace(of_joint.joint, wanted);
    if (is_new && running && !description.live) {
      numbers.erase(entry);
      reject_late("not given");
    }
    if (running && !description.live && entry->second != wanted)
      reject_late(shown(ParameterValue(entry->second)));
    entry->second = wanted;
    return;
  }
  const std::size_t i = index_of(name);
  ParameterValue wanted = accepted((*table_)[i], value);
  if (running && !(*table_)[i].live && wanted != values_[i]) reject_late(shown(values_[i]));
  values_[i] = std::move(wanted);
}

const ParameterValue& ParameterSet::get(std::string_view name) const {
  return values_[index_of(name)];
}

template <typename T>
const T& ParameterSet::typed(std::string_view name) const {
  const ParameterValue& value = get(name);
  const T* const result = std::get_if<T>(&value);
  if (result == nullptr) {
    throw ParameterError(name, "parameter " + in_quotes(name) + " is " +
                                   with_article(type_of(value)) + " and was read as another type.");
  }
  return *result;
}

bool ParameterSet::get_bool(std::string_view name) const { return typed<bool>(name); }
std::int64_t ParameterSet::get_integer(std::string_view name) const {
  return typed<std::int64_t>(name);
}
double ParameterSet::get_number(std::string_view name) const { return typed<double>(name); }
const std::string& ParameterSet::get_text(std::string_view name) const {
  return typed<std::string>(name);
}
const std::vector<double>& ParameterSet::get_numbers(std::string_view name) const {
  return typed<std::vector<double>>(name);
}
const std::vector<std::string>& ParameterSet::get_texts(std::string_view name) const {
  return typed<std::vector<std::string>>(name);
}

}  // namespace spatial_dynamics
