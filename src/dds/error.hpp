#pragma once

#include <dds/dds.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace spatial_dynamics::dds {

/// A failure of the middleware or of its settings: one sentence that names the topic, variable or
/// rule and the reason. Control characters in quoted text become '?', because the sentence is
/// printed on a terminal.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string sentence) : std::runtime_error(shown(std::move(sentence))) {}

 private:
  static std::string shown(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return text;
  }
};

/// Returns a result of Cyclone DDS. A negative one throws Error: "<what>: <reason from Cyclone
/// DDS>.".
inline dds_return_t checked(dds_return_t result, const std::string& what) {
  if (result < 0) throw Error(what + ": " + dds_strretcode(result) + ".");
  return result;
}

}  // namespace spatial_dynamics::dds
