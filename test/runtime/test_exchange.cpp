// The exchange of a robot: every order of the steps of owner, loop and publisher.
#include "runtime/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/interleavings.hpp"

namespace spatial_dynamics::test {
namespace {

/// Represents a robot: an output that the loop writes and the publisher reads.
struct Item {
  explicit Item(std::vector<bool>& living, std::size_t number) : alive(living), id(number) {
    alive[id] = true;
  }
  ~Item() { alive[id] = false; }
  Item(const Item&) = delete;
  Item& operator=(const Item&) = delete;

  std::vector<bool>& alive;
  std::size_t id;
  SteppedAtomic<std::uint64_t> output{0};  // 0: nothing new
};

/// The three actors with their laws: nothing is used after it was freed; published outputs are in
/// the order in which the loop made them; the last output of each item is published; in the end the
/// last offer is current and everything else is freed.
class Scenario {
 public:
  Scenario(Turns& turns, std::size_t offers, bool slow) : slow_(slow), alive_(offers + 1, false) {
    for (std::size_t i = 0; i <= offers; ++i) {
      items_.push_back(std::make_shared<Item>(alive_, i));
      addresses_.push_back(items_.back().get());
      turns.name(items_.back().get());
    }
    last_output_.assign(offers + 1, 0);
    offer(0);
    cycle();  // the first item is current before the other offers
    serve();
  }

  void offer(std::size_t i) { exchange_.offer(std::move(items_[i])); }

  void cycle() {
    Item* const next = exchange_.next();
    if (next != nullptr) use(*next);
    // A slow exchange waits for a cycle, as that for a robot with other joints does.
    const bool ready = exchange_.current() == nullptr || !slow_ || next == waiting_;
    waiting_ = next;
    if (next != nullptr && ready) exchange_.adopt();
    Item& current = *exchange_.current();
    use(current);
    last_output_[current.id] = ++outputs_;
    current.output.store(outputs_);
  }

  void serve() {
    exchange_.serve([this](Item& item) {
      use(item);
      const std::uint64_t output = item.output.exchange(0);
      if (output == 0) return;
      if (!published_.empty() && output <= published_.back()) errors_ += "published out of order; ";
      published_.push_back(output);
    });
  }

  void check() {
    for (int i = 0; i < 4; ++i) {
      cycle();
      serve();
    }
    EXPECT_EQ(errors_, "");
    for (const std::uint64_t last : last_output_) {
      if (last == 0) continue;  // was never current
      EXPECT_NE(std::find(published_.begin(), published_.end(), last), published_.end())
          << "the last output of an item was lost";
    }
    const std::size_t newest = alive_.size() - 1;
    EXPECT_EQ(exchange_.current()->id, newest);
    EXPECT_EQ(exchange_.served()->id, newest);
    EXPECT_EQ(std::count(alive_.begin(), alive_.end(), true), 1)
        << "only the current item must be alive";
    EXPECT_EQ(exchange_.alive()->size(), 1u);
  }

 private:
  void use(const Item& item) {
    // Compares addresses, because the item may have been freed.
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (&item == addresses_[i] && !alive_[i]) errors_ += "used after it was freed; ";
    }
  }

  bool slow_;
  std::vector<bool> alive_;
  std::vector<std::shared_ptr<Item>> items_;
  std::vector<const Item*> addresses_;
  Exchange<Item, SteppedAtomic> exchange_;
  Item* waiting_ = nullptr;
  std::uint64_t outputs_ = 0;
  std::vector<std::uint64_t> last_output_, published_;
  std::string errors_;
};

class EveryInterleaving : public ::testing::TestWithParam<bool> {};

TEST_P(EveryInterleaving, SatisfiesInvariantsOfExchange) {
  const std::size_t runs = try_every_interleaving([](Turns& turns, const auto& choose) {
    Scenario scenario(turns, 2, GetParam());
    turns.run({[&] {
                 scenario.offer(1);
                 scenario.offer(2);
               },
               [&] {
                 for (int i = 0; i < 4; ++i) scenario.cycle();
               },
               [&] {
                 for (int i = 0; i < 3; ++i) scenario.serve();
               }},
              choose);
    scenario.check();
  });
  EXPECT_GT(runs, 100u) << "the actors did not interleave";
}

INSTANTIATE_TEST_SUITE_P(AtOnceAndSlow, EveryInterleaving, ::testing::Bool());

TEST(ExchangeTest, KeepsOffersWhileThePublisherIsBehind) {
  std::vector<bool> alive(40, false);
  Exchange<Item> exchange;
  for (std::size_t i = 0; i < alive.size(); ++i) {
    exchange.offer(std::make_shared<Item>(alive, i));
    if (exchange.next() != nullptr) exchange.adopt();
    ASSERT_TRUE(alive[exchange.current()->id]);
  }
  EXPECT_LT(exchange.current()->id, alive.size() - 1) << "the ring is full";
  exchange.serve([](Item&) {});
  ASSERT_NE(exchange.next(), nullptr);
  exchange.adopt();
  exchange.serve([](Item&) {});
  EXPECT_EQ(exchange.current()->id, alive.size() - 1);
  EXPECT_EQ(std::count(alive.begin(), alive.end(), true), 1);
}

TEST(ExchangeTest, FreesSkippedOffer) {
  std::vector<bool> alive(3, false);
  Exchange<Item> exchange;
  for (std::size_t i = 0; i < alive.size(); ++i) exchange.offer(std::make_shared<Item>(alive, i));
  EXPECT_EQ(alive, std::vector<bool>({false, false, true}));
  EXPECT_EQ(exchange.newest()->id, 2u);
}

}  // namespace
}  // namespace spatial_dynamics::test
