#include "cli/compute/contact_reader.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class ContactReader : public ::testing::Test {
 protected:
  Model model = [] {
    LoadOptions options;
    options.floating_base = true;
    return load_urdf_file(shipped_urdf("double_pendulum"), options);
  }();
  cli::ContactList list;

  std::string error(const std::string& text) {
    list = {};
    cli::JsonReader json(text);
    try {
      cli::read_contacts(json, model, list);
    } catch (const cli::InputError& rejected) {
      return rejected.what();
    }
    return {};
  }
  void expect_rejected(const std::string& text, const std::string& part) {
    EXPECT_NE(error(text).find(part), std::string::npos) << text << " -> " << error(text);
  }
};

TEST_F(ContactReader, ReadsLinksPointsAndListsOfPoints) {
  ASSERT_EQ(error(R"(["base",{"link":"tip","point":[1,2,3]},)"
                  R"({"points":[[4,5,6],[7,8,9]],"link":"upper_link"}])"),
            "");
  ASSERT_EQ(list.links.size(), 3U);
  ASSERT_EQ(list.contacts.size(), 4U);
  EXPECT_EQ(list.contacts[0].link, model.find_link("base"));
  EXPECT_EQ(list.contacts[0].point, Vector3::Zero());
  EXPECT_EQ(list.contacts[1].link, model.find_link("tip"));
  EXPECT_EQ(list.contacts[1].point, Vector3(1, 2, 3));
  EXPECT_FALSE(list.links[1].listed);
  EXPECT_EQ(list.contacts[2].link, model.find_link("upper_link"));
  EXPECT_EQ(list.contacts[3].link, model.find_link("upper_link"));
  EXPECT_EQ(list.contacts[3].point, Vector3(7, 8, 9));
  EXPECT_EQ(list.links[2].count, 2U);
  EXPECT_TRUE(list.links[2].listed);
  EXPECT_EQ(error(R"([{"link":"tip"}])"), "");
  EXPECT_EQ(list.contacts.at(0).point, Vector3::Zero());
}

TEST_F(ContactReader, RejectsWrongForms) {
  for (const char* text :
       {R"("tip")", "{}", "null", "[1]", "[[]]", R"([{"link":1}])", R"([{"name":"tip"}])",
        R"([{"link":"tip","link":"base"}])", R"([{"link":"tip","points":3}])",
        R"([{"link":"tip","point":[0,0,0],"points":[[0,0,0]]}])", R"([{"point":[0,0,0]}])"}) {
    expect_rejected(text, "contacts must be an array of \"LINK\"");
  }
}

TEST_F(ContactReader, RejectsWrongLinksAndPoints) {
  expect_rejected("[]", "contacts is empty");
  expect_rejected(R"(["top"])", "link 'top', which the robot does not have");
  expect_rejected(R"(["tip",{"link":"tip"}])", "link 'tip' twice");
  expect_rejected(R"(["tip",{"link":"base","point":[0,0]}])",
                  "contacts[1].point must have 3 numbers, not 2");
  expect_rejected(R"([{"link":"tip","points":[[0,0,0],[0,null,0]]}])",
                  "contacts[0].points[1][1] must be a number");
  expect_rejected(R"([{"link":"tip","points":[]}])", "contacts[0] has no points");
  std::string many = R"([{"link":"tip","points":[[0,0,0])";
  for (int i = 0; i < 1000; ++i) many += ",[0,0,0]";
  expect_rejected(many + "]}]", "more than 1000 points");
}

TEST_F(ContactReader, NeedsAFloatingBase) {
  model = load_urdf_file(shipped_urdf("double_pendulum"));
  expect_rejected(R"(["tip"])", "--floating-base");
}

}  // namespace
}  // namespace spatial_dynamics::test
