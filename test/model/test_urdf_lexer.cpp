// Documents that must be refused before a parser reads them.
#include <string>

#include "model/refusals.hpp"

namespace spatial_dynamics::test {
namespace {

std::string nested(std::size_t depth) {
  // The root is one level, so that <a> is opened depth - 1 times.
  std::string text = "<robot name='r'><link name='l'/>";
  for (std::size_t i = 1; i < depth; ++i) {
    text += "<a>";
  }
  for (std::size_t i = 1; i < depth; ++i) {
    text += "</a>";
  }
  return text + "</robot>";
}

TEST(UrdfDocument, EmptyIsRefused) {
  expect_urdf_refused("", "document", {"<robot"});
  expect_urdf_refused(" \n\t ", "document", {"<robot"});
  expect_urdf_refused("<!-- only a comment -->", "document", {"<robot"});
}

TEST(UrdfDocument, EveryTruncationIsRefused) {
  const std::size_t last = kPendulum.rfind("</robot>") + std::string("</robot>").size();
  for (std::size_t length = 0; length < last; ++length) {
    SCOPED_TRACE(length);
    expect_urdf_refused(kPendulum.substr(0, length), "document");
  }
}

TEST(UrdfDocument, TagsThatDoNotMatchAreRefusedWithTheirLine) {
  expect_urdf_refused(replaced(kPendulum, "</joint>", "</junction>"), "document",
                      {"line 18", "</junction>", "<joint>"});
  expect_urdf_refused(kPendulum + "</robot>", "document", {"</robot>", "no element is open"});
}

TEST(UrdfDocument, MalformedAttributesAreRefusedWithTheirLine) {
  expect_urdf_refused(replaced(kPendulum, "value=\"1.5\"", "value=1.5"), "document", {"line 7"});
  expect_urdf_refused(replaced(kPendulum, "value=\"1.5\"", "value"), "document", {"line 7"});
  expect_urdf_refused(replaced(kPendulum, "value=\"1.5\"", "value=\"1.5\" value=\"2\""), "document",
                      {"line 7"});
}

TEST(UrdfDocument, TextOutsideTheRootIsRefused) {
  expect_urdf_refused("robot " + kPendulum, "document", {"outside"});
  expect_urdf_refused(kPendulum + "left over", "document", {"outside"});
  expect_urdf_refused(kPendulum + "<![CDATA[left over]]>", "document", {"outside"});
}

TEST(UrdfDocument, SecondRootIsRefused) {
  expect_urdf_refused("<robot name='a'><link name='l'/></robot><robot name='b'/>", "document",
                      {"second root"});
}

TEST(UrdfDocument, RootThatIsNotRobotIsRefused) {
  expect_urdf_refused("<sdf version='1.7'><model name='m'/></sdf>", "document",
                      {"<sdf>", "<robot>"});
}

TEST(UrdfDocument, DocumentTypeIsRefused) {
  expect_urdf_refused("<!DOCTYPE robot>" + kPendulum, "document", {"document type"});
}

TEST(UrdfDocument, EntitiesAreRefusedUnexpanded) {
  expect_urdf_refused("<!DOCTYPE robot [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><robot name='&b;'/>",
                      "document", {"entity"});
  expect_urdf_refused("<robot name='r'><!ENTITY a 'x'><link name='l'/></robot>", "document",
                      {"entity"});
}

TEST(UrdfDocument, DocumentTypeInACommentOrCdataIsNone) {
  const std::string quiet =
      replaced(kPendulum, "<link name=\"base\"/>",
               "<link name=\"base\"/><!-- <!DOCTYPE a> <b> --><c><![CDATA[<!DOCTYPE a> <b>]]></c>");
  EXPECT_EQ(load_urdf(quiet).nv(), 1);
}

TEST(UrdfDocument, DepthOf256LoadsAnd257IsRefused) {
  EXPECT_EQ(load_urdf(nested(256)).link_count(), 1);
  expect_urdf_refused(nested(257), "document", {"256 deep"});
  expect_urdf_refused(nested(1000000), "document", {"256 deep"});
}

TEST(UrdfDocument, SizeOf16MiBLoadsAndOneByteMoreIsRefused) {
  constexpr std::size_t kLimit = std::size_t{16} << 20U;
  std::string large = kPendulum;
  large.resize(kLimit, ' ');
  EXPECT_EQ(load_urdf(large).nv(), 1);
  expect_urdf_refused(large + ' ', "document", {"16 MiB"});
}

TEST(UrdfDocument, ElementWithThousandsOfAttributesIsRefused) {
  std::string attributes;
  for (int i = 0; i < 100000; ++i) {
    attributes += " a" + std::to_string(i) + "=''";
  }
  expect_urdf_refused("<robot name='r'><link name='l'" + attributes + "/></robot>", "document",
                      {"attributes"});
}

TEST(UrdfDocument, ControlCharactersAreRefused) {
  expect_urdf_refused(replaced(kPendulum, "name=\"base\"", "name=\"ba\x01se\""), "document",
                      {"control characters"});
  expect_urdf_refused(kPendulum + std::string(1, '\0'), "document", {"control characters"});
}

TEST(UrdfDocument, ReferencesToControlCharactersAreRefused) {
  for (const char* reference : {"&#0;", "&#x0;", "&#1;", "&#x1F;", "&#0000008;"}) {
    SCOPED_TRACE(reference);
    expect_urdf_refused(
        replaced(kPendulum, "name=\"base\"", std::string("name=\"ba") + reference + "\""),
        "document", {"control character"});
  }
}

TEST(UrdfDocument, BytesThatAreNotUtf8AreRefused) {
  for (const char* bytes : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    expect_urdf_refused(
        replaced(kPendulum, "name=\"base\"", std::string("name=\"ba") + bytes + "\""), "document",
        {"UTF-8"});
  }
}

TEST(UrdfDocument, ForeignBytesInACommentDoNoHarm) {
  EXPECT_EQ(load_urdf(kPendulum + "<!-- by Andr\xE9 -->").nv(), 1);
}

TEST(UrdfDocument, ByteOrderMarkIsAccepted) {
  EXPECT_EQ(load_urdf("\xEF\xBB\xBF" + kPendulum).nv(), 1);
}

TEST(UrdfDocument, XacroIsRefusedWithTheAdviceToRunIt) {
  expect_urdf_refused(replaced(kPendulum, "<link name=\"base\"/>",
                               "<link name=\"base\"/><xacro:property name=\"m\" value=\"1\"/>"),
                      "document", {"<xacro:property>", "run xacro"});
}

}  // namespace
}  // namespace spatial_dynamics::test
