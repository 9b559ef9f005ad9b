// Shared by tests of rejected models: a small robot as URDF and as a builder, and the check of a
// rejection.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::test {

/// One hinge with every attribute of a joint.
inline const std::string kPendulum = R"(<?xml version="1.0" encoding="UTF-8"?>
<robot name="pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.5" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <parent link="base"/>
    <child link="rod"/>
    <axis xyz="0 1 0"/>
    <limit lower="-3" upper="2" effort="10" velocity="5"/>
    <dynamics damping="0.25" friction="0.5"/>
  </joint>
</robot>
)";

/// `text` with the only occurrence of `from` replaced; the test fails if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t found = text.find(from);
  EXPECT_NE(found, std::string::npos) << "there is no " << from;
  EXPECT_EQ(text.find(from, found + 1), std::string::npos) << "there are two of " << from;
  return found == std::string::npos ? text : text.replace(found, from.size(), to);
}

/// Runs `make`, which must throw a ModelError of one sentence on `element`, with its name, the
/// `words` and a remedy in it.
template <typename Make>
void expect_rejected(Make make, const std::string& element,
                     const std::vector<std::string>& words = {}) {
  try {
    make();
    ADD_FAILURE() << "not rejected; expected a rejection of " << element;
  } catch (const ModelError& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(error.element(), element) << sentence;
    EXPECT_NE(sentence.find("; "), std::string::npos) << "no remedy: " << sentence;
    EXPECT_TRUE(std::none_of(sentence.begin(), sentence.end(), [](unsigned char c) {
      return c < 0x20;
    })) << sentence;
    EXPECT_NE(sentence.find(element), std::string::npos) << sentence;
    for (const std::string& word : words) {
      EXPECT_NE(sentence.find(word), std::string::npos) << "no '" << word << "' in: " << sentence;
    }
  }
}

inline void expect_urdf_rejected(const std::string& urdf, const std::string& element,
                                 const std::vector<std::string>& words = {}) {
  expect_rejected([&urdf] { static_cast<void>(load_urdf(urdf)); }, element, words);
}

/// True if the report has such a finding on `element`, with `words` in its text.
inline bool has_finding(const ModelReport& report, Severity severity, const std::string& element,
                        const std::string& words) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& f) {
    return f.severity == severity && f.element == element &&
           f.what.find(words) != std::string::npos && !f.remedy.empty();
  });
}

/// A solid ball of 1 kg at the link's origin.
inline MassProperties ball() { return {1.0, Vector3::Zero(), 0.1 * Matrix3::Identity()}; }

inline JointDescription joint_between(const std::string& name, JointType type,
                                      const std::string& parent, const std::string& child) {
  JointDescription joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = Vector3::UnitZ();
  return joint;
}

/// Links "base", "l1", … "ln", each a ball on a joint "j1", … "jn" of that type, one metre along x
/// from the previous one.
inline ModelBuilder chain(int joints, JointType type = JointType::kContinuous) {
  ModelBuilder builder("chain");
  builder.add_link("base");
  for (int i = 1; i <= joints; ++i) {
    const std::string child = "l" + std::to_string(i);
    const std::string parent = i == 1 ? "base" : "l" + std::to_string(i - 1);
    builder.add_link(child, ball());
    JointDescription joint = joint_between("j" + std::to_string(i), type, parent, child);
    joint.origin = Transform::translation(Vector3::UnitX());
    builder.add_joint(joint);
  }
  return builder;
}

}  // namespace spatial_dynamics::test
