#include "dds/discovery_options.hpp"

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "dds/error.hpp"

namespace spatial_dynamics::dds {
namespace {

constexpr std::uint32_t kLargestDomain = 232;  // its first port is 7400 + 250 * 232 = 65400

/// Accepts decimal, hexadecimal (0x) and octal (0) numbers, as ROS 2 does.
std::uint32_t domain_id_from(const std::string& text) {
  if (text.empty()) return 0;
  std::string_view digits = text;
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
  }
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || id > kLargestDomain) {
    throw Error("ROS_DOMAIN_ID is '" + text + "', and must be an integer from 0 to 232.");
  }
  return id;
}

DiscoveryRange range_from(const std::string& text, std::vector<std::string>& warnings) {
  if (text.empty() || text == "SUBNET") return DiscoveryRange::kSubnet;
  if (text == "OFF") return DiscoveryRange::kOff;
  if (text == "SYSTEM_DEFAULT") return DiscoveryRange::kSystemDefault;
  if (text != "LOCALHOST") {
    warnings.push_back("ROS_AUTOMATIC_DISCOVERY_RANGE is '" + text +
                       "', which is none of SUBNET, LOCALHOST, OFF, SYSTEM_DEFAULT; LOCALHOST is "
                       "assumed, as ROS 2 does.");
  }
  return DiscoveryRange::kLocalhost;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string discovery_element(const DiscoveryOptions& options, int process_id) {
  if (options.range == DiscoveryRange::kOff) {
    // Participants find each other only if they have the same tag.
    return "<Discovery><ParticipantIndex>none</ParticipantIndex><Tag>ros_discovery_off_" +
           std::to_string(process_id) + "</Tag></Discovery>";
  }
  // A participant with an index listens on a well-known port, so that others find it without
  // multicast. They look at as many ports as this setting, which is 32 in every ROS 2 node.
  std::string text =
      "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
      "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>";
  std::string peers;
  // Not the loopback interface alone: participants of other vendors would not find this one there.
  if (options.range == DiscoveryRange::kLocalhost) peers += "<Peer address=\"127.0.0.1\"/>";
  for (const std::string& peer : options.static_peers) {
    peers += "<Peer address=\"" + xml_escaped(peer) + "\"/>";
  }
  if (!peers.empty()) text += "<Peers>" + peers + "</Peers>";
  return text + "</Discovery>";
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): see the header
    return std::string(value == nullptr ? "" : value);
  };
}

DiscoveryOptions discovery_options_from(const Environment& environment) {
  DiscoveryOptions options;
  options.domain_id = domain_id_from(environment("ROS_DOMAIN_ID"));
  options.user_config = environment("CYCLONEDDS_URI");
  const std::string localhost_only = environment("ROS_LOCALHOST_ONLY");
  if (!localhost_only.empty() && localhost_only.front() == '1') {
    options.range = DiscoveryRange::kLocalhost;
    if (!environment("ROS_AUTOMATIC_DISCOVERY_RANGE").empty() ||
        !environment("ROS_STATIC_PEERS").empty()) {
      options.warnings.emplace_back(
          "ROS_LOCALHOST_ONLY is set, so that ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS "
          "are ignored.");
    }
    return options;
  }
  options.range = range_from(environment("ROS_AUTOMATIC_DISCOVERY_RANGE"), options.warnings);
  options.static_peers = split(environment("ROS_STATIC_PEERS"), ';');
  const bool takes_peers =
      options.range == DiscoveryRange::kSubnet || options.range == DiscoveryRange::kLocalhost;
  if (!takes_peers && !options.static_peers.empty()) {
    options.static_peers.clear();
    options.warnings.emplace_back(
        "ROS_STATIC_PEERS is ignored, because ROS_AUTOMATIC_DISCOVERY_RANGE is " +
        environment("ROS_AUTOMATIC_DISCOVERY_RANGE") + ".");
  }
  return options;
}

std::string cyclone_config(const DiscoveryOptions& options, int process_id) {
  std::string config = "<CycloneDDS><Domain>";
  if (options.range != DiscoveryRange::kSystemDefault) {
    if (options.range != DiscoveryRange::kSubnet) {
      config += "<General><AllowMulticast>false</AllowMulticast></General>";
    }
    config += discovery_element(options, process_id);
  }
  // By default, each writer waits up to a second at its end for subscribers that do not answer, one
  // writer after the other. Code that needs an acknowledgement calls
  // Writer::wait_until_acknowledged().
  config += "<Internal><MaxSampleSize>" + std::to_string(kLargestSample) +
            " B</MaxSampleSize><WriterLingerDuration>0 s</WriterLingerDuration></Internal>"
            "</Domain></CycloneDDS>";
  // Later fragments override earlier ones.
  return options.user_config.empty() ? config : config + ',' + options.user_config;
}

}  // namespace spatial_dynamics::dds
