#pragma once

#include <stdexcept>
#include <string>

namespace spatial_dynamics {

/// A rejected model: one sentence that names the element and the correction.
class ModelError : public std::runtime_error {
 public:
  ModelError(const std::string& element, const std::string& sentence)
      : std::runtime_error(sentence), element_(element) {}
  /// The element with the error: "link 'forearm'", "joint 'elbow'", "document".
  [[nodiscard]] const std::string& element() const noexcept { return element_; }

 private:
  std::string element_;
};

}  // namespace spatial_dynamics
