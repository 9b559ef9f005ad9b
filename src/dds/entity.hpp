#pragma once

#include <dds/dds.h>

#include <memory>
#include <utility>

namespace spatial_dynamics::dds {

/// Owns an entity of Cyclone DDS. Deleting a reader or writer waits until its callbacks have
/// returned, so a callback must not delete its own reader or writer.
class Entity {
 public:
  Entity() noexcept = default;
  explicit Entity(dds_entity_t handle) noexcept : handle_(handle) {}
  ~Entity() { reset(); }
  Entity(Entity&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  Entity& operator=(Entity&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, 0);
    }
    return *this;
  }
  Entity(const Entity&) = delete;
  Entity& operator=(const Entity&) = delete;

  [[nodiscard]] dds_entity_t get() const noexcept { return handle_; }
  void reset() noexcept {
    if (handle_ > 0) (void)dds_delete(std::exchange(handle_, 0));
  }

 private:
  dds_entity_t handle_ = 0;
};

struct ListenerDeleter {
  void operator()(dds_listener_t* listener) const noexcept { dds_delete_listener(listener); }
};
using ListenerHandle = std::unique_ptr<dds_listener_t, ListenerDeleter>;

}  // namespace spatial_dynamics::dds
