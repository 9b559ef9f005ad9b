#include "cli/nodes/demo/live_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "cli/nodes/demo/demo_limits.hpp"
#include "cli/nodes/demo/text_cells.hpp"
#include "cli/nodes/demo/view_layout.hpp"
#include "runtime/standard_error_log.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kPageSeconds = 4.0;  // each page of joints is shown for so long

const char* const kDim = "\x1b[2m";
const char* const kBold = "\x1b[1m";
const char* const kGreen = "\x1b[32m";
const char* const kYellow = "\x1b[33m";
const char* const kRed = "\x1b[31m";

class View {
 public:
  View(const DemoSubject& subject, const DemoReading& reading, const ScreenSize& size,
       const ViewStyle& style)
      : subject_(subject),
        reading_(reading),
        columns_(static_cast<std::size_t>(std::max(size.columns, 20))),
        rows_(static_cast<std::size_t>(std::max(size.rows, 6))),
        style_(style),
        layout_(ViewLayout::fit(subject, reading.external_known, columns_)) {}

  std::string draw(const std::vector<std::string>& log) {
    title();
    const std::vector<Line> figures = this->figures();
    const std::size_t others = lines_.size() + 2 + 1 + figures.size() + 1;
    joints(rows_ > others + 1 ? rows_ - others : 1);
    add(line());
    for (const Line& line : figures) add(line);
    logs(log);
    return frame();
  }

 private:
  using Line = StyledLine;

  void add(Line line) { lines_.push_back(std::move(line)); }
  [[nodiscard]] Line line() const { return Line(style_.colours); }

  void title() {
    const auto whole = static_cast<long>(reading_.seconds);
    Line text = line();
    text.add(subject_.robot, kBold)
        .add("  " + subject_.mode + "  " + number("%g", subject_.rate_hz) + " Hz  domain " +
             std::to_string(subject_.domain));
    Line clock = line();
    const auto minutes = whole / 60;
    clock.add(number("%02.0f", static_cast<double>(minutes)) + ":" +
              number("%02.0f", static_cast<double>(whole % 60)));
    const std::string hint = "q or Ctrl-C ends  ";
    const std::size_t used = text.width() + hint.size() + clock.width() + 2;
    if (columns_ > used) {
      text.add(std::string(columns_ - used, ' ')).add(hint, kDim).add(clock);
    }
    add(text);
    add(line());
  }

  void joints(std::size_t rows) {
    heading();
    const std::size_t n = subject_.joints.size();
    if (n <= rows) {
      for (std::size_t k = 0; k < n; ++k) joint(k);
      return;
    }
    const std::size_t each = std::max<std::size_t>(rows - 1, 1);
    const std::size_t pages = (n + each - 1) / each;
    const std::size_t page = static_cast<std::size_t>(reading_.seconds / kPageSeconds) % pages;
    const std::size_t first = page * each, last = std::min(n, first + each);
    for (std::size_t k = first; k < last; ++k) joint(k);
    for (std::size_t k = last - first; k < each; ++k) add(line());
    add(line().add("joints " + std::to_string(first + 1) + " to " + std::to_string(last) + " of " +
                       std::to_string(n) + "; the next page follows",
                   kDim));
  }

  void heading() {
    const auto any = [&](bool is_length) {
      return std::any_of(subject_.joints.begin(), subject_.joints.end(),
                         [=](const auto& joint) { return joint.is_length == is_length; });
    };
    const bool mixed = any(true) && any(false), metres = any(true);
    const std::string unit = mixed ? "" : metres ? "m" : "rad";
    const auto with = [&](const char* per) { return unit.empty() ? "" : unit + per; };
    const std::string squared = style_.unicode ? "/s²" : "/s^2";
    const std::string effort = mixed ? "" : metres ? "N" : "N m";
    Line names = line(), units = line();
    const auto column = [&](const std::string& name, const std::string& what, std::size_t width) {
      names.add(right(name, width), kDim);
      units.add(right(what, width), kDim);
    };
    names.add(left("joint", layout_.name), kDim);
    units.add(left("", layout_.name));
    column("position", unit, ViewLayout::kNumber);
    if (layout_.velocity) column("velocity", with("/s"), ViewLayout::kNumber);
    if (layout_.acceleration)
      column("acceleration", with(squared.c_str()), ViewLayout::kAcceleration);
    column("torque", effort, ViewLayout::kTorque);
    names.add("  " + left("", layout_.bar) + right("limit", ViewLayout::kLimit), kDim);
    units.add("  " + scale() + right(effort, ViewLayout::kLimit), kDim);
    if (layout_.external) column("external", effort, ViewLayout::kExternal);
    if (layout_.error) column(subject_.follows ? "error" : "drift", "", ViewLayout::kError);
    add(names);
    add(units);
  }

  /// "-100 %      0      +100 %", as wide as a bar.
  [[nodiscard]] std::string scale() const {
    if (layout_.bar < 19) return centred("0", layout_.bar);
    const std::size_t side = (layout_.bar - 1) / 2;
    return left("-100 %", side) + "0" + right("+100 %", side);
  }

  void joint(std::size_t k) {
    const auto& info = subject_.joints[k];
    const JointReading& now = reading_.joints[k];
    Line text = line();
    text.add(left(clip(info.name, layout_.name), layout_.name));
    const JointLimit limit = limit_of(info, now);
    text.add(right(number("%+.4f", now.position), ViewLayout::kNumber),
             is_stop(limit) ? kYellow : "");
    if (layout_.velocity) {
      text.add(right(number("%+.4f", now.velocity), ViewLayout::kNumber),
               limit == JointLimit::kSpeedCap ? kYellow : "");
    }
    if (layout_.acceleration)
      text.add(right(number("%+.3f", now.acceleration), ViewLayout::kAcceleration));
    text.add(right(number("%+.2f", now.torque), ViewLayout::kTorque));
    text.add("  ");
    bar(text, now.torque / info.effort_limit);
    const bool limited = std::isfinite(info.effort_limit);
    text.add(right(limited ? number("%g", info.effort_limit) : "none", ViewLayout::kLimit), kDim);
    if (layout_.external) {
      const bool touches = std::abs(now.external) > info.contact_threshold;
      text.add(right(number("%+.2f", now.external), ViewLayout::kExternal), touches ? kRed : "");
    }
    if (layout_.error) text.add(right(error_text(now.error, info.is_length), ViewLayout::kError));
    add(text);
  }

  /// From the middle to the left or to the right, in half cells.
  void bar(Line& text, double share) const {
    const std::size_t side = (layout_.bar - 1) / 2;
    const double size = std::isfinite(share) ? std::min(std::abs(share), 1.0) : 1.0;
    const auto halves = static_cast<std::size_t>(std::lround(size * static_cast<double>(2 * side)));
    const std::size_t full = halves / 2, empty = side - full - halves % 2;
    const std::string block = style_.unicode ? "█" : "#";
    const std::string track = style_.unicode ? "·" : ".";
    const std::string zero = style_.unicode ? "│" : "|";
    const std::string half = halves % 2 == 0 ? "" : !style_.unicode ? "-" : share < 0.0 ? "▐" : "▌";
    const char* const colour = size < 0.6 ? kGreen : size < 0.9 ? kYellow : kRed;
    if (share < 0.0) {
      text.add(repeated(track, empty), kDim).add(half + repeated(block, full), colour);
      text.add(zero).add(repeated(track, side), kDim);
    } else {
      text.add(repeated(track, side), kDim).add(zero).add(repeated(block, full) + half, colour);
      text.add(repeated(track, empty), kDim);
    }
  }

  [[nodiscard]] std::vector<Line> figures() const {
    std::vector<Line> result;
    const auto entry = [&](const char* title) {
      Line text = line();
      return text.add(left(title, 17), kDim);
    };
    if (!reading_.begun) {
      result.push_back(entry("state").add("waiting for the robot and its torques"));
      result.push_back(
          entry("node").add(reading_.message.empty() ? "no report yet" : reading_.message));
      return result;
    }
    result.push_back(entry("torques")
                         .add(left(number("%.1f Hz", torque_rate(reading_).last_hz), 14))
                         .add("overruns " + std::to_string(reading_.overruns))
                         .add("   replaced " + std::to_string(reading_.torques_replaced)));
    result.push_back(timing("state age", reading_.state_age));
    result.push_back(timing("wake-up jitter", reading_.jitter));
    result.push_back(timing("compute time", reading_.compute));
    result.push_back(timing("state to torque", reading_.latency));
    result.push_back(tracking());
    if (reading_.external_known) {
      result.push_back(entry("external torque").add(external_text(subject_, reading_)));
    }
    if (has_limits(subject_)) {
      const std::string limits = limits_text(subject_, reading_);
      result.push_back(entry("at limits").add(limits, limits == "none" ? "" : kYellow));
    }
    const std::string faults = faults_text(subject_, reading_.faults);
    result.push_back(entry("faults").add(faults, reports_fault(reading_.faults) ? kRed
                                                 : all_joints_move(subject_)    ? kGreen
                                                                                : kYellow));
    result.push_back(
        entry("node").add(reading_.message.empty() ? "no report yet" : reading_.message));
    return result;
  }

  [[nodiscard]] Line timing(const char* title, const Timing& t) const {
    Line text = line();
    text.add(left(title, 17), kDim);
    for (const auto& [name, value] : {std::pair{"p50 ", t.p50}, {"p99 ", t.p99}, {"max ", t.max}}) {
      text.add(name, kDim).add(left(timing_text(value, t.known), 10));
    }
    return text;
  }

  [[nodiscard]] Line tracking() const {
    Line text = line();
    text.add(left(subject_.follows ? "tracking error" : "drift", 17), kDim);
    if (reading_.errors_measured == 0) return text.add("measured after the first second");
    const Extremes worst = extremes(subject_, reading_);
    if (worst.error_rms < 0) return text.add("no joint is moved: velocity limit 0 in the URDF");
    const auto show = [&](const char* name, int joint, double JointReading::*value) {
      const auto k = static_cast<std::size_t>(joint);
      text.add(name, kDim)
          .add(error_text(reading_.joints[k].*value, subject_.joints[k].is_length))
          .add(" " + subject_.joints[k].name + "   ", kDim);
    };
    show("rms ", worst.error_rms, &JointReading::error_rms);
    show("max ", worst.error_max, &JointReading::error_max);
    return text;
  }

  /// Fills the rest of the screen with the newest lines.
  void logs(const std::vector<std::string>& log) {
    if (lines_.size() + 2 > rows_) return;
    const std::size_t count = std::min(rows_ - lines_.size() - 1, log.size());
    while (lines_.size() + count < rows_) add(line());
    for (std::size_t i = log.size() - count; i < log.size(); ++i) {
      const std::optional<LogLevel> level = level_of_line(log[i]);
      add(line().add(printable(log[i]), level == LogLevel::kError     ? kRed
                                        : level == LogLevel::kWarning ? kYellow
                                                                      : kDim));
    }
  }

  [[nodiscard]] std::string frame() const {
    // ?2026 is a synchronised update, which other terminals ignore.
    std::string text = "\x1b[?2026h\x1b[H";
    for (std::size_t i = 0; i < rows_; ++i) {
      if (i < lines_.size()) text += " " + lines_[i].clipped(columns_ - 1);
      text += i + 1 < rows_ ? "\x1b[K\r\n" : "\x1b[K\x1b[?2026l";
    }
    return text;
  }

  const DemoSubject& subject_;
  const DemoReading& reading_;
  std::size_t columns_, rows_;
  ViewStyle style_;
  ViewLayout layout_;
  std::vector<Line> lines_;
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

}  // namespace

ViewStyle style_from_environment() {
  std::string locale;
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (locale.empty()) locale = variable(name);
  }
  const auto has = [&](const char* part) { return locale.find(part) != std::string::npos; };
  return {has("UTF-8") || has("utf8") || has("UTF8") || has("utf-8"), variable("NO_COLOR").empty()};
}

std::string live_view(const DemoSubject& subject, const DemoReading& reading,
                      const std::vector<std::string>& log, const ScreenSize& size,
                      const ViewStyle& style) {
  return View(subject, reading, size, style).draw(log);
}

}  // namespace spatial_dynamics::cli
