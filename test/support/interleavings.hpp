// Runs small concurrent programs in every order of their atomic operations.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace spatial_dynamics::test {

/// One run of a program: its actors take turns, and each turn is one atomic operation. The actors
/// are coroutines of one thread, so that a turn costs no switch of threads.
class Turns {
 public:
  /// Names an address, so that it is the same in every run.
  void name(const void* address) { names_.emplace(address, names_.size() + 1); }

  /// Called by an actor before each atomic operation: waits for its turn.
  void wait_for_turn() {
    if (running_ != nullptr) ::swapcontext(&running_->context, &scheduler_);
  }
  /// Called by an actor after each atomic operation, with the result: the actor's next step depends
  /// only on it.
  void saw(const void* address) { saw(names_.count(address) != 0 ? names_.at(address) : 0); }
  void saw(std::uint64_t value) {
    if (running_ != nullptr) mix(running_->history, value);
  }

  /// Runs the actors. `choose(state, runnable)` selects the actor of the next turn.
  template <typename Choose>
  void run(std::vector<std::function<void()>> actors, const Choose& choose) {
    std::vector<std::unique_ptr<Actor>> all;
    for (std::function<void()>& body : actors) {
      all.push_back(std::make_unique<Actor>());
      prepare(*all.back(), std::move(body));
    }
    while (true) {
      std::vector<std::size_t> runnable;
      std::vector<std::uint64_t> state;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i]->ended) runnable.push_back(i);
        state.push_back(all[i]->history);
      }
      if (runnable.empty()) return;
      running_ = all[choose(state, runnable)].get();
      ::swapcontext(&scheduler_, &running_->context);
      mix(running_->history, 0);  // a turn without an operation is progress, too
      running_ = nullptr;
    }
  }

 private:
  struct Actor {
    ucontext_t context{};
    std::vector<char> stack = std::vector<char>(256 * 1024);
    std::function<void()> body;
    std::uint64_t history = 0;  // of the results of its operations
    bool ended = false;
  };

  static void mix(std::uint64_t& history, std::uint64_t value) {
    history = (history ^ (value + 1)) * 0x9E3779B97F4A7C15ULL;
    history ^= history >> 29;
  }
  static Actor*& starting() {
    static Actor* actor = nullptr;
    return actor;
  }
  static void enter() {
    Actor& self = *starting();
    ::swapcontext(&self.context, self.context.uc_link);  // wait for the first turn
    self.body();
    self.ended = true;
  }
  void prepare(Actor& actor, std::function<void()> body) {
    actor.body = std::move(body);
    ::getcontext(&actor.context);
    actor.context.uc_stack.ss_sp = actor.stack.data();
    actor.context.uc_stack.ss_size = actor.stack.size();
    actor.context.uc_link = &scheduler_;
    starting() = &actor;
    ::makecontext(&actor.context, &Turns::enter, 0);
    ::swapcontext(&scheduler_, &actor.context);
  }

  ucontext_t scheduler_{};
  Actor* running_ = nullptr;
  std::map<const void*, std::uint64_t> names_;
};

/// The run in progress.
inline Turns*& turns() {
  static Turns* current = nullptr;
  return current;
}

/// Stands in for std::atomic: every operation is one turn. Sequentially consistent.
template <typename T>
class SteppedAtomic {
 public:
  SteppedAtomic(T value) : value_(value) {}  // NOLINT(google-explicit-constructor): as std::atomic
  [[nodiscard]] T load(std::memory_order = std::memory_order_seq_cst) const {
    return step([this] { return value_; });
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    step([this, value] { return value_ = value; });
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    return step([this, value] { return std::exchange(value_, value); });
  }

 private:
  template <typename Operation>
  static T step(const Operation& operation) {
    if (turns() != nullptr) turns()->wait_for_turn();
    const T result = operation();
    if (turns() != nullptr) turns()->saw(result);
    return result;
  }
  T value_;
};

/// Runs a program in every order of its turns. `program(turns)` is called once for each order; it
/// calls turns.run(actors, choose) with the given `choose` and checks its laws afterwards. A state
/// that was reached before is not explored again. Returns the number of runs.
template <typename Program>
std::size_t try_every_interleaving(const Program& program) {
  std::set<std::vector<std::uint64_t>> explored;
  std::vector<std::vector<std::size_t>> open{{}};  // beginnings of schedules
  std::size_t runs = 0;
  while (!open.empty()) {
    const std::vector<std::size_t> beginning = open.back();
    open.pop_back();
    std::vector<std::size_t> schedule;
    bool known = false;
    const auto choose = [&](const std::vector<std::uint64_t>& state,
                            const std::vector<std::size_t>& runnable) {
      std::size_t chosen = runnable.front();
      if (schedule.size() < beginning.size()) {
        chosen = beginning[schedule.size()];
      } else if (!known) {
        known = !explored.insert(state).second;
        for (std::size_t i = 1; i < runnable.size() && !known; ++i) {
          open.push_back(schedule);
          open.back().push_back(runnable[i]);
        }
      }
      schedule.push_back(chosen);
      return chosen;
    };
    Turns run;
    turns() = &run;
    program(run, choose);
    turns() = nullptr;
    ++runs;
  }
  return runs;
}

}  // namespace spatial_dynamics::test
