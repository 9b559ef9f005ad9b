#include "model/urdf_tag.hpp"

#include "model/refusals.hpp"

namespace spatial_dynamics::test {
namespace {

void expect_tag_refused(const std::string& xml, const std::vector<std::string>& words) {
  SCOPED_TRACE(xml);
  expect_refused([&xml] { static_cast<void>(read_tag(xml, xml.find('<'))); }, "document", words);
}

TEST(UrdfTag, NameTextAndEndAreRead) {
  const std::string xml = "\n <a:b-c.d_1 e = 'x > \"y\"/' f=\"it's\"\n\t> text <g/>";
  const Tag tag = read_tag(xml, 2);
  EXPECT_EQ(tag.name, "a:b-c.d_1");
  EXPECT_EQ(tag.text, "<a:b-c.d_1 e = 'x > \"y\"/' f=\"it's\"\n\t>");
  EXPECT_FALSE(tag.is_whole_element);
  const Tag second = read_tag(xml, xml.find("<g"));
  EXPECT_EQ(second.name, "g");
  EXPECT_EQ(second.text, "<g/>");
  EXPECT_TRUE(second.is_whole_element);
}

TEST(UrdfTag, AttributesNeedNoSpaceBetweenThem) {
  EXPECT_EQ(read_tag("<origin xyz='0 0 1'rpy='0 0 0'/>", 0).name, "origin");
}

TEST(UrdfTag, WhatIsNoTagIsRefused) {
  for (const char* text : {"<", "<>", "< a>", "< /a>", "<1>", "<-a>", "<<a>", "<\"a\">", "<=>"}) {
    expect_tag_refused(text, {"begins no tag", "&lt;"});
  }
}

TEST(UrdfTag, WhatIsNoAttributeIsRefusedWithLineAndElement) {
  expect_tag_refused("\n<a\n1='2'>", {"line 3", "'1'", "<a>", "name=\"value\""});
  expect_tag_refused("<a 'b'>", {"<a>"});
  expect_tag_refused("<a b>", {"'b'", "<a>", "no value"});
  expect_tag_refused("<a b c='1'>", {"'b'", "<a>", "no value"});
  expect_tag_refused("<a b=1>", {"'b'", "<a>", "quotes"});
  expect_tag_refused("<a b='1' =>", {"'='", "<a>"});
  expect_tag_refused("<a<b>", {"'<'", "<a>"});
}

TEST(UrdfTag, RepeatedAttributesAreRefused) {
  expect_tag_refused("<a b='1' c='2' b='3'>", {"'b'", "<a>", "twice"});
  EXPECT_EQ(read_tag("<a b='1' B='2' bb='3'>", 0).name, "a");
}

TEST(UrdfTag, SlashesEndATagOrAreRefused) {
  EXPECT_TRUE(read_tag("<a b='1' />", 0).is_whole_element);
  EXPECT_FALSE(read_tag("<a b='/'>", 0).is_whole_element);
  for (const char* text : {"<a / >", "<a/ b='1'>", "<a //>", "<a/b>"}) {
    expect_tag_refused(text, {"'/'", "<a>"});
  }
}

TEST(UrdfTag, OpeningBracketsInValuesAreRefused) {
  expect_tag_refused("<a b='1<2'>", {"'<'", "'b' of <a>", "&lt;"});
  // Forgotten quotes make the value run into the next tag.
  expect_tag_refused("<a b=\"1/>\n<c d=\"2\"/>", {"line 1", "'b' of <a>", "close its quotes"});
  expect_tag_refused("<a b='1/><c/>", {"'b' of <a>", "close its quotes"});
}

TEST(UrdfTag, BadReferencesInValuesAreRefusedOnTheirLine) {
  expect_tag_refused("<a b='1\n&foo;'>", {"line 2", "'b' of <a>", "'&foo;'"});
}

TEST(UrdfTag, EveryTruncationIsRefused) {
  const std::string tag = "<a b = '1' c=\"2\" />";
  for (std::size_t length = 2; length < tag.size(); ++length) {
    expect_tag_refused(tag.substr(0, length), {"ends inside <a>", "truncated"});
  }
}

TEST(UrdfTag, MoreThan256AttributesAreRefused) {
  std::string tag = "<a";
  for (int i = 0; i < 256; ++i) {
    tag += " b" + std::to_string(i) + "=''";
  }
  EXPECT_EQ(read_tag(tag + "/>", 0).name, "a");
  expect_tag_refused(tag + " c=''/>", {"256", "attributes"});
}

TEST(UrdfTag, NamesInSentencesAreSafeForATerminal) {
  EXPECT_EQ(in_brackets("link"), "<link>");
  EXPECT_EQ(in_brackets("a\x1b[2J"), "<a\\x1b[2J>");
}

}  // namespace
}  // namespace spatial_dynamics::test
