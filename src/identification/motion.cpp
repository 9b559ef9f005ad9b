#include "spatial_dynamics/identification/motion.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kLargestMotion = std::size_t{1} << 30U;  // bytes
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
constexpr std::array<const char*, 3> kMotionQuantities{{"position", "velocity", "acceleration"}};

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view field = line.substr(begin, end - begin);
    while (!field.empty() && (field.front() == ' ' || field.front() == '"')) field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '"' || field.back() == '\r')) {
      field.remove_suffix(1);
    }
    fields.emplace_back(field);
    begin = end + 1;
  }
  return fields;
}

/// Where the columns of a motion's file are.
struct MotionColumns {
  std::size_t time = kNoColumn, count = 0;
  std::vector<std::string> joints;
  std::vector<std::array<std::size_t, 3>> of_joint;  // position, velocity, acceleration
};

MotionColumns motion_columns(const std::string& file, std::string_view header) {
  if (header.substr(0, 3) == "\xEF\xBB\xBF") header.remove_prefix(3);  // a byte order mark
  MotionColumns columns;
  const std::vector<std::string> names = fields_of(header);
  columns.count = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto twice = [&] {
      throw LogError(file + " has two columns " + in_quotes(names[i]) + ".");
    };
    if (names[i] == "time") {
      if (columns.time != kNoColumn) twice();
      columns.time = i;
    }
    for (std::size_t k = 0; k < kMotionQuantities.size(); ++k) {
      const std::string start = std::string(kMotionQuantities[k]) + ":";
      if (names[i].compare(0, start.size(), start) != 0) continue;
      const std::string joint = names[i].substr(start.size());
      const auto found = std::find(columns.joints.begin(), columns.joints.end(), joint);
      const auto row = static_cast<std::size_t>(found - columns.joints.begin());
      if (found == columns.joints.end()) {
        columns.joints.push_back(joint);
        columns.of_joint.push_back({kNoColumn, kNoColumn, kNoColumn});
      }
      if (columns.of_joint[row][k] != kNoColumn) twice();
      columns.of_joint[row][k] = i;
    }
  }
  if (columns.time == kNoColumn || columns.joints.empty()) {
    throw LogError(file +
                   " is not a motion; its first line must be time,position:JOINT,velocity:JOINT,"
                   "acceleration:JOINT, as `spatial_dynamics excite` writes it.");
  }
  for (std::size_t j = 0; j < columns.joints.size(); ++j) {
    for (std::size_t k = 0; k < kMotionQuantities.size(); ++k) {
      if (columns.of_joint[j][k] != kNoColumn) continue;
      throw LogError(file + " has no column " +
                     in_quotes(std::string(kMotionQuantities[k]) + ":" + columns.joints[j]) + ".");
    }
  }
  return columns;
}

std::string read_motion_text(const std::string& path) {
  if (path == kStandardOutput) return read_all(STDIN_FILENO, kLargestMotion);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw LogError(path + " can't be read: " + std::generic_category().message(errno) + ".");
  }
  try {
    std::string text = read_all(descriptor, kLargestMotion);
    ::close(descriptor);
    return text;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

/// Coefficients of 1, h s, h^2 s^2 … of the quintic between two points, s from 0 to 1.
std::array<double, 6> quintic(double h, double q0, double v0, double a0, double q1, double v1,
                              double a1) {
  const double d = q1 - q0 - h * v0 - 0.5 * h * h * a0;
  const double dv = h * (v1 - v0) - h * h * a0;
  const double da = h * h * (a1 - a0);
  return {q0,
          h * v0,
          0.5 * h * h * a0,
          10.0 * d - 4.0 * dv + 0.5 * da,
          -15.0 * d + 7.0 * dv - da,
          6.0 * d - 3.0 * dv + 0.5 * da};
}

}  // namespace

JointMotion read_motion(const std::string& path) {
  const std::string file = path == kStandardOutput ? "the motion on standard input" : path;
  const std::string text = read_motion_text(path);
  if (text.size() > kLargestMotion) throw LogError(file + " is over 1 GiB long; split it.");
  MotionColumns columns;
  std::vector<std::vector<double>> rows;
  JointMotion motion;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    if (++number == 1) {
      columns = motion_columns(file, line);
      continue;
    }
    if (line.find_first_not_of(" \r") == std::string_view::npos) continue;
    const std::vector<std::string> fields = fields_of(line);
    const std::string where = file + ", line " + std::to_string(number);
    if (fields.size() != columns.count) {
      throw LogError(where + " has " + std::to_string(fields.size()) + " fields instead of " +
                     std::to_string(columns.count) + ".");
    }
    const auto value = [&](std::size_t column) {
      double x = 0.0;
      if (parse_number(fields[column], x)) return x;
      throw LogError(where + ": " + in_quotes(fields[column]) + " is not a number.");
    };
    const double time = value(columns.time);
    if (!motion.time.empty() && !(time > motion.time.back())) {
      throw LogError(where + ": the time " + number_text(time) + " s does not come after " +
                     number_text(motion.time.back()) + " s.");
    }
    motion.time.push_back(time);
    std::vector<double> row;
    for (const std::array<std::size_t, 3>& joint : columns.of_joint) {
      for (const std::size_t column : joint) row.push_back(value(column));
    }
    rows.push_back(std::move(row));
  }
  if (number == 0) throw LogError(file + " is empty.");
  if (rows.size() < 2) throw LogError(file + " has fewer than two points; a motion needs two.");
  motion.joints = columns.joints;
  const auto n = static_cast<Index>(motion.joints.size());
  for (MatrixXd* const m : {&motion.position, &motion.velocity, &motion.acceleration}) {
    m->resize(n, motion.size());
  }
  for (Index i = 0; i < motion.size(); ++i) {
    for (Index k = 0; k < n; ++k) {
      const double* const numbers = rows[to_size(i)].data() + 3 * to_size(k);
      motion.position(k, i) = numbers[0];
      motion.velocity(k, i) = numbers[1];
      motion.acceleration(k, i) = numbers[2];
    }
  }
  const double begin = motion.time.front();
  for (double& t : motion.time) t -= begin;
  return motion;
}

void write_motion(const std::string& path, const JointMotion& motion) {
  std::string text = "time";
  for (const std::string& joint : motion.joints) {
    for (const char* const quantity : kMotionQuantities) {
      text.append(",").append(quantity).append(":").append(joint);
    }
  }
  text += '\n';
  for (Index i = 0; i < motion.size(); ++i) {
    text += number_text(motion.time[to_size(i)]);
    for (Index k = 0; k < motion.position.rows(); ++k) {
      for (const MatrixXd* const m : {&motion.position, &motion.velocity, &motion.acceleration}) {
        text.append(",").append(number_text((*m)(k, i)));
      }
    }
    text += '\n';
  }
  write_file(path, text);
}

JointMotion in_order(const JointMotion& motion, const std::vector<ScalarCoordinate>& coordinates) {
  JointMotion ordered;
  ordered.time = motion.time;
  ordered.joints = names_of(coordinates);
  const auto n = static_cast<Index>(coordinates.size());
  for (MatrixXd* const m : {&ordered.position, &ordered.velocity, &ordered.acceleration}) {
    m->resize(n, motion.size());
  }
  for (const std::string& joint : motion.joints) {
    if (std::find(ordered.joints.begin(), ordered.joints.end(), joint) == ordered.joints.end()) {
      throw LogError("the motion moves " + joint_element(joint) +
                     ", which the robot does not have.");
    }
  }
  for (Index k = 0; k < n; ++k) {
    const std::string& name = ordered.joints[to_size(k)];
    const auto found = std::find(motion.joints.begin(), motion.joints.end(), name);
    if (found == motion.joints.end()) {
      throw LogError("the motion has no " + joint_element(name) +
                     "; add it, or fix the joint with --lock.");
    }
    const Index row = found - motion.joints.begin();
    ordered.position.row(k) = motion.position.row(row);
    ordered.velocity.row(k) = motion.velocity.row(row);
    ordered.acceleration.row(k) = motion.acceleration.row(row);
  }
  return ordered;
}

void sample(const JointMotion& motion, double t, VectorXd& position, VectorXd& velocity,
            VectorXd& acceleration) {
  const Index n = motion.position.rows();
  for (VectorXd* const v : {&position, &velocity, &acceleration}) v->resize(n);
  if (t < 0.0 || t >= motion.duration()) {
    position = motion.position.col(t < 0.0 ? 0 : motion.size() - 1);
    velocity.setZero();
    acceleration.setZero();
    return;
  }
  const auto after = std::upper_bound(motion.time.begin(), motion.time.end(), t);
  const Index i = (after - motion.time.begin()) - 1;
  const double h = motion.time[to_size(i + 1)] - motion.time[to_size(i)];
  const double s = (t - motion.time[to_size(i)]) / h;
  for (Index k = 0; k < n; ++k) {
    const std::array<double, 6> c = quintic(
        h, motion.position(k, i), motion.velocity(k, i), motion.acceleration(k, i),
        motion.position(k, i + 1), motion.velocity(k, i + 1), motion.acceleration(k, i + 1));
    position[k] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
    velocity[k] = (c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])))) / h;
    acceleration[k] = (2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]))) / (h * h);
  }
}

}  // namespace spatial_dynamics
