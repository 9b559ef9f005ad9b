// Any bytes from the wire as each message that the node receives: decoded, converted, checked by
// the inbox.
#include <dds/ddsi/ddsi_serdata.h>

#include <algorithm>
#include <memory>

#include "dds/error.hpp"
#include "dds/messages.hpp"
#include "dds/middleware.hpp"
#include "dds/node.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "runtime/inbox.hpp"

namespace {

using namespace spatial_dynamics;
using namespace spatial_dynamics::dds;

/// Decodes as the middleware does; malformed bytes do not reach the node.
template <typename T>
class Decoder {
 public:
  explicit Decoder(const std::shared_ptr<Graph>& graph)
      : topic_(checked(dds_create_topic(graph->participant().handle(), &descriptor<T>(),
                                        topic_name().c_str(), nullptr, nullptr),
                       "topic")),
        reader_(checked(
            dds_create_reader(graph->participant().handle(), topic_.get(), nullptr, nullptr),
            "reader")) {
    // A writer is needed to reach the decoder that the middleware has for this type.
    const Entity writer(
        checked(dds_create_writer(graph->participant().handle(), topic_.get(), nullptr, nullptr),
                "writer"));
    const Message<T> empty;
    checked(dds_write(writer.get(), &*empty), "write");
    dds_sample_info_t info{};
    fuzz::expect(dds_takecdr(reader_.get(), &kept_, 1, &info, DDS_ANY_STATE) == 1, "a sample");
  }

  /// False if the bytes are not such a message. Messages in XCDR2, which no ROS 2 node sends, are
  /// excluded: Cyclone DDS 0.10 writes beyond its buffer if such a message claims more numbers than
  /// it has (docs/reliability.md).
  bool decode(const std::uint8_t* bytes, std::size_t size, Message<T>& message) const {
    constexpr std::uint8_t kFirstXcdr2 = 6;
    if (bytes[1] >= kFirstXcdr2) return false;
    std::string copy(reinterpret_cast<const char*>(bytes), size);  // NOLINT: decoded in place
    while (copy.size() % 4 != 0) copy.push_back('\0');
    const ddsrt_iovec_t part{copy.data(), copy.size()};
    ddsi_serdata* const data =
        ddsi_serdata_from_ser_iov(kept_->type, SDK_DATA, 1, &part, copy.size());
    if (data == nullptr) return false;
    const bool ok = ddsi_serdata_to_sample(data, &*message, nullptr, nullptr);
    ddsi_serdata_unref(data);
    return ok;
  }

 private:
  static std::string topic_name() {
    std::string name = descriptor<T>().m_typename;
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
  }

  Entity topic_;
  Entity reader_;
  ddsi_serdata* kept_ = nullptr;
};

std::shared_ptr<Graph> silent_graph() {
  DiscoveryOptions options;
  options.domain_id = 103;
  options.range = DiscoveryRange::kOff;
  return std::make_shared<Graph>(options, SecurityOptions{}, NodeName{"/", "fuzz"}, GidSize::k16,
                                 Events{});
}

Model floating_finger() {
  LoadOptions options;
  options.floating_base = true;
  return load_urdf(fuzz::kFinger, options);
}

class Target {
 public:
  void take(std::uint8_t kind, const std::uint8_t* bytes, std::size_t size) {
    constexpr std::int64_t kNow = 1'000'000'000'000, kRosNow = 1'700'000'000'000'000'000;
    switch (kind % 7) {
      case 0:
        return take(states_, bytes, size, [&](const JointState& m) {
          inbox_.on_joint_states(MessageViews<Cyclone>::of(m, 1), kNow, kRosNow,
                                 MissingVelocity::kDifferentiate);
        });
      case 1:
        return take(references_, bytes, size, [&](const JointTrajectory& m) {
          inbox_.on_reference(MessageViews<Cyclone>::of(m), kNow, kRosNow);
        });
      case 2:
        return take(states_, bytes, size, [&](const JointState& m) {
          inbox_.on_effort_command(MessageViews<Cyclone>::of(m), kNow);
        });
      case 3:
        return take(wrenches_, bytes, size, [&](const WrenchStamped& m) {
          inbox_.on_wrench(MessageViews<Cyclone>::of(m), kNow);
        });
      case 4:
        return take(payloads_, bytes, size, [&](const InertiaStamped& m) {
          inbox_.on_payload(MessageViews<Cyclone>::of(m));
        });
      case 5:
        return take(gravities_, bytes, size, [&](const Vector3Stamped& m) {
          inbox_.on_gravity(MessageViews<Cyclone>::of(m));
        });
      default:
        return take(odometries_, bytes, size, [&](const Odometry& m) {
          inbox_.on_odometry(MessageViews<Cyclone>::of(m), kNow, kRosNow);
        });
    }
  }
  /// All numbers that the loop reads are finite.
  void expect_sound() {
    inbox_.update();
    const ControlView in = inbox_.inputs(settings_, true);
    fuzz::expect(in.states.q.allFinite() && in.states.v.allFinite() && in.states.effort.allFinite(),
                 "states are finite");
    fuzz::expect(in.effort_command.effort.allFinite(), "commanded efforts are finite");
    fuzz::expect(in.gravity.vector.allFinite(), "gravity is finite");
    for (const LinkWrench& w : in.wrenches.links) {
      fuzz::expect(w.wrench.vector().allFinite(), "wrenches are finite");
    }
    for (const JointReference& r : in.references.joints) {
      fuzz::expect(std::isfinite(r.setpoint.position + r.setpoint.velocity +
                                 r.setpoint.acceleration + r.setpoint.effort),
                   "setpoints are finite");
      for (const Knot& k : r.knots) {
        fuzz::expect(std::isfinite(k.time_s + k.position + k.velocity + k.acceleration + k.effort),
                     "references are finite");
      }
    }
  }

 private:
  template <typename T, typename Action>
  void take(const Decoder<T>& decoder, const std::uint8_t* bytes, std::size_t size,
            const Action& action) {
    Message<T> message;
    if (decoder.decode(bytes, size, message)) action(*message);
  }

  std::shared_ptr<Graph> graph_ = silent_graph();
  Decoder<JointState> states_{graph_};
  Decoder<JointTrajectory> references_{graph_};
  Decoder<WrenchStamped> wrenches_{graph_};
  Decoder<InertiaStamped> payloads_{graph_};
  Decoder<Vector3Stamped> gravities_{graph_};
  Decoder<Odometry> odometries_{graph_};
  Model model_ = floating_finger();
  Inbox inbox_{model_, Coordinates(model_)};
  Settings settings_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto* const target = new Target;  // the middleware is not shut down at exit
  if (size < 5) return 0;                  // the kind, and four bytes with the encoding of the rest
  target->take(data[0], data + 1, size - 1);
  target->expect_sound();
  return 0;
}
