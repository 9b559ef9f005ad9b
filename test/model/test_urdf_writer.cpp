#include "model/urdf_writer.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr const char* kStart = "<?xml version=\"1.0\"?>";

TEST(UrdfWriter, ClosesElementsInReverseOrder) {
  UrdfWriter out;
  out.open("robot");
  out.attribute("name", "a<b & \"c\"");
  out.open("link");
  out.close();
  out.close();
  EXPECT_EQ(out.take(),
            std::string(kStart) + "<robot name=\"a&lt;b &amp; &quot;c&quot;\"><link/></robot>");
}

TEST(UrdfWriter, CopiesNumbersInOneForm) {
  const XmlElement xml = parse_xml("<limit lower=\"-inf\" upper=\"1.50\" effort=\"x\"/>");
  const UrdfElement limit{&xml, "joint 'j'"};
  UrdfWriter out;
  out.open("limit");
  out.limit(limit, "lower");
  out.number(limit, "upper");
  out.number(limit, "velocity", "0");
  EXPECT_THROW(out.number(limit, "effort"), ModelError);
  out.close();
  EXPECT_EQ(out.take(), std::string(kStart) + "<limit lower=\"" + number_text(-kLargestNumber) +
                            "\" upper=\"1.5\" velocity=\"0\"/>");
}

}  // namespace
}  // namespace spatial_dynamics::test
