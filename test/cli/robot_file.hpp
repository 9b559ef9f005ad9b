// Small robots written to a file for one test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// A temporary file with this text, deleted at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "robot_XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) throw std::runtime_error("no temporary file");
    ::close(descriptor);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// The shipped pendulum with two joints, and a state of it for `compute`.
inline std::string pendulum_file() { return shipped_urdf("double_pendulum"); }
constexpr const char* kGoodLine = R"({"q":[0.1,0.2],"a":[1,0]})";

/// The contents of a file.
inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string urdf_link(const std::string& name, const std::string& inertial) {
  return "<link name=\"" + name + "\">" + inertial + "</link>";
}

inline std::string urdf_inertial(const std::string& mass) {
  return "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"" + mass +
         "\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" "
         "iyz=\"0\"/></inertial>";
}

inline std::string urdf_joint(const std::string& name, const std::string& type,
                              const std::string& parent, const std::string& child,
                              const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child +
         "\"/><origin xyz=\"0.2 0 0.3\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 0 1\"/>"
         "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"2\"/>" +
         more + "</joint>";
}

inline std::string urdf_robot(const std::string& content) {
  return "<?xml version=\"1.0\"?><robot name=\"tiny\">" + content + "</robot>";
}

/// base -(planar "slide")- plate -(revolute "turn")- arm -(floating "free")- ball.
inline std::string robot_of_many_kinds() {
  return urdf_robot(urdf_link("base", "") + urdf_link("plate", urdf_inertial("1")) +
                    urdf_link("arm", urdf_inertial("2")) + urdf_link("ball", urdf_inertial("3")) +
                    urdf_joint("slide", "planar", "base", "plate") +
                    urdf_joint("turn", "revolute", "plate", "arm") +
                    urdf_joint("free", "floating", "arm", "ball"));
}

}  // namespace spatial_dynamics::test
