#include "cli/nodes/latency/latency_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

using Json = nlohmann::ordered_json;

Spread summarised(const HistogramSnapshot& histogram) {
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-3; };
  return {us(histogram.min()), us(histogram.quantile(0.5)), us(histogram.quantile(0.99)),
          histogram.count()};
}

Json json_of(const Spread& spread) {
  return {{"min", spread.min}, {"p50", spread.p50}, {"p99", spread.p99}, {"count", spread.count}};
}
Spread spread_from(const Json& json) {
  return {json.at("min"), json.at("p50"), json.at("p99"), json.at("count")};
}

Json json_of(const RoundTrips& trips) {
  Json json = json_of(spread_of(trips.all));
  json["lost"] = trips.lost;
  return json;
}

Spread merged_spread(const std::vector<LoopTiming>& parts, Spread LoopTiming::*member) {
  std::vector<double> minima, medians, tails;
  Spread result;
  for (const LoopTiming& part : parts) {
    const Spread& spread = part.*member;
    minima.push_back(spread.min);
    medians.push_back(spread.p50);
    tails.push_back(spread.p99);
    result.count += spread.count;
  }
  result.min = quantile(minima, 0.0);
  result.p50 = quantile(medians, 0.5);
  result.p99 = quantile(tails, 0.5);
  return result;
}

std::string fixed(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value;
  return text.str();
}

/// A line of the table: title, three columns, remark.
void write_row(std::ostream& out, const std::string& title, const std::array<std::string, 3>& cells,
               const std::string& remark = {}) {
  out << "  " << std::left << std::setw(44) << title << std::right;
  for (const std::string& cell : cells) out << std::setw(10) << cell;
  out << (remark.empty() ? "" : "  ") << remark << '\n';
}
void write_row(std::ostream& out, const std::string& title, const Spread& spread,
               const std::string& remark = {}) {
  write_row(out, title, {fixed(spread.min, 1), fixed(spread.p50, 1), fixed(spread.p99, 1)}, remark);
}

std::string lost_text(const RoundTrips& trips) {
  return trips.lost == 0 ? std::string() : std::to_string(trips.lost) + " unanswered";
}

const char* verdict(bool reached) { return reached ? "reached" : "missed"; }

}  // namespace

Spread spread_of(std::vector<double> durations) {
  const std::uint64_t count = durations.size();
  return {quantile(durations, 0.0), quantile(durations, 0.5), quantile(std::move(durations), 0.99),
          count};
}

TimedLoop snapshot_of(const DynamicsCore& core) {
  const LoopStatistics& loop = core.loop_statistics();
  return {loop.compute_time.snapshot(), core.state_wait().snapshot(), loop.wakeup_jitter.snapshot(),
          loop.overruns.load()};
}

std::string timing_text(const TimedLoop& after, const TimedLoop& before) {
  const Json json{{"compute", json_of(summarised(after.compute.since(before.compute)))},
                  {"wait", json_of(summarised(after.wait.since(before.wait)))},
                  {"jitter", json_of(summarised(after.jitter.since(before.jitter)))},
                  {"overruns", after.overruns - before.overruns}};
  return json.dump();
}

bool read_timing(const std::string& line, LoopTiming& timing) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return false;
  try {
    timing = {spread_from(json.at("compute")), spread_from(json.at("wait")),
              spread_from(json.at("jitter")), json.at("overruns")};
  } catch (const Json::exception&) {
    return false;
  }
  return true;
}

LoopTiming merged(const std::vector<LoopTiming>& parts) {
  LoopTiming result{merged_spread(parts, &LoopTiming::compute),
                    merged_spread(parts, &LoopTiming::wait),
                    merged_spread(parts, &LoopTiming::jitter), 0};
  for (const LoopTiming& part : parts) result.overruns += part.overruns;
  return result;
}

std::string to_text(const LatencyReport& r) {
  const std::vector<double> ratio = ratios_of_rounds(r.node, r.echo);
  const double median = quantile(ratio, 0.5);
  const std::array<std::string, 3> columns{"min", "p50", "p99"};
  std::ostringstream out;
  out << r.robot << ", " << count_text(r.joints, "joint") << ", " << r.rate_hz << " Hz; "
      << count_text(static_cast<std::size_t>(r.rounds), "round") << " of "
      << count_text(static_cast<std::size_t>(r.trips), "round trip") << ", in "
      << count_text(static_cast<std::size_t>(r.sections), "section") << "\n"
      << "machine: " << r.cores << " cores, load " << fixed(r.load_before, 1)
      << " at the beginning and " << fixed(r.load_after, 1) << " at the end; domain " << r.domain
      << "\ntorques: " << r.torques_compared << " compared with the library's, largest difference "
      << r.largest_difference << " of (1 + |torque|)\n\n";
  write_row(out, "round trip, us", columns);
  write_row(out, "node, trigger: state", spread_of(r.node.all), lost_text(r.node));
  write_row(out, "bare echo, effort returned immediately", spread_of(r.echo.all),
            lost_text(r.echo));
  out << "  node / echo, medians per round: " << fixed(median, 2) << " (p10 "
      << fixed(quantile(ratio, 0.1), 2) << ", p90 " << fixed(quantile(ratio, 0.9), 2) << "); goal "
      << fixed(kRatioGoal, 1) << ": " << verdict(median <= kRatioGoal) << "\n\n";
  write_row(out, "fixed rate, us", columns);
  write_row(out, "compute time", r.loop.compute);
  write_row(out, "state wait", r.loop.wait);
  write_row(out, "wake-up jitter", r.loop.jitter,
            r.loop.overruns == 0 ? "" : count_text(r.loop.overruns, "overrun"));
  write_row(out, "round trip", spread_of(r.timed.all), lost_text(r.timed));
  out << "  compute time, p50: " << fixed(r.loop.compute.p50, 1) << " us; goal "
      << fixed(kComputeGoal, 0) << ": " << verdict(r.loop.compute.p50 <= kComputeGoal) << '\n';
  return out.str();
}

std::string to_json(const LatencyReport& r) {
  const std::vector<double> ratio = ratios_of_rounds(r.node, r.echo);
  const double median = quantile(ratio, 0.5);
  const Json json{{"unit", "us"},
                  {"robot", r.robot},
                  {"joints", r.joints},
                  {"rate_hz", r.rate_hz},
                  {"rounds", r.rounds},
                  {"trips", r.trips},
                  {"sections", r.sections},
                  {"machine", {{"cores", r.cores}, {"load", {r.load_before, r.load_after}}}},
                  {"domain", r.domain},
                  {"torques_compared", r.torques_compared},
                  {"largest_difference", r.largest_difference},
                  {"trigger_state",
                   {{"node", json_of(r.node)},
                    {"echo", json_of(r.echo)},
                    {"ratio",
                     {{"median", median},
                      {"p10", quantile(ratio, 0.1)},
                      {"p90", quantile(ratio, 0.9)},
                      {"goal", kRatioGoal},
                      {"reached", median <= kRatioGoal}}}}},
                  {"fixed_rate",
                   {{"compute_time", json_of(r.loop.compute)},
                    {"goal_p50", kComputeGoal},
                    {"reached", r.loop.compute.p50 <= kComputeGoal},
                    {"state_wait", json_of(r.loop.wait)},
                    {"wakeup_jitter", json_of(r.loop.jitter)},
                    {"overruns", r.loop.overruns},
                    {"round_trip", json_of(r.timed)}}}};
  return json.dump(2) + "\n";
}

}  // namespace spatial_dynamics::cli
