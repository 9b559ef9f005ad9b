// Documents that the XML parser rejects, and what it ignores.
#include <string>

#include "model/rejections.hpp"

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

TEST(UrdfDocument, EmptyIsRejected) {
  expect_urdf_rejected("", "document", {"<robot"});
  expect_urdf_rejected(" \n\t ", "document", {"<robot"});
  expect_urdf_rejected("<!-- only a comment -->", "document", {"<robot"});
}

TEST(UrdfDocument, EveryTruncationIsRejected) {
  const std::size_t last = kPendulum.rfind("</robot>") + std::string("</robot>").size();
  for (std::size_t length = 0; length < last; ++length) {
    SCOPED_TRACE(length);
    expect_urdf_rejected(kPendulum.substr(0, length), "document");
  }
}

TEST(UrdfDocument, MismatchedTagsAreRejectedWithTheirLine) {
  expect_urdf_rejected(replaced(kPendulum, "</joint>", "</junction>"), "document",
                       {"line 18", "</junction>", "<joint>"});
  expect_urdf_rejected(kPendulum + "</robot>", "document", {"</robot>", "no element is open"});
}

TEST(UrdfDocument, MalformedAttributesAreRejectedWithTheirLine) {
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value=1.5"), "document", {"line 7"});
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value"), "document", {"line 7"});
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value=\"1.5\" value=\"2\""),
                       "document", {"line 7"});
}

TEST(UrdfDocument, TextOutsideTheRootIsRejected) {
  expect_urdf_rejected("robot " + kPendulum, "document", {"outside"});
  expect_urdf_rejected(kPendulum + "left over", "document", {"outside"});
  expect_urdf_rejected(kPendulum + "<![CDATA[left over]]>", "document", {"outside"});
}

TEST(UrdfDocument, SecondRootIsRejected) {
  expect_urdf_rejected("<robot name='a'><link name='l'/></robot><robot name='b'/>", "document",
                       {"second root"});
}

TEST(UrdfDocument, RootOtherThanRobotIsRejected) {
  expect_urdf_rejected("<sdf version='1.7'><model name='m'/></sdf>", "document",
                       {"<sdf>", "<robot>"});
}

TEST(UrdfDocument, DocumentTypeIsRejected) {
  expect_urdf_rejected("<!DOCTYPE robot>" + kPendulum, "document", {"document type"});
}

TEST(UrdfDocument, EntitiesAreRejectedUnexpanded) {
  expect_urdf_rejected("<!DOCTYPE robot [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><robot name='&b;'/>",
                       "document", {"entity"});
  expect_urdf_rejected("<robot name='r'><!ENTITY a 'x'><link name='l'/></robot>", "document",
                       {"entity"});
}

TEST(UrdfDocument, DocumentTypeInACommentOrCdataIsIgnored) {
  const std::string quiet =
      replaced(kPendulum, "<link name=\"base\"/>",
               "<link name=\"base\"/><!-- <!DOCTYPE a> <b> --><c><![CDATA[<!DOCTYPE a> <b>]]></c>");
  EXPECT_EQ(load_urdf(quiet).nv(), 1);
}

TEST(UrdfDocument, DepthOf256LoadsAnd257IsRejected) {
  EXPECT_EQ(load_urdf(nested(256)).link_count(), 1);
  expect_urdf_rejected(nested(257), "document", {"256 deep"});
  expect_urdf_rejected(nested(1000000), "document", {"256 deep"});
}

TEST(UrdfDocument, SizeOf16MiBLoadsAndOneByteMoreIsRejected) {
  constexpr std::size_t kLimit = std::size_t{16} << 20U;
  std::string large = kPendulum;
  large.resize(kLimit, ' ');
  EXPECT_EQ(load_urdf(large).nv(), 1);
  expect_urdf_rejected(large + ' ', "document", {"16 MiB"});
}

TEST(UrdfDocument, ElementWithThousandsOfAttributesIsRejected) {
  std::string attributes;
  for (int i = 0; i < 100000; ++i) {
    attributes += " a" + std::to_string(i) + "=''";
  }
  expect_urdf_rejected("<robot name='r'><link name='l'" + attributes + "/></robot>", "document",
                       {"attributes"});
}

TEST(UrdfDocument, ControlCharactersAreRejectedWithTheirLine) {
  expect_urdf_rejected(replaced(kPendulum, "name=\"base\"", "name=\"ba\x01se\""), "document",
                       {"line 3", "control character '\\x01'", "remove"});
}

TEST(UrdfDocument, NulBytesAreRejectedAsBinaryOrUtf16) {
  expect_urdf_rejected(kPendulum + std::string(1, '\0'), "document", {"NUL", "UTF-16", "UTF-8"});
  expect_urdf_rejected(std::string("\x7F"
                                   "ELF\x02\x01\0",
                                   7),
                       "document", {"NUL"});
  std::string wide = "\xFF\xFE";
  for (const char c : kPendulum) {
    wide += {c, '\0'};
  }
  expect_urdf_rejected(wide, "document", {"line 1", "NUL", "UTF-16"});
}

TEST(UrdfDocument, BadReferencesAreRejectedInAttributesAndTextWithLineAndElement) {
  for (const char* bad : {"&foo;", "&", "&amp", "&#zz;", "&#X41;", "&#0;", "&#xD800;"}) {
    SCOPED_TRACE(bad);
    expect_urdf_rejected(
        replaced(kPendulum, "name=\"base\"", "\nname=\"ba" + std::string(bad) + "se\""), "document",
        {"line 4", "'name' of <link>", "&"});
    expect_urdf_rejected(
        replaced(kPendulum, "<link name=\"rod\">", "<link name=\"rod\">\n\n" + std::string(bad)),
        "document", {"line 6", "<link>", "&"});
  }
}

TEST(UrdfDocument, ReferencesInCommentsAndCdataAreIgnored) {
  EXPECT_EQ(load_urdf(replaced(kPendulum, "<link name=\"base\"/>",
                               "<link name=\"base\"/><!-- &foo; & --><a><![CDATA[&foo; &]]></a>"))
                .nv(),
            1);
}

TEST(UrdfDocument, CommentsEndAtTheFirstEndAfterTheirStart) {
  // "<!-->" and "<!--->" only start a comment: the hinge and all that follows are inside the
  // comment.
  for (const char* beginning : {"<!-->", "<!--->"}) {
    SCOPED_TRACE(beginning);
    EXPECT_EQ(load_urdf(replaced(replaced(kPendulum, "<link name=\"rod\">",
                                          std::string(beginning) + "<link name=\"rod\">"),
                                 "</robot>", "--></robot>"))
                  .nv(),
              0);
    expect_urdf_rejected(
        replaced(kPendulum, "<link name=\"rod\">", std::string(beginning) + "<link name=\"rod\">"),
        "document", {"line 4", "comment", "truncated"});
  }
  EXPECT_EQ(load_urdf(kPendulum + "<!---->").nv(), 1);
}

TEST(UrdfDocument, QuotesTagsAndEndsInACommentAreIgnored) {
  EXPECT_EQ(load_urdf(replaced(kPendulum, "<link name=\"base\"/>",
                               "<link name=\"base\"/><!-- don't \" > </robot> ]]> ?> -->"))
                .nv(),
            1);
}

TEST(UrdfDocument, CommentsInATagAreRejected) {
  expect_urdf_rejected(
      replaced(kPendulum, "<link name=\"base\"/>", "<link <!-- b --> name=\"base\"/>"), "document",
      {"line 3", "'<'", "<link>", "attribute"});
}

TEST(UrdfDocument, ProcessingInstructionsAreSkippedEverywhere) {
  std::string urdf = replaced(kPendulum, "<robot name", "<?style a=\"<b>\"?><robot name");
  urdf = replaced(urdf, "<link name=\"base\"/>", "<link name=\"base\"/><?> <x> ?><?xml-model y?>");
  EXPECT_EQ(load_urdf(urdf + "<?end?>").nv(), 1);
}

TEST(UrdfDocument, XmlDeclarationBelongsToTheBeginning) {
  EXPECT_EQ(load_urdf(" \n" + kPendulum).nv(), 1);
  expect_urdf_rejected("<!-- mine -->\n" + kPendulum, "document", {"line 2", "<?xml", "beginning"});
  expect_urdf_rejected(
      replaced(kPendulum, "<link name=\"base\"/>", "<?xml version=\"1.0\"?><link name=\"base\"/>"),
      "document", {"line 3", "<?xml", "beginning"});
}

TEST(UrdfDocument, DeclaredEncodingMayDifferFromUtf8OnlyWhereItDoesNotMatter) {
  for (const char* name : {"utf-8", "UTF8", "us-ascii", "ISO-8859-1", "windows-1252"}) {
    SCOPED_TRACE(name);
    const std::string declared = replaced(kPendulum, "UTF-8", name);
    EXPECT_EQ(load_urdf(declared + "<!-- Andr\xE9 -->").nv(), 1);
  }
  // In Latin-1 these two bytes are two letters, in UTF-8 one, so that their meaning is ambiguous.
  const std::string letters =
      replaced(kPendulum, "<robot name=\"pendulum\">", "<robot name=\"p\xC3\xA9ndulo\">");
  EXPECT_EQ(load_urdf(letters).name(), "p\xC3\xA9ndulo");
  expect_urdf_rejected(replaced(letters, "UTF-8", "iso-8859-1"), "document",
                       {"line 2", "'ISO-8859-1'", "UTF-8"});
}

TEST(UrdfDocument, EveryElementHasItsLineNumber) {
  // Lines of dropped parts (comments, text, CDATA, instructions, deeply nested elements) count.
  const std::string lines = "<!--\n-->\n<?a\n?><b>\ntext\n<![CDATA[\n]]></b>" +
                            replaced(nested(100), "<robot name='r'><link name='l'/>", "<c>\n");
  const std::string before = replaced(lines, "</robot>", "</c>");
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>", before + "<link/>"), "link",
                       {"line 10"});
}

TEST(UrdfDocument, InvalidUtf8IsRejected) {
  for (const char* bytes : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    expect_urdf_rejected(
        replaced(kPendulum, "name=\"base\"", std::string("name=\"ba") + bytes + "\""), "document",
        {"UTF-8"});
  }
}

TEST(UrdfDocument, ForeignBytesInACommentAreIgnored) {
  EXPECT_EQ(load_urdf(kPendulum + "<!-- by Andr\xE9 -->").nv(), 1);
}

TEST(UrdfDocument, ByteOrderMarkIsAccepted) {
  EXPECT_EQ(load_urdf("\xEF\xBB\xBF" + kPendulum).nv(), 1);
}

TEST(UrdfDocument, XacroIsRejectedWithTheAdviceToRunIt) {
  expect_urdf_rejected(replaced(kPendulum, "<link name=\"base\"/>",
                                "<link name=\"base\"/><xacro:property name=\"m\" value=\"1\"/>"),
                       "document", {"<xacro:property>", "run xacro"});
}

}  // namespace
}  // namespace spatial_dynamics::test
