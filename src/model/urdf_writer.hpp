// Writes the reduced URDF document, which urdfdom reads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "urdf_element.hpp"

namespace spatial_dynamics {

/// Elements are opened and closed in the order of the document; the attributes of an element follow
/// open(). Each number is written in the form that all parsers read alike; text that is not a
/// number throws ModelError. Allocates.
class UrdfWriter {
 public:
  void open(const char* tag);
  /// Closes the element that was opened last.
  void close();
  void attribute(const char* name, const std::string& text);
  /// Copies a number that `from` must have.
  void number(const UrdfElement& from, const char* name);
  /// Copies a number, or writes `otherwise`.
  void number(const UrdfElement& from, const char* name, const char* otherwise);
  /// Writes infinity as 1e15, which means unlimited as well and which urdfdom can read.
  void limit(const UrdfElement& from, const char* name);
  /// Copies three numbers.
  void vector(const UrdfElement& from, const char* name);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void end_tag();

  std::string text_ = "<?xml version=\"1.0\"?>";
  std::vector<const char*> open_;
  bool in_tag_ = false;  // the last opening tag has no '>' yet
};

}  // namespace spatial_dynamics
