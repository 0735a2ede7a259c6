#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Hosts on as few switches as it takes, not joined: traffic asks for hosts and their links only.
inline topology::Graph star(std::size_t hosts, Rate rate = gigabits_per_second(100)) {
  topology::GraphBuilder builder("star");
  const topology::LinkSpec link{rate, nanoseconds(30)};
  SwitchId hub;
  for (std::size_t h = 0; h < hosts; ++h) {
    if (h % 200 == 0) hub = builder.add_switch(200);
    builder.connect(builder.add_host(), hub, h % 200, link);
  }
  return builder.build();
}

inline std::vector<TrafficEntry> entries_of(const std::string& toml) {
  return check_traffic(*parse_toml(toml, "t.toml").find("traffic"));
}

inline Traffic traffic_of(const std::string& toml, const topology::Graph& graph,
                          std::uint64_t seed = 1) {
  return make_sources(entries_of(toml), {graph, seed, Bytes(4096), Bytes(20)});
}

/// One entry: uniform, 1000-byte messages, with `more` lines that may replace the keys named there.
inline std::string entry(const std::string& more, const std::string& name = "a") {
  std::string text = "[[traffic]]\nname = \"" + name + "\"\n";
  const auto add = [&](const std::string& key, const std::string& value) {
    if (more.find(key + " =") == std::string::npos) text += key + " = " + value + "\n";
  };
  add("destinations", "{ model = \"uniform\" }");
  add("arrivals", "{ model = \"constant\", load = 0.5 }");
  add("sizes", "{ model = \"fixed\", size = \"1000 B\" }");
  return text + more + "\n";
}

/// The next `count` messages of a source, asked for as the fabric does: each when the last one was
/// generated.
inline std::vector<fabric::MessageRequest> take(fabric::MessageSource& source, std::size_t count,
                                                Time now = Time(0)) {
  std::vector<fabric::MessageRequest> messages;
  while (messages.size() < count) {
    const auto request = source.next(now);
    if (!request) break;
    EXPECT_GE(request->at, now);
    EXPECT_GE(request->size.count, 1);
    now = request->at;
    messages.push_back(*request);
  }
  return messages;
}

/// All messages of a source that ends.
inline std::vector<fabric::MessageRequest> take_all(fabric::MessageSource& source) {
  auto messages = take(source, 1'000'000);
  EXPECT_LT(messages.size(), 1'000'000U) << "the source does not end";
  return messages;
}

/// What the call throws; fails when it throws nothing.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

inline std::string traffic_error(const std::string& toml, std::size_t hosts = 16) {
  const topology::Graph graph = star(hosts);
  return error_of([&] { (void)traffic_of(toml, graph); });
}

/// A file that lives as long as the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    static int number = 0;
    path_ = testing::TempDir() + "weir_traffic_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() +
            std::to_string(number++);
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Chi-square statistic against equal expectations; fair generators stay below the limit but for
/// one in millions.
inline double chi_square(const std::vector<double>& counts) {
  double total = 0;
  for (const double count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  return statistic;
}
inline double chi_square_limit(std::size_t cells) {
  const auto degrees = static_cast<double>(cells - 1);
  return degrees + 5 * std::sqrt(2 * degrees) + 10;
}

}  // namespace weir::traffic
