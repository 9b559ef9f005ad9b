#include "model/urdf_element.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(UrdfElement, FindsTheOneChild) {
  const XmlElement xml = parse_xml("<joint><axis xyz=\"0 0 1\"/></joint>");
  const UrdfElement joint{&xml, "joint 'j'"};
  EXPECT_EQ(joint.required_child("axis").required_attribute("xyz"), "0 0 1");
  EXPECT_FALSE(joint.child("limit"));
}

TEST(UrdfElement, RejectsTwoChildrenAndMissingOnes) {
  const XmlElement xml = parse_xml("<joint><axis/><axis/></joint>");
  const UrdfElement joint{&xml, "joint 'j'"};
  EXPECT_THROW((void)joint.child("axis"), ModelError);
  EXPECT_THROW((void)joint.required_child("parent"), ModelError);
  EXPECT_THROW((void)joint.required_attribute("type"), ModelError);
}

}  // namespace
}  // namespace spatial_dynamics::test
