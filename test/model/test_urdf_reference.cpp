#include "model/urdf_reference.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(UrdfReference, EntitiesOfXmlAndAllowedCharactersPass) {
  for (const char* text :
       {"", "plain; text", "&amp;&lt;&gt;&quot;&apos;", "a &amp; b", "&#65;", "&#x41;", "&#xaF;",
        "&#9;&#10;&#13;", "&#32;", "&#xD7FF;", "&#xE000;", "&#xFFFD;", "&#x10000;", "&#x10FFFF;",
        "&#1114111;", "&#0000000065;", "&amp;foo;"}) {
    EXPECT_FALSE(find_bad_reference(text)) << text;
  }
}

void expect_bad(const std::string& reference, const std::string& words) {
  SCOPED_TRACE(reference);
  const auto bad = find_bad_reference("&amp; " + reference);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->position, 6U);
  EXPECT_NE(bad->complaint.find(words), std::string::npos) << bad->complaint;
  EXPECT_NE(bad->complaint.find("; "), std::string::npos) << "no remedy: " << bad->complaint;
}

TEST(UrdfReference, UnknownEntitiesAreNamed) {
  for (const std::string entity : {"&foo;", "&nbsp;", "&AMP;", "&Lt;", "&lt2;"}) {
    expect_bad(entity, "unknown entity '" + entity + "'");
  }
}

TEST(UrdfReference, SingleAmpersandsAreRejectedWithTheirReplacement) {
  for (const char* text : {"&", "& b;", "&;", "&amp", "&lt b", "&&amp;", "&\"quot;",
                           "&a_name_longer_than_any_reference_is_in_earnest;"}) {
    expect_bad(text, "write &amp;");
  }
}

TEST(UrdfReference, InvalidNumbersAreRejected) {
  for (const char* text : {"&#;", "&#x;", "&#zz;", "&#xzz;", "&#X41;", "&#4 1;", "&#-65;", "&#+65;",
                           "&#6.5;", "&#x-41;", "&#0x41;", "&#41h;"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(find_bad_reference(text));
  }
  expect_bad("&#X41;", "&#x41;");
}

TEST(UrdfReference, CharactersForbiddenByXmlAreRejected) {
  for (const char* text :
       {"&#0;", "&#x0;", "&#1;", "&#8;", "&#11;", "&#12;", "&#x1F;", "&#0000008;", "&#xD800;",
        "&#xDFFF;", "&#xFFFE;", "&#xFFFF;", "&#x110000;", "&#xFFFFFFFF;", "&#4294967361;",
        "&#x100000041;", "&#99999999999999999999;"}) {
    expect_bad(text, "which XML forbids");
  }
}

TEST(UrdfReference, ReferencesAreResolvedToUtf8) {
  EXPECT_EQ(resolve_references("plain; text"), "plain; text");
  EXPECT_EQ(resolve_references("&lt;a&gt; &amp;amp; &quot;b&apos;"), "<a> &amp; \"b'");
  EXPECT_EQ(resolve_references("&#65;&#x41;&#0000000065;"), "AAA");
  EXPECT_EQ(resolve_references("&#x7F;&#x80;&#x7FF;"), "\x7F\xC2\x80\xDF\xBF");
  EXPECT_EQ(resolve_references("&#x800;&#xFFFD;"), "\xE0\xA0\x80\xEF\xBF\xBD");
  EXPECT_EQ(resolve_references("&#x10000;&#x10FFFF;"), "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace spatial_dynamics::test
