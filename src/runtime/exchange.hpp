// Replaces an object that a real-time loop uses while other threads use it too.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/exchange_atomic.hpp"

namespace spatial_dynamics {

/// Passes objects from an owner to a loop, and from the loop to a publisher that frees them.
///
///   owner      offer(b)              b is alive; the loop may take it
///   loop       next() -> b, adopt()  b is current; the loop no longer uses the old object
///   publisher  serve()               visits and frees the old object, then visits b
///
/// The loop owns the objects that it has taken, so no other thread can free them. Objects that the
/// loop releases go through a ring of events in order: the publisher sees everything that the loop
/// did with the old object before it sees the new one. An offer that the loop has not taken is
/// freed by the next offer.
///
/// Each side may be one thread at a time; different threads may take turns if they synchronise.
/// `Atomic` is replaced by tests that try every order of the steps.
template <typename T, template <typename> class Atomic = ExchangeAtomic>
class Exchange {
 public:
  using Objects = std::vector<std::shared_ptr<T>>;

  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // ---- owner: allocates, locks

  /// Replaces an offer that the loop has not taken.
  void offer(std::shared_ptr<T> object) {
    T* const raw = object.get();
    change([&](Objects& objects) { objects.push_back(std::move(object)); });
    T* const skipped = offered_.exchange(raw, std::memory_order_acq_rel);
    if (skipped != nullptr) release(skipped);
  }

  // ---- any thread but the loop: locks

  /// All objects that the loop or the publisher may use, in the order of their offers. Never null.
  [[nodiscard]] std::shared_ptr<const Objects> alive() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return alive_;
  }
  /// The newest offer, taken or not; null before the first.
  [[nodiscard]] std::shared_ptr<T> newest() const {
    const std::shared_ptr<const Objects> objects = alive();
    return objects->empty() ? nullptr : objects->back();
  }
  /// The object whose results the publisher sends; the newest one before the first was adopted.
  [[nodiscard]] std::shared_ptr<T> served() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (served_ != nullptr) return served_;
    return alive_->empty() ? nullptr : alive_->back();
  }

  // ---- loop: real-time safe, wait-free

  /// Null until the first adopt().
  [[nodiscard]] T* current() const noexcept { return current_; }

  /// The newest offer that is not adopted yet, or null. An offer that it replaces is given up.
  /// Waits for a later call while the publisher has not caught up.
  [[nodiscard]] T* next() noexcept {
    // Two places: one for what may be given up here, one for adopt().
    if (offered_.load(std::memory_order_relaxed) != nullptr && free_places() >= 2) {
      T* const newest = offered_.exchange(nullptr, std::memory_order_acq_rel);
      if (newest != nullptr) {
        if (next_ != nullptr) push({next_, false});
        next_ = newest;
      }
    }
    return next_;
  }
  /// Makes next(), which must not be null, the current one. The old one belongs to the publisher
  /// now.
  void adopt() noexcept {
    current_ = std::exchange(next_, nullptr);
    push({current_, true});
  }

  // ---- publisher: locks, frees

  /// Calls `visit(object)` for each object that was replaced since the last call, a last time, and
  /// for the current one. Returns the current one, or null.
  template <typename Visit>
  T* serve(Visit&& visit) {
    std::size_t tail = tail_.load(std::memory_order_relaxed);
    while (tail != head_.load(std::memory_order_acquire)) {
      const Event event = events_[tail % events_.size()];
      T* gone = event.object;
      if (event.adopted) {
        gone = std::exchange(published_, event.object);
        set_served(published_);
      }
      // The event is over before anything can throw: it must not be handled twice.
      tail_.store(++tail, std::memory_order_release);
      if (event.adopted && gone != nullptr) visit(*gone);
      if (gone != nullptr) release(gone);
    }
    if (published_ != nullptr) visit(*published_);
    return published_;
  }

 private:
  struct Event {
    T* object = nullptr;
    bool adopted = false;  // else given up without having been current
  };

  [[nodiscard]] std::size_t free_places() const noexcept {
    return events_.size() -
           (head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_acquire));
  }
  void push(const Event& event) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    events_[head % events_.size()] = event;
    head_.store(head + 1, std::memory_order_release);
  }

  template <typename Change>
  void change(Change&& apply) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto objects = std::make_shared<Objects>(*alive_);
    apply(*objects);
    alive_ = std::move(objects);
  }
  void set_served(const T* object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = find(*alive_, object);
    served_ = found == alive_->end() ? nullptr : *found;
  }
  void release(const T* object) {
    std::shared_ptr<T> last;  // destroyed after the lock is released
    change([&](Objects& objects) {
      const auto found = find(objects, object);
      if (found == objects.end()) return;
      last = *found;
      objects.erase(found);
    });
  }
  template <typename List>
  static auto find(List& objects, const T* object) {
    return std::find_if(objects.begin(), objects.end(),
                        [object](const auto& o) { return o.get() == object; });
  }

  mutable std::mutex mutex_;  // the next two; never taken by the loop
  std::shared_ptr<const Objects> alive_ = std::make_shared<const Objects>();
  std::shared_ptr<T> served_;

  Atomic<T*> offered_{nullptr};    // owner -> loop
  T* current_ = nullptr;           // loop
  T* next_ = nullptr;              // loop
  std::array<Event, 8> events_{};  // loop -> publisher
  Atomic<std::size_t> head_{0};    // written by the loop
  Atomic<std::size_t> tail_{0};    // written by the publisher
  T* published_ = nullptr;         // publisher
};

}  // namespace spatial_dynamics
