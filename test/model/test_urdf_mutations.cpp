// Whatever a document has become, it loads or is refused in a sentence; it never crashes.
#include <random>
#include <string>

#include "model/refusals.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

/// A document with something of everything that the loader reads or skips.
std::string seed_document() {
  return replaced(
      kPendulum, "</robot>",
      R"(<!-- a comment --> <link name="pad"><inertial><mass value="0.1"/><inertia ixx="1e-3"
      ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial><visual><geometry><box size="1 1 1"/>
      </geometry></visual></link><joint name="slide" type="prismatic"><parent link="rod"/><child
      link="pad"/><limit lower="0" upper="inf" effort="1" velocity="1"/><mimic joint="hinge"
      multiplier="0.5" offset='1'/></joint><gazebo><![CDATA[ <x> ]]>&amp;&#65;</gazebo></robot>)");
}

/// What a mutation likes to insert: the characters and words of XML and URDF.
const std::vector<std::string> kFragments = {"<",
                                             ">",
                                             "/",
                                             "\"",
                                             "'",
                                             "&",
                                             "&#0;",
                                             "&#xFFFFFFFF;",
                                             "<!--",
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

TEST(UrdfMutations, LoadOrAreRefusedInASentence) {
  Random random(20240701);
  const std::string seed = seed_document();
  ASSERT_EQ(load_urdf(seed).nv(), 1);
  ::testing::internal::CaptureStderr();
  int loaded = 0;
  int refused = 0;
  for (int i = 0; i < 6000; ++i) {
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
      ++refused;
      EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << error.what();
      EXPECT_FALSE(error.element().empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "mutation " << i << ": " << error.what() << "\n" << document;
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  // Both outcomes occur, or the mutations were too weak or too strong to tell anything.
  EXPECT_GT(loaded, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace spatial_dynamics::test
