#include "cli/check/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace spatial_dynamics::cli {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json joint_json(const CoordinateEntry& joint) {
  return {{"name", joint.name},
          {"type", to_string(joint.type)},
          {"parent", joint.parent},
          {"child", joint.child},
          {"lower", number_or_null(joint.limits.lower)},
          {"upper", number_or_null(joint.limits.upper)},
          {"effort", number_or_null(joint.limits.effort)},
          {"velocity", number_or_null(joint.limits.velocity)},
          {"acceleration", number_or_null(joint.limits.acceleration)},
          {"deceleration", number_or_null(joint.limits.deceleration)},
          {"jerk", number_or_null(joint.limits.jerk)},
          {"damping", joint.damping},
          {"friction", joint.friction},
          {"armature", joint.armature},
          {"weight", joint.weight ? Json(*joint.weight) : Json(nullptr)}};
}

// An ordered map is a vector whose insertion searches all names. The names of links are unique, so
// they are appended directly.
Json lumped_json(const ModelReport& report) {
  Json::object_t links;
  Json::object_t::Container& entries = links;
  for (const LumpedLink& lumped : report.lumped) entries.emplace_back(lumped.link, lumped.into);
  return links;
}

}  // namespace

std::string report_json(const ModelReport& report) {
  Json json;
  json["name"] = report.name;
  json["dof"] = report.dof;
  json["joints"] = Json::array();
  for (const CoordinateEntry& joint : report.joints) json["joints"].push_back(joint_json(joint));
  json["total_mass"] = report.total_mass;
  json["lumped"] = lumped_json(report);
  json["mimic"] = Json::array();
  for (const MimicEntry& mimic : report.mimic) {
    json["mimic"].push_back({{"joint", mimic.joint},
                             {"leader", mimic.leader},
                             {"ratio", mimic.ratio},
                             {"offset", mimic.offset}});
  }
  json["locked"] = Json::array();
  for (const LockedJoint& locked : report.locked) {
    json["locked"].push_back({{"joint", locked.joint}, {"value", locked.value}});
  }
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) {
    json["findings"].push_back({{"code", to_string(finding.code)},
                                {"severity", to_string(finding.severity)},
                                {"element", finding.element},
                                {"what", finding.what},
                                {"remedy", finding.remedy}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace spatial_dynamics::cli
