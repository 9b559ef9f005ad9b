// The value `last activation command` of diagnostics: written by the node, read by
// `spatial_dynamics activate`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/log_limits.hpp"

namespace spatial_dynamics {

/// The name of the value in diagnostics.
inline constexpr const char* kActivationCommandKey = "last activation command";
/// The value before the first command.
inline constexpr const char* kNoActivationCommand = "none";

/// A command on ~/set_active with its result.
struct ActivationCommand {
  bool activate = false;  ///< false: deactivate
  std::string source;     ///< "publisher 01f2…"; may be empty; without a colon
  std::string rejection;  ///< the reason; empty if the command was executed

  [[nodiscard]] bool rejected() const noexcept { return !rejection.empty(); }
  /// "active", "inactive" or "rejected, the node is ending". Allocates.
  [[nodiscard]] std::string result() const;
  /// "activate, from publisher 01f2…: active". Allocates.
  [[nodiscard]] std::string text() const;
};

/// The source of a command from this node; empty if the name is. Allocates.
std::string node_source(const std::string& name);

/// The command whose text() is `text`; empty for any other text. Allocates.
std::optional<ActivationCommand> parse_activation_command(std::string_view text);

/// Logs the command: as a warning if it was rejected. Allocates.
void log_activation(const ActivationCommand& command, LimitedLog& log);

}  // namespace spatial_dynamics
