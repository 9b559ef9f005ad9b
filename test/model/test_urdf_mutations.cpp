// Randomly changed documents load or are rejected with a message; they never crash the loader.
#include <random>
#include <string>

#include "model/rejections.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

/// A document with every element that the loader reads or skips.
std::string seed_document() {
  return replaced(
      kPendulum, "</robot>",
      R"(<!-- a comment --> <link name="pad"><inertial><mass value="0.1"/><inertia ixx="1e-3"
      ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial><visual><geometry><box size="1 1 1"/>
      </geometry></visual></link><joint name="slide" type="prismatic"><parent link="rod"/><child
      link="pad"/><limit lower="0" upper="inf" effort="1" velocity="1"/><mimic joint="hinge"
      multiplier="0.5" offset='1'/></joint><gazebo><![CDATA[ <x> ]]>&amp;&#65;</gazebo></robot>)");
}

/// Texts that mutations insert: characters and words of XML and URDF.
const std::vector<std::string> kFragments = {"<",
                                             ">",
                                             "/",
                                             "\"",
                                             "'",
                                             "&",
                                             "&#0;",
                                             "&#xFFFFFFFF;",
                                             "&foo;",
                                             "&#X41;",
                                             "&amp;",
                                             "<!--",
                                             "<!-->",
                                             "<?xml?>",
                                             "< ",
                                             "a='1'",
                                             "-->",
                                             "<?",
                                             "?>",
                                             "<![CDATA[",
                                             "]]>",
                                             "<robot>",
                                             "</",
                                             "/>",
                                             "nan",
                                             "-",
                                             "inf",
                                             "1e999",
                                             "0",
                                             "\xC3",
                                             "\xEF\xBB\xBF",
                                             " ",
                                             "\n",
                                             "link",
                                             "joint",
                                             "base",
                                             "<mimic joint='slide'/>",
                                             "<link name='x'/>",
                                             std::string(1, '\0')};

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string mutated(std::string text, Random& random) {
  const std::size_t changes = 1 + below(random, 4);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = below(random, text.size());
    switch (below(random, 5)) {
      case 0:
        text[at] = static_cast<char>(below(random, 256));
        break;
      case 1:
        text.erase(at, 1 + below(random, 20));
        break;
      case 2:
        text.insert(at, kFragments[below(random, kFragments.size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(random, text.size()), 1 + below(random, 60)));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(UrdfMutations, LoadOrAreRejectedWithAMessage) {
  Random random(20240701);
  const std::string seed = seed_document();
  ASSERT_EQ(load_urdf(seed).nv(), 1);
  ::testing::internal::CaptureStderr();
  int loaded = 0;
  int rejected = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string document = mutated(seed, random);
    try {
      ModelReport report;
      const Model model = load_urdf(document, {}, &report);
      ++loaded;
      EXPECT_TRUE(std::isfinite(model.total_mass()));
      for (Index b = 0; b < model.body_count(); ++b) {
        EXPECT_TRUE(model.inertia(b).matrix().allFinite());
      }
    } catch (const ModelError& error) {
      ++rejected;
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("; "), std::string::npos) << sentence;
      // A document that passes the strict parser is XML for urdfdom, too.
      EXPECT_EQ(sentence.find("well-formed"), std::string::npos) << sentence << "\n" << document;
      EXPECT_EQ(sentence.find("urdfdom"), std::string::npos) << sentence << "\n" << document;
      EXPECT_FALSE(error.element().empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "mutation " << i << ": " << error.what() << "\n" << document;
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  // Both outcomes must occur, or the mutations are too weak or too strong.
  EXPECT_GT(loaded, 100);
  EXPECT_GT(rejected, 1000);
}

/// A name of characters that XML parsers are known to treat differently, as written in an attribute
/// and as decoded.
struct AwkwardName {
  std::string written;
  std::string meant;
};

AwkwardName awkward_name(Random& random) {
  static const std::vector<AwkwardName> kParts = {{"&amp;", "&"},
                                                  {"&lt;", "<"},
                                                  {"&quot;", "\""},
                                                  {"&apos;", "'"},
                                                  {"'", "'"},
                                                  {">", ">"},
                                                  {"]]>", "]]>"},
                                                  {"-->", "-->"},
                                                  {"/>", "/>"},
                                                  {"&#38;", "&"},
                                                  {"&amp;amp;", "&amp;"},
                                                  {"&amp;#65;", "&#65;"},
                                                  {"&#x41;", "A"},
                                                  {" ", " "},
                                                  {"  ", "  "},
                                                  {"%s", "%s"},
                                                  {"\\", "\\"},
                                                  {"\xC3\xA9", "\xC3\xA9"},
                                                  {"&#xE9;", "\xC3\xA9"},
                                                  {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
                                                  {"&#xFEFF;", "\xEF\xBB\xBF"},
                                                  {"&#x1F916;", "\xF0\x9F\xA4\x96"},
                                                  {"\xE2\x80\xA8", "\xE2\x80\xA8"}};
  AwkwardName name;
  for (std::size_t i = 1 + below(random, 6); i > 0; --i) {
    const AwkwardName& part = kParts[below(random, kParts.size())];
    name.written += part.written;
    name.meant += part.meant;
  }
  return name;
}

TEST(UrdfMutations, UnusualNamesAreReadAlikeByEveryParser) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const AwkwardName link = awkward_name(random);
    const AwkwardName joint = awkward_name(random);
    const std::string urdf = "<robot name=\"" + joint.written + "\"><link name=\"" + link.written +
                             "\"/><link name=\"tip\"/><joint name=\"" + joint.written +
                             "\" type=\"continuous\"><parent link=\"" + link.written +
                             "\"/><child link=\"tip\"/></joint></robot>";
    SCOPED_TRACE(urdf);
    const Model model = load_urdf(urdf);
    EXPECT_EQ(model.name(), joint.meant);
    EXPECT_EQ(model.link(0).name, link.meant);
    EXPECT_EQ(model.joint(1).name, joint.meant);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
