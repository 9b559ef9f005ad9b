#include "runtime/activation_gate.hpp"

#include <algorithm>
#include <utility>

namespace spatial_dynamics {

bool ActivationGate::is_before_us(const Peer& peer, std::int64_t now) noexcept {
  return peer.publisher.is_dynamics_node && peer.publisher.precedes_us &&
         now - peer.heard > kSilent;
}

void ActivationGate::note_order() {
  std::int64_t first = kNobody;
  for (const Peer& peer : peers_) {
    if (!peer.publisher.is_dynamics_node || !peer.publisher.precedes_us) continue;
    first = std::min(first, peer.heard);
  }
  first_heard_.store(first);
}

void ActivationGate::set_publishers(std::vector<ForeignPublisher> publishers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Peer> peers;
  for (ForeignPublisher& publisher : publishers) {
    const auto known = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) {
      return peer.publisher.source == publisher.source;
    });
    peers.push_back({std::move(publisher), known == peers_.end() ? kNever : known->heard});
  }
  peers_ = std::move(peers);
  note_order();
}

void ActivationGate::note_torque(std::uint64_t source, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(peers_.begin(), peers_.end(), [source](const Peer& peer) {
    return peer.publisher.source == source;
  });
  if (found == peers_.end()) return;
  found->heard = now;
  if (found->publisher.is_dynamics_node) {
    heard_.store(now);
    if (found->publisher.precedes_us) heard_lower_.store(now);
  }
  note_order();
}

std::vector<ForeignPublisher> ActivationGate::publishers() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<ForeignPublisher> result;
  result.reserve(peers_.size());
  for (const Peer& peer : peers_) result.push_back(peer.publisher);
  return result;
}

std::string ActivationGate::obstacle(std::int64_t now) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Peer& peer : peers_) {
    const ForeignPublisher& p = peer.publisher;
    if (!p.is_dynamics_node) continue;
    const std::string node = p.node.empty() ? "another spatial_dynamics node" : "node " + p.node;
    if (now - peer.heard < kRecent) return node + " sends on " + p.topic;
    if (is_before_us(peer, now)) return node + " may send first on " + p.topic;
  }
  return {};
}

bool ActivationGate::open(std::int64_t now, bool ready) noexcept {
  const bool blocked = now < opens_at_.load(std::memory_order_relaxed) ||
                       now - heard_.load(std::memory_order_relaxed) < kRecent;
  if (blocked || !ready) ready_since_ = kNever;
  if (blocked) return false;
  const std::int64_t first = first_heard_.load(std::memory_order_relaxed);
  if (first == kNobody || now - first <= kSilent) return true;
  if (!ready) return false;  // else both would start with the first state
  if (ready_since_ == kNever) ready_since_ = now;
  return now - ready_since_ >= kTie;
}

bool ActivationGate::yields(std::int64_t now, std::int64_t since) noexcept {
  const auto sends = [&](const std::atomic<std::int64_t>& heard) {
    const std::int64_t last = heard.load(std::memory_order_relaxed);
    return last >= since && now - last < kRecent;
  };
  if (!sends(heard_)) {
    tie_since_ = kNever;
    return false;
  }
  if (tie_since_ < since) {  // none was heard until now
    if (now - since >= kSettling) return false;
    tie_since_ = now;
  }
  return sends(heard_lower_) || now - tie_since_ >= kPersists;
}

}  // namespace spatial_dynamics
