// The bytes on the wire, derived by hand from the CDR rules: little endian; a number is aligned to
// its own size, counted from after the four bytes of the encapsulation; a string is its length with
// the final zero, then its characters; a sequence is its length, then its elements; a structure is
// its fields. "." stands for a byte of padding, which must be zero.
#include <gtest/gtest.h>
// Not the public interface of Cyclone DDS, but the only interface to the bytes.
#include <dds/ddsi/ddsi_serdata.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dds/error.hpp"
#include "dds_test.hpp"

namespace spatial_dynamics::dds {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// "01 .. ff": bytes in hexadecimal; blanks are ignored.
Bytes bytes_of(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c == '.') digits += "00";
    if (c != ' ' && c != '.') digits += c;
  }
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// The little-endian bytes of some doubles: sign, exponent and the first bits of the mantissa are
/// in the last two.
constexpr const char* kZero = " 0000000000000000";
constexpr const char* kOne = " 000000000000f03f";
constexpr const char* kMinusTwo = " 00000000000000c0";
constexpr const char* kThree = " 0000000000000840";
constexpr const char* kHalf = " 000000000000e03f";
std::string join(std::initializer_list<const char*> parts) {
  std::string text;
  for (const char* part : parts) text += part;
  return text;
}
std::string repeated(int times, const char* part) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

/// Header {stamp {1, 2}, frame_id "ab"}: ends at byte 15.
constexpr const char* kHeader = "01000000 02000000 03000000 616200 ";
void fill(Header& header) {
  header.stamp = {1, 2};
  assign(header.frame_id, "ab");
}
void fill(geometry_msgs_msg_dds__Vector3_& vector, double x, double y, double z) {
  vector = {x, y, z};
}

/// Encodes and decodes messages with the writer and the types that the node uses.
template <typename T>
class Wire {
 public:
  Wire()
      : graph_(std::make_shared<Graph>(
            discovery_options_from(test::environment_of(test::local_variables())),
            SecurityOptions{}, NodeName{"/", "wire"}, GidSize::k16, Events{})),
        writer_(graph_, "/wire", kOutputQos),
        topic_(checked(dds_create_topic(graph_->participant().handle(), &descriptor<T>(), "rt/wire",
                                        nullptr, nullptr),
                       "topic")),
        reader_(checked(
            dds_create_reader(graph_->participant().handle(), topic_.get(),
                              make_qos(kCommandQos, EndpointKind::kReader, {}).get(), nullptr),
            "reader")) {}

  /// With the encapsulation, without the padding at the end, which the encapsulation counts.
  Bytes encode(const T& message) {
    EXPECT_TRUE(writer_.write(message));
    ddsi_serdata* data = nullptr;
    dds_sample_info_t info{};
    if (dds_takecdr(reader_.get(), &data, 1, &info, DDS_ANY_STATE) != 1) return {};
    Bytes bytes(ddsi_serdata_size(data));
    ddsi_serdata_to_ser(data, 0, bytes.size(), bytes.data());
    type_ = data->type;
    ddsi_serdata_unref(data);
    const unsigned padding = bytes.at(3) & 3U;
    for (unsigned i = 0; i < padding; ++i) bytes.pop_back();
    bytes[3] = static_cast<std::uint8_t>(bytes[3] - padding);
    return bytes;
  }
  /// Call encode() first.
  Message<T> decode(Bytes bytes) const {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    const ddsrt_iovec_t part{bytes.data(), bytes.size()};
    ddsi_serdata* data = ddsi_serdata_from_ser_iov(type_, SDK_DATA, 1, &part, bytes.size());
    Message<T> message;
    EXPECT_TRUE(data != nullptr && ddsi_serdata_to_sample(data, &*message, nullptr, nullptr));
    if (data != nullptr) ddsi_serdata_unref(data);
    return message;
  }

 private:
  std::shared_ptr<Graph> graph_;
  Writer<T> writer_;
  Entity topic_;
  Entity reader_;
  const ddsi_sertype* type_ = nullptr;  // the topic's
};

/// Expects that the message is encoded as these bytes, and that these bytes, decoded and encoded
/// again, are the same.
template <typename T>
void expect_bytes(const T& message, const std::string& payload) {
  Wire<T> wire;
  const Bytes expected = bytes_of("00010000" + payload);  // CDR, little endian
  EXPECT_EQ(wire.encode(message), expected);
  EXPECT_EQ(wire.encode(*wire.decode(expected)), expected);
}

TEST(GoldenBytes, String) {
  Message<String> message;
  assign(message->data, "hi");
  expect_bytes(*message, "03000000 686900");
}

TEST(GoldenBytes, Bool) {
  Message<Bool> message;
  expect_bytes(*message, "00");
  message->data = true;
  expect_bytes(*message, "01");
}

TEST(GoldenBytes, EmptyStringIsItsFinalZero) {
  const Message<String> message;
  expect_bytes(*message, "01000000 00");
}

TEST(GoldenBytes, JointState) {
  Message<JointState> message;
  fill(message->header);
  assign(message->name, std::vector<std::string>{"j1", "j"});
  assign(message->position, std::vector<double>{1.0, -2.0});
  assign(message->effort, std::vector<double>{0.5});
  expect_bytes(*message, join({kHeader, ".",
                               "02000000",                   // 16: two names
                               "03000000 6a3100 .",          // 20: "j1"
                               "02000000 6a00 ..",           // 28: "j"
                               "02000000", kOne, kMinusTwo,  // 36: positions
                               "00000000",                   // 56: no velocities
                               "01000000", kHalf}));         // 60: one effort
}

TEST(GoldenBytes, JointTrajectory) {
  Message<JointTrajectory> message;
  fill(message->header);
  assign(message->joint_names, std::vector<std::string>{"j"});
  resize(message->points, 1);
  JointTrajectoryPoint& point = elements(message->points)[0];
  assign(point.positions, std::vector<double>{1.0});
  assign(point.accelerations, std::vector<double>{-2.0});
  point.time_from_start = {3, 4};
  expect_bytes(*message, join({kHeader, ".",
                               "01000000",              // 16: one name
                               "02000000 6a00 ..",      // 20: "j"
                               "01000000",              // 28: one point
                               "01000000 ....", kOne,   // 32: positions
                               "00000000",              // 48: no velocities
                               "01000000", kMinusTwo,   // 52: accelerations
                               "00000000",              // 64: no effort
                               "03000000 04000000"}));  // 68: time from start
}

TEST(GoldenBytes, Float64MultiArray) {
  Message<Float64MultiArray> message;
  resize(message->layout.dim, 1);
  assign(elements(message->layout.dim)[0].label, "r");
  elements(message->layout.dim)[0].size = 2;
  elements(message->layout.dim)[0].stride = 3;
  message->layout.data_offset = 4;
  assign(message->data, std::vector<double>{1.0});
  expect_bytes(*message, join({"01000000",                // 0: one dimension
                               "02000000 7200 ..",        // 4: "r"
                               "02000000 03000000",       // 12: size, stride
                               "04000000",                // 20: offset
                               "01000000 ....", kOne}));  // 24: data
}

TEST(GoldenBytes, WrenchStamped) {
  Message<WrenchStamped> message;
  fill(message->header);
  fill(message->wrench.force, 1.0, -2.0, 3.0);
  fill(message->wrench.torque, 0.5, 0.0, 1.0);
  expect_bytes(*message, join({kHeader, ".", kOne, kMinusTwo, kThree, kHalf, kZero, kOne}));
}

TEST(GoldenBytes, AccelStamped) {
  Message<AccelStamped> message;
  fill(message->header);
  fill(message->accel.linear, 1.0, -2.0, 3.0);
  fill(message->accel.angular, 0.5, 0.0, 1.0);
  expect_bytes(*message, join({kHeader, ".", kOne, kMinusTwo, kThree, kHalf, kZero, kOne}));
}

TEST(GoldenBytes, Vector3Stamped) {
  Message<Vector3Stamped> message;
  fill(message->header);
  fill(message->vector, 1.0, -2.0, 3.0);
  expect_bytes(*message, join({kHeader, ".", kOne, kMinusTwo, kThree}));
}

TEST(GoldenBytes, InertiaStamped) {
  Message<InertiaStamped> message;
  fill(message->header);
  message->inertia.m = 3.0;
  fill(message->inertia.com, 1.0, -2.0, 0.5);
  message->inertia.ixx = 1.0;
  message->inertia.ixy = 0.0;
  message->inertia.ixz = 0.5;
  message->inertia.iyy = 3.0;
  message->inertia.iyz = -2.0;
  message->inertia.izz = 1.0;
  expect_bytes(*message,
               join({kHeader, ".", kThree, kOne, kMinusTwo, kHalf,  // mass, centre of mass
                     kOne, kZero, kHalf, kThree, kMinusTwo, kOne}));
}

TEST(GoldenBytes, Odometry) {
  Message<Odometry> message;
  fill(message->header);
  assign(message->child_frame_id, "c");
  message->pose.pose.position = {1.0, -2.0, 3.0};
  message->pose.pose.orientation = {0.5, 0.0, 0.0, 1.0};
  message->pose.covariance[0] = 0.5;
  message->pose.covariance[35] = 3.0;
  fill(message->twist.twist.linear, 3.0, 0.0, 0.0);
  fill(message->twist.twist.angular, 0.0, 0.0, -2.0);
  message->twist.covariance[1] = 1.0;
  const std::string zeros = repeated(34, kZero);
  expect_bytes(*message, join({kHeader, ".",           "02000000 6300 ..",  // 16: "c"
                               kOne,    kMinusTwo,     kThree,
                               kHalf,   kZero,         kZero,
                               kOne,                            // 24: pose
                               kHalf,   zeros.c_str(), kThree,  // its covariance
                               kThree,  kZero,         kZero,
                               kZero,   kZero,         kMinusTwo,         // twist
                               kZero,   kOne,          zeros.c_str()}));  // its covariance
}

TEST(GoldenBytes, DiagnosticArray) {
  Message<DiagnosticArray> message;
  fill(message->header);
  resize(message->status, 1);
  DiagnosticStatus& status = elements(message->status)[0];
  status.level = 1;
  assign(status.name, "n");
  assign(status.message, "ok");
  resize(status.values, 1);
  assign(elements(status.values)[0].key, "k");
  assign(elements(status.values)[0].value, "v");
  expect_bytes(*message, join({kHeader, ".",
                               "01000000",           // 16: one status
                               "01 ...",             // 20: level
                               "02000000 6e00 ..",   // 24: name
                               "03000000 6f6b00 .",  // 32: message
                               "01000000 00 ...",    // 40: hardware
                               "01000000",           // 48: one value
                               "02000000 6b00 ..",   // 52: key
                               "02000000 7600"}));   // 60: value
}

TEST(GoldenBytes, MetricsMessage) {
  Message<MetricsMessage> message;
  assign(message->measurement_source_name, "n");
  assign(message->metrics_source, "m");
  assign(message->unit, "s");
  message->window_start = {1, 2};
  message->window_stop = {3, 4};
  resize(message->statistics, 2);
  elements(message->statistics)[0] = {5, 1.0};
  elements(message->statistics)[1] = {1, 0.5};
  expect_bytes(*message, join({"02000000 6e00 .. 02000000 6d00 .. 02000000 7300 ..",
                               "01000000 02000000 03000000 04000000",  // 24: window
                               "02000000",                             // 40: two points
                               "05 ...", kOne,                         // 44
                               "01 .......", kHalf}));                 // 56
}

TEST(GoldenBytes, Clock) {
  Message<Clock> message;
  message->clock = {-1, 999'999'999};
  expect_bytes(*message, "ffffffff ffc99a3b");
}

template <typename Info>
void fill_info(Info& info) {
  const auto count_up = [](auto& gid, std::uint8_t first) {
    for (auto& byte : gid.data) byte = first++;
  };
  count_up(info.gid, 0x10);
  resize(info.node_entities_info_seq, 1);
  auto& node = elements(info.node_entities_info_seq)[0];
  node.node_namespace[0] = '/';
  node.node_name[0] = 'n';
  resize(node.reader_gid_seq, 1);
  count_up(elements(node.reader_gid_seq)[0], 0x80);
}

TEST(GoldenBytes, ParticipantEntitiesInfo) {
  Message<ParticipantEntitiesInfo> message;
  fill_info(*message);
  expect_bytes(*message, join({"101112131415161718191a1b1c1d1e1f",  // 0: participant
                               "01000000",                          // 16: one node
                               "02000000 2f00 ..",                  // 20: "/"
                               "02000000 6e00 ..",                  // 28: "n"
                               "01000000",                          // 36: one reader
                               "808182838485868788898a8b8c8d8e8f",  // 40
                               "00000000"}));                       // 56: no writer
}

TEST(GoldenBytes, ParticipantEntitiesInfoOfHumble) {
  Message<ParticipantEntitiesInfo24> message;
  fill_info(*message);
  expect_bytes(*message,
               join({"101112131415161718191a1b1c1d1e1f2021222324252627",  // 0: participant
                     "01000000",                                          // 24: one node
                     "02000000 2f00 ..",                                  // 28: "/"
                     "02000000 6e00 ..",                                  // 36: "n"
                     "01000000",                                          // 44: one reader
                     "808182838485868788898a8b8c8d8e8f9091929394959697",  // 48
                     "00000000"}));                                       // 72: no writer
}

}  // namespace
}  // namespace spatial_dynamics::dds
