// Locales in which 1.5 is written 1,5: code that reads or writes numbers must not depend on them.
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace spatial_dynamics::test {

/// A C++ locale that writes 1,5 for 1.5 and groups thousands with points.
class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Sets the locale of C++ streams as long as it lives.
class CommaStreams {
 public:
  CommaStreams()
      : before_(std::locale::global(std::locale(std::locale::classic(), new CommaNumbers))) {}
  ~CommaStreams() { std::locale::global(before_); }
  CommaStreams(const CommaStreams&) = delete;
  CommaStreams& operator=(const CommaStreams&) = delete;

 private:
  std::locale before_;
};

/// Sets a German locale for the whole process as long as it lives, made by localedef if the system
/// has none.
class GermanLocale {
 public:
  GermanLocale() {
    is_set_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    if (!is_set_) {
      folder_ = std::filesystem::path(::testing::TempDir()) /
                ("spatial_dynamics_locale_" + std::to_string(::getpid()));
      std::filesystem::create_directories(folder_);
      const std::string command = "localedef -i de_DE -f UTF-8 '" +
                                  (folder_ / "de_DE.UTF-8").string() + "' > /dev/null 2>&1";
      if (std::system(command.c_str()) == 0) {  // NOLINT(concurrency-mt-unsafe): one thread here
        setenv("LOCPATH", folder_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
        is_set_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
      }
    }
  }
  ~GermanLocale() {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");  // NOLINT(concurrency-mt-unsafe)
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;
  /// True if C's functions really use a decimal comma now.
  [[nodiscard]] bool is_set() const { return is_set_ && std::strtod("1,5", nullptr) == 1.5; }

 private:
  bool is_set_ = false;
  std::filesystem::path folder_;
};

}  // namespace spatial_dynamics::test
