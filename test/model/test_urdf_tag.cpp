#include "model/urdf_tag.hpp"

#include "model/rejections.hpp"

namespace spatial_dynamics::test {
namespace {

void expect_tag_rejected(const std::string& xml, const std::vector<std::string>& words) {
  SCOPED_TRACE(xml);
  expect_rejected([&xml] { static_cast<void>(read_tag(xml, xml.find('<'))); }, "document", words);
}

TEST(UrdfTag, NameTextAttributesAndEndAreRead) {
  const std::string xml = "\n <a:b-c.d_1 e = 'x > \"y\"/' f=\"it's\"\n\t> text <g/>";
  const Tag tag = read_tag(xml, 2);
  EXPECT_EQ(tag.name, "a:b-c.d_1");
  EXPECT_EQ(tag.text, "<a:b-c.d_1 e = 'x > \"y\"/' f=\"it's\"\n\t>");
  EXPECT_FALSE(tag.is_whole_element);
  ASSERT_EQ(tag.attributes.size(), 2U);
  EXPECT_EQ(tag.attributes[0].name, "e");
  EXPECT_EQ(tag.attributes[0].text, "x > \"y\"/");
  EXPECT_EQ(tag.attributes[1].name, "f");
  EXPECT_EQ(tag.attributes[1].text, "it's");
  const Tag second = read_tag(xml, xml.find("<g"));
  EXPECT_EQ(second.name, "g");
  EXPECT_EQ(second.text, "<g/>");
  EXPECT_TRUE(second.is_whole_element);
}

TEST(UrdfTag, AttributesNeedNoSpaceBetweenThem) {
  EXPECT_EQ(read_tag("<origin xyz='0 0 1'rpy='0 0 0'/>", 0).name, "origin");
}

TEST(UrdfTag, InvalidTagsAreRejected) {
  for (const char* text : {"<", "<>", "< a>", "< /a>", "<1>", "<-a>", "<<a>", "<\"a\">", "<=>"}) {
    expect_tag_rejected(text, {"begins no tag", "&lt;"});
  }
}

TEST(UrdfTag, InvalidAttributesAreRejectedWithLineAndElement) {
  expect_tag_rejected("\n<a\n1='2'>", {"line 3", "'1'", "<a>", "name=\"value\""});
  expect_tag_rejected("<a 'b'>", {"<a>"});
  expect_tag_rejected("<a b>", {"'b'", "<a>", "no value"});
  expect_tag_rejected("<a b c='1'>", {"'b'", "<a>", "no value"});
  expect_tag_rejected("<a b=1>", {"'b'", "<a>", "quotes"});
  expect_tag_rejected("<a b='1' =>", {"'='", "<a>"});
  expect_tag_rejected("<a<b>", {"'<'", "<a>"});
}

TEST(UrdfTag, RepeatedAttributesAreRejected) {
  expect_tag_rejected("<a b='1' c='2' b='3'>", {"'b'", "<a>", "twice"});
  EXPECT_EQ(read_tag("<a b='1' B='2' bb='3'>", 0).name, "a");
}

TEST(UrdfTag, SlashesEndATagOrAreRejected) {
  EXPECT_TRUE(read_tag("<a b='1' />", 0).is_whole_element);
  EXPECT_FALSE(read_tag("<a b='/'>", 0).is_whole_element);
  for (const char* text : {"<a / >", "<a/ b='1'>", "<a //>", "<a/b>"}) {
    expect_tag_rejected(text, {"'/'", "<a>"});
  }
}

TEST(UrdfTag, OpeningBracketsInValuesAreRejected) {
  expect_tag_rejected("<a b='1<2'>", {"'<'", "'b' of <a>", "&lt;"});
  // Without its closing quotes the value continues into the next tag.
  expect_tag_rejected("<a b=\"1/>\n<c d=\"2\"/>", {"line 1", "'b' of <a>", "close its quotes"});
  expect_tag_rejected("<a b='1/><c/>", {"'b' of <a>", "close its quotes"});
}

TEST(UrdfTag, BadReferencesInValuesAreRejectedOnTheirLine) {
  expect_tag_rejected("<a b='1\n&foo;'>", {"line 2", "'b' of <a>", "'&foo;'"});
}

TEST(UrdfTag, EveryTruncationIsRejected) {
  const std::string tag = "<a b = '1' c=\"2\" />";
  for (std::size_t length = 2; length < tag.size(); ++length) {
    expect_tag_rejected(tag.substr(0, length), {"ends inside <a>", "truncated"});
  }
}

TEST(UrdfTag, MoreThan256AttributesAreRejected) {
  std::string tag = "<a";
  for (int i = 0; i < 256; ++i) {
    tag += " b" + std::to_string(i) + "=''";
  }
  EXPECT_EQ(read_tag(tag + "/>", 0).name, "a");
  expect_tag_rejected(tag + " c=''/>", {"256", "attributes"});
}

TEST(UrdfTag, NamesInMessagesAreEscapedForATerminal) {
  EXPECT_EQ(in_brackets("link"), "<link>");
  EXPECT_EQ(in_brackets("a\x1b[2J"), "<a\\x1b[2J>");
}

}  // namespace
}  // namespace spatial_dynamics::test
