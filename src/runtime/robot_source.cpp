#include "runtime/robot_source.hpp"

#include "runtime/world_report.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {

std::string configured_urdf(const RobotConfig& config, const GiveUp& give_up) {
  if (!config.robot_description.empty() || config.urdf_file.empty())
    return config.robot_description;
  const auto reject = [](const std::string& element, const std::string& sentence) {
    throw ModelError(element, "parameter urdf_file: " + sentence +
                                  " (relative names start at the working directory)");
  };
  std::string text;
  try {
    text = read_urdf_file(config.urdf_file, give_up);
  } catch (const ModelError& error) {
    reject(error.element(), error.what());
  }
  if (text.empty()) {  // which would otherwise mean that the robot comes on the topic
    const std::string file = "file '" + config.urdf_file + "'";
    reject(file, file + " is empty; give the path of a URDF file");
  }
  return text;
}

bool set_configured_robot(const RobotConfig& config,
                          const std::function<void(std::string_view)>& set_robot,
                          const GiveUp& give_up) {
  const std::string urdf = configured_urdf(config, give_up);
  if (urdf.empty()) return false;
  try {
    set_robot(urdf);
  } catch (const ModelError& error) {
    if (!config.robot_description.empty()) throw;
    throw ModelError(error.element(), "file '" + config.urdf_file + "': " + error.what());
  }
  return true;
}

std::vector<std::pair<LogLevel, std::string>> introduce(const Robot& robot) {
  std::vector<std::pair<LogLevel, std::string>> lines;
  const std::size_t n = robot.names.size();
  lines.emplace_back(LogLevel::kInfo, "robot '" + robot.report.name + "' loaded: " +
                                          std::to_string(n) + (n == 1 ? " joint" : " joints"));
  for (const WorldValues::Payload& payload : robot.inbox.world().payloads) {
    if (!payload.configured) continue;
    lines.emplace_back(LogLevel::kInfo, "payload on link " + in_quotes(payload.link_name) + ": " +
                                            payload_text(payload.inertia) + ", as configured");
  }
  for (const Finding& finding : robot.report.findings) {
    if (finding.severity != Severity::kWarning) continue;
    lines.emplace_back(LogLevel::kWarning,
                       finding.element + ": " + finding.what + "; " + finding.remedy);
  }
  const std::string ignored_limits = robot.joints()->ignored_limits;
  if (!ignored_limits.empty()) lines.emplace_back(LogLevel::kWarning, ignored_limits);
  const std::string gain_warning = robot.joints()->gain_warning;
  if (!gain_warning.empty()) lines.emplace_back(LogLevel::kWarning, gain_warning);
  const std::string missing_limits = robot.joints()->envelope.missing;
  if (!missing_limits.empty()) lines.emplace_back(LogLevel::kWarning, missing_limits);
  return lines;
}

}  // namespace spatial_dynamics
