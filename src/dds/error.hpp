#pragma once

#include <dds/dds.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace spatial_dynamics::dds {

/// Why the node can't talk: one sentence that names the topic, variable or rule and the reason.
/// Control characters, which it may have from what it quotes, are shown as '?': it goes to a
/// terminal.
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

/// Passes a result of Cyclone DDS on. A negative one throws Error: "<what>: <Cyclone's reason>.".
inline dds_return_t checked(dds_return_t result, const std::string& what) {
  if (result < 0) throw Error(what + ": " + dds_strretcode(result) + ".");
  return result;
}

}  // namespace spatial_dynamics::dds
