#pragma once

#include <dds/dds.h>

#include <stdexcept>
#include <string>

namespace spatial_dynamics::dds {

/// Why the node can't talk: one sentence that names the topic, variable or rule and the reason.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Passes a result of Cyclone DDS on. A negative one throws Error: "<what>: <Cyclone's reason>.".
inline dds_return_t checked(dds_return_t result, const std::string& what) {
  if (result < 0) throw Error(what + ": " + dds_strretcode(result) + ".");
  return result;
}

}  // namespace spatial_dynamics::dds
