// Writes the seeds of the fuzz targets `logs` and `recordings` into the folder of the corpora.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "support/recordings.hpp"

namespace spatial_dynamics::test {
namespace {

RecordedState state(int i) {
  return {100.0 + 0.01 * i, {"b", "a"}, {0.1 * i, 1.0}, {10.0, 0.0}, {2.0, 0.5 * i}};
}

std::string mcap(const std::string& compression, bool chunked, int messages) {
  McapWriter file(compression, chunked);
  const auto topic = file.add_topic("/s");
  for (int i = 0; i < messages; ++i)
    file.add_message(topic, 5, joint_state_cdr(state(i), i % 2 == 1));
  file.end();
  return file.bytes;
}

std::string sqlite(const std::string& folder) {
  const std::string path = folder + "/seed.db3";
  {
    SqliteWriter file(path, 512);  // small pages make a small file
    const int topic = file.add_topic("/s");
    for (int i = 0; i < 3; ++i) {
      const std::string message = joint_state_cdr(state(i));
      file.add_message(topic, 5, i == 2 ? compressed_zstd(message) : message);
    }
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return bytes;
}

void write(const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_all(const std::string& corpora) {
  const std::string recordings = corpora + "/recordings/", logs = corpora + "/logs/";
  for (const char* const compression : {"", "lz4", "zstd"}) {
    write(recordings + "mcap_" + (*compression == '\0' ? "plain" : compression),
          "m" + mcap(compression, true, 3));
  }
  const std::string unchunked = mcap("", false, 3);
  write(recordings + "mcap_records", "r" + unchunked.substr(8));
  write(recordings + "mcap_cut", "m" + unchunked.substr(0, unchunked.size() / 2));
  write(recordings + "message", "c" + joint_state_cdr(state(1)));
  write(recordings + "message_big_endian", "c" + joint_state_cdr(state(1), true));
  write(recordings + "sqlite", "s" + sqlite(corpora));
  write(recordings + "zstd", "z" + compressed_zstd(unchunked));
  write(recordings + "lz4", "l" + compressed_lz4(unchunked));

  std::string table = "time,position:a,position:b,velocity:a,velocity:b,effort:a\n";
  std::string numbered = "timestamp,actual_q_0,actual_q_1,actual_current_0,actual_current_1\n",
              echo;
  for (int i = 0; i < 12; ++i) {
    const std::string t = "0." + std::to_string(10 + i), x = std::to_string(i);
    table += t + "," + x + ",1,2,3," + x + "\n";
    numbered += t + "," + x + ",1,2," + x + "\n";
    echo += "1," + std::to_string(10'000'000 * i) + ",,b,a,1.0," + x + ",nan,0.5,2.0,3.0\n";
  }
  write(logs + "table", table);
  write(logs + "numbered", numbered);
  write(logs + "echo", "1,0,,b,a,1,2,,\n" + echo + "A message was lost!!!\n");
}

}  // namespace
}  // namespace spatial_dynamics::test

int main(int argc, char** argv) try {
  spatial_dynamics::test::write_all(argc > 1 ? argv[1] : "test/fuzz/corpus");
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
