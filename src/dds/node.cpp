#include "dds/node.hpp"

#include "dds/discovery_options.hpp"
#include "dds/security_options.hpp"

namespace spatial_dynamics::dds {

Node::Node(const NodeOptions& options) : remaps_(options.remaps) {
  check_remap_rules(remaps_);
  DiscoveryOptions discovery = discovery_options_from(options.environment);
  warnings_ = std::move(discovery.warnings);
  const SecurityOptions security = security_options_from(options.environment, options.enclave);
  warnings_.insert(warnings_.end(), security.warnings.begin(), security.warnings.end());
  graph_ = std::make_shared<Graph>(discovery, security,
                                   resolve_node_name(options.name, options.ns, remaps_),
                                   gid_size_from(options.environment), options.events);
}

std::string Node::resolve(std::string_view topic) const {
  return resolve_topic_name(topic, name(), remaps_);
}

NodeOptions with_events(NodeOptions options, const Log& log) {
  options.events.on_qos_mismatch = log_mismatches(log);
  options.events.on_error = [log](const std::string& text) { log(LogLevel::kError, text); };
  return options;
}

}  // namespace spatial_dynamics::dds
