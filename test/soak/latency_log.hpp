// The latencies of torques, second by second, with the events of the test; as a table, a plot and a
// report.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace spatial_dynamics::test {

class LatencyLog {
 public:
  explicit LatencyLog(std::string folder) : folder_(std::move(folder)) {}

  /// `now` in ns, any clock.
  void add(std::int64_t now, double latency_ms) {
    const std::lock_guard lock(mutex_);
    seconds_[second(now)].push_back(latency_ms);
  }
  void mark(std::int64_t now, const std::string& event) {
    const std::lock_guard lock(mutex_);
    marks_.emplace_back(second(now), event);
  }

  /// Writes latency.csv, latency.svg and report.md into the folder, the last one to standard output
  /// too.
  void report(std::int64_t torques, const std::vector<std::string>& events,
              const std::string& broken, const std::string& network_trouble) {
    const std::lock_guard lock(mutex_);
    std::ofstream table(folder_ + "/latency.csv");
    table << "second,torques,p50_ms,p99_ms,max_ms\n";
    std::vector<double> p50s, p99s;
    for (auto& [when, values] : seconds_) {
      std::sort(values.begin(), values.end());
      const auto at = [&values = values](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
      };
      table << when << ',' << values.size() << ',' << at(0.5) << ',' << at(0.99) << ','
            << values.back() << '\n';
      p50s.push_back(at(0.5));
      p99s.push_back(at(0.99));
    }
    plot();
    std::map<std::string, int> counts;
    for (const std::string& event : events) ++counts[event];
    std::string text = "torques: " + std::to_string(torques) + " in " +
                       std::to_string(seconds_.size()) + " s\nstate to arrival, median over the " +
                       "seconds: p50 " + number(middle(p50s)) + " ms, p99 " + number(middle(p99s)) +
                       " ms\n";
    for (const auto& [event, count] : counts) {
      text += std::to_string(count) + " x " + event + "\n";
    }
    if (!network_trouble.empty()) text += "on one host: " + network_trouble + "\n";
    text += broken.empty() ? "no rule was violated\n" : "BROKEN: " + broken + "\n";
    std::ofstream(folder_ + "/report.md") << text;
    std::fputs(text.c_str(), stdout);
  }

 private:
  std::int64_t second(std::int64_t now) {
    if (begin_ == 0) begin_ = now;
    return (now - begin_) / 1'000'000'000;
  }
  static double middle(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }
  static std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", x);
    return text;
  }
  /// Medians and 99th percentiles over time; 0.01 ms to 1 s, logarithmic, with a line for each
  /// event.
  void plot() const {
    constexpr double kWidth = 1000.0, kHeight = 300.0;
    const double length =
        seconds_.empty() ? 1.0 : static_cast<double>(seconds_.rbegin()->first + 1);
    const auto x = [&](double s) { return 50.0 + (kWidth - 60.0) * s / length; };
    const auto y = [&](double ms) {
      const double share = (std::log10(std::clamp(ms, 0.01, 1000.0)) + 2.0) / 5.0;
      return kHeight - 30.0 - (kHeight - 50.0) * share;
    };
    std::ofstream svg(folder_ + "/latency.svg");
    svg << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 300" font-family="sans-serif" font-size="11">)"
        << "\n<rect width=\"1000\" height=\"300\" fill=\"white\"/>\n";
    for (const double ms : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
      svg << "<line x1=\"50\" x2=\"990\" y1=\"" << y(ms) << "\" y2=\"" << y(ms)
          << "\" stroke=\"#ddd\"/><text x=\"5\" y=\"" << y(ms) + 4 << "\">" << ms << " ms</text>\n";
    }
    for (const auto& [when, event] : marks_) {
      svg << "<line x1=\"" << x(static_cast<double>(when)) << "\" x2=\""
          << x(static_cast<double>(when)) << "\" y1=\"20\" y2=\"270\" stroke=\"#fc9\"><title>"
          << event << "</title></line>\n";
    }
    for (const auto& [share, colour] : {std::pair(0.5, "#06c"), std::pair(0.99, "#c33")}) {
      svg << "<polyline fill=\"none\" stroke=\"" << colour << "\" points=\"";
      for (const auto& [when, values] : seconds_) {
        const auto k = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
        svg << x(static_cast<double>(when) + 0.5) << ',' << y(values[k]) << ' ';
      }
      svg << "\"/>\n";
    }
    svg << "<text x=\"50\" y=\"290\">0 s</text><text x=\"950\" y=\"290\">" << length
        << " s</text><text x=\"400\" y=\"14\">state to arrival: median (blue), 99 % (red), per "
           "second</text>\n</svg>\n";
  }

  std::string folder_;
  std::mutex mutex_;
  std::int64_t begin_ = 0;
  std::map<std::int64_t, std::vector<double>> seconds_;
  std::vector<std::pair<std::int64_t, std::string>> marks_;
};

}  // namespace spatial_dynamics::test
