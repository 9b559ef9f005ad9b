#include "runtime/activation_command.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::string_view kFrom = ", from ", kColon = ": ", kRejected = "rejected, ";

std::string_view verb(bool activate) { return activate ? "activate" : "deactivate"; }
std::string_view state(bool activate) { return activate ? "active" : "inactive"; }

/// Removes `start` from the beginning of `text`; false if `text` begins otherwise.
bool remove_start(std::string_view& text, std::string_view start) {
  if (text.substr(0, start.size()) != start) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

std::string ActivationCommand::result() const {
  if (rejected()) return std::string(kRejected) + rejection;
  return std::string(state(activate));
}

std::string ActivationCommand::text() const {
  std::string text(verb(activate));
  if (!source.empty()) text.append(kFrom).append(source);
  return text.append(kColon).append(result());
}

std::string node_source(const std::string& name) { return name.empty() ? name : "node " + name; }

std::optional<ActivationCommand> parse_activation_command(std::string_view text) {
  ActivationCommand command;
  command.activate = remove_start(text, verb(true));
  if (!command.activate && !remove_start(text, verb(false))) return std::nullopt;
  const std::size_t colon = text.find(kColon);
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view source = text.substr(0, colon), result = text.substr(colon + kColon.size());
  if (!source.empty() && (!remove_start(source, kFrom) || source.empty())) return std::nullopt;
  command.source = source;
  if (remove_start(result, kRejected)) {
    if (result.empty()) return std::nullopt;
    command.rejection = result;
  } else if (result != state(command.activate)) {
    return std::nullopt;
  }
  return command;
}

void log_activation(const ActivationCommand& command, LimitedLog& log) {
  log.write(command.rejected() ? LogLevel::kWarning : LogLevel::kInfo,
            "~/set_active: " + command.text());
}

}  // namespace spatial_dynamics
