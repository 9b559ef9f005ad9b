// Checks payloads against effort limits, on a separate thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/robot.hpp"

namespace spatial_dynamics {

/// Computes the joint torques that the weight of payloads needs at the worst pose, on a thread that
/// starts with the first payload. Functions may be called from any thread; they allocate.
class PayloadCheck {
 public:
  PayloadCheck() = default;
  ~PayloadCheck();
  PayloadCheck(const PayloadCheck&) = delete;
  PayloadCheck& operator=(const PayloadCheck&) = delete;

  /// The robot's payloads or its gravity have changed. Returns at once; a request that still waits
  /// is replaced.
  void request(std::shared_ptr<const Robot> robot, const Vector3& configured_gravity);

  struct Warning {
    std::string link;
    std::string text;  ///< one sentence
  };
  /// One for each payload of this robot whose weight exceeds an effort limit at the worst pose.
  /// Payloads that are not checked yet have none.
  [[nodiscard]] std::vector<Warning> warnings(const Robot& robot) const;
  /// Whether a change is not checked yet.
  [[nodiscard]] bool pending() const;

 private:
  struct Result {
    std::string link;
    VectorXd torque;  // the worst, nv numbers
  };
  void run();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  bool checking_ = false;
  std::shared_ptr<const Robot> next_;
  Vector3 gravity_ = Vector3::Zero();
  std::weak_ptr<const Robot> checked_;  // whose results these are
  std::vector<Result> results_;
  std::thread thread_;
};

}  // namespace spatial_dynamics
