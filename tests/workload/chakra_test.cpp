#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/temporary_folder.hpp"
#include "tests/workload/helpers.hpp"
#include "tests/workload/play.hpp"
#include "weir/base/config.hpp"
#include "weir/workload/chakra/schedule.hpp"
#include "weir/workload/collectives.hpp"
#include "weir/workload/program.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload::chakra_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Writes protobuf by its wire format: a key of number and type, then the value.
class Wire {
 public:
  Wire& varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Wire& number(int field, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(field) << 3).varint(value);
  }
  Wire& text(int field, const std::string& value) {
    varint((static_cast<std::uint64_t>(field) << 3) | 2).varint(value.size());
    bytes_ += value;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// A message behind its length.
std::string framed(const std::string& message) {
  return Wire().varint(message.size()).bytes() + message;
}

/// Attribute: name (1) and one value: int32 (7), int64 (9), uint32 (11), uint64 (13), bool (27),
/// string (29).
std::string attribute(const std::string& name, int kind, std::uint64_t value) {
  return Wire().text(1, name).number(kind, value).bytes();
}

struct Node {
  int type = 4;
  std::vector<std::uint64_t> data_deps;
  std::vector<std::uint64_t> ctrl_deps;
  std::uint64_t microseconds = 0;
  std::vector<std::string> attributes;
  std::string metadata;
};

std::string bytes_of(std::uint64_t id, const Node& node) {
  Wire wire;
  wire.number(1, id).text(2, "n").number(3, static_cast<std::uint64_t>(node.type));
  for (const std::uint64_t one : node.ctrl_deps) wire.number(4, one);
  if (!node.data_deps.empty()) {  // packed, as proto3 writes lists of numbers
    Wire packed;
    for (const std::uint64_t one : node.data_deps) packed.varint(one);
    wire.text(5, packed.bytes());
  }
  wire.number(6, 17).number(7, node.microseconds);  // 6: a start time, which nobody asks for
  if (!node.metadata.empty()) wire.text(8, Wire().text(1, node.metadata).bytes());
  for (const std::string& one : node.attributes) wire.text(10, one);
  return framed(wire.bytes());
}

std::string trace_of(const std::vector<Node>& nodes) {
  std::string bytes = framed(Wire().text(1, "0.0.4").bytes());
  for (std::size_t i = 0; i < nodes.size(); ++i) bytes += bytes_of(i, nodes[i]);
  return bytes;
}

Node computation(std::uint64_t microseconds, std::vector<std::uint64_t> data_deps = {}) {
  Node node;
  node.microseconds = microseconds;
  node.data_deps = std::move(data_deps);
  return node;
}
Node send(std::uint64_t to, std::uint64_t bytes, std::uint64_t tag) {
  Node node;
  node.type = 5;
  node.attributes = {attribute("comm_dst", 11, to), attribute("comm_size", 13, bytes),
                     attribute("comm_tag", 11, tag)};
  return node;
}
Node receive(std::uint64_t from, std::uint64_t bytes, std::uint64_t tag) {
  Node node;
  node.type = 6;
  node.attributes = {attribute("comm_src", 7, from), attribute("comm_size", 7, bytes),
                     attribute("comm_tag", 9, tag)};
  return node;
}
Node collective(std::uint64_t type, std::uint64_t bytes, const std::string& group = "") {
  Node node;
  node.type = 7;
  node.attributes = {attribute("comm_type", 7, type), attribute("comm_size", 13, bytes)};
  if (!group.empty()) node.attributes.push_back(Wire().text(1, "pg_name").text(29, group).bytes());
  return node;
}

class Chakra : public testing::Test {
 public:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  void write_ranks(const std::vector<std::vector<Node>>& ranks) const {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      write(fmt::format("t.{}.et", r), trace_of(ranks[r]));
    }
  }
  [[nodiscard]] Schedule read(const std::string& more = "", std::size_t ranks = 0) const {
    const auto& model = workload_registry().find("chakra", {}, "workload");
    const std::string toml = "file = \"" + (folder_ / "t").string() + "\"\n" + more;
    const Settings settings =
        Settings::check(parse_toml(toml, "x.toml"), model.info.parameters, "workload[0]");
    return model.make(settings, {ranks, ranks > 0});
  }
  [[nodiscard]] std::string refused(const std::string& more = "", std::size_t ranks = 0) const {
    return error_of([&] { (void)read(more, ranks); });
  }

  support::TemporaryFolder folder_;
};

/// What a rank does, as GOAL writes it, in order.
std::vector<std::string> operations(const Schedule& schedule, std::size_t rank) {
  std::vector<std::string> out;
  for (std::uint32_t i = schedule.first(RankId(rank)); i < schedule.first(RankId(rank + 1)); ++i) {
    out.push_back(schedule.describe(i));
  }
  return out;
}

TEST_F(Chakra, MessagesAndComputationsAreThoseOfTheTrace) {
  Node host = computation(2);
  host.attributes = {attribute("is_cpu_op", 27, 1)};
  Node after = send(1, 4096, 7);
  after.data_deps = {0};
  after.ctrl_deps = {1, 0};
  write_ranks({{computation(3), host, after}, {receive(0, 4096, 7), computation(1, {0})}});
  const Schedule schedule = read();
  ASSERT_EQ(schedule.rank_count(), 2U);
  EXPECT_THAT(operations(schedule, 0), ElementsAre("rank 0: calc 3000", "rank 0: calc 2000",
                                                   "rank 0: send 4096b to 1 tag 7"));
  EXPECT_THAT(operations(schedule, 1),
              ElementsAre("rank 1: recv 4096b from 0 tag 7", "rank 1: calc 1000"));
  EXPECT_EQ(schedule[0].cpu, 0);
  EXPECT_EQ(schedule[1].cpu, 2) << "host and device work side by side";
  EXPECT_EQ(schedule[2].cpu, 1);
  EXPECT_EQ(schedule.wait_count(2), 2U) << "each node is waited for once";
  EXPECT_THAT(schedule.after_end(0), ElementsAre(2U));
  EXPECT_THAT(schedule.after_end(3), ElementsAre(4U));
}

TEST_F(Chakra, AnAllReduceIsARingOfItsRanks) {
  const std::vector<Node> rank{computation(5),
                               [] {
                                 Node node = collective(0, 1001);
                                 node.data_deps = {0};
                                 return node;
                               }(),
                               computation(1, {1})};
  write_ranks({rank, rank, rank, rank});
  const Schedule schedule = read();
  const Schedule ring = write_programs(4, [](RankProgram& program) {
    program.calculate(5000);
    program.next_step();
    program.use_cpu(1);
    program.use_tag(kFirstCollectiveTag);
    ring_all_reduce(program, 1001);
    program.use_cpu(0);
    program.calculate(1000);
  });
  EXPECT_EQ(schedule, ring);
  EXPECT_EQ(schedule.message_bytes(), 2 * 3 * 1001);
  const Schedule doubling = read("all_reduce = \"recursive-doubling\"");
  EXPECT_EQ(doubling.message_bytes(), 2 * 4 * 1001);
}

TEST_F(Chakra, CollectivesHaveTheSizesOfTheFormat) {
  const auto bytes = [&](std::uint64_t type) {
    write_ranks(std::vector<std::vector<Node>>(4, {collective(type, 1000)}));
    return read().message_bytes();
  };
  EXPECT_EQ(bytes(2), 4 * 3 * 1000) << "all-gather: what every rank gives";
  EXPECT_EQ(bytes(7), 3 * 1000) << "reduce-scatter: the vector of every rank";
  EXPECT_EQ(bytes(6), 4 * 3 * 250) << "all-to-all: what every rank has for all";
  EXPECT_EQ(bytes(9), 0) << "barrier";
}

TEST_F(Chakra, GroupsAreOfTheTraceOrOfAFile) {
  // Two collective operations at the same time, each of two ranks, which are 1 and 3, 2 and 0.
  const auto rank = [](const std::string& group) {
    return std::vector<Node>{collective(0, 1000, group)};
  };
  write_ranks({rank("8"), rank("5"), rank("8"), rank("5")});
  EXPECT_THAT(refused(), HasSubstr("t.0.et: node 0 (n): no group is called '8'"));
  write("groups.json", "{\"5\": [1, 3], \"8\": [2, 0]}");
  const std::string file = "groups = \"" + (folder_ / "groups.json").string() + "\"";
  const Schedule by_file = read(file);
  std::set<std::uint32_t> tags;
  for (std::uint32_t i = 0; i < by_file.size(); ++i) {
    tags.insert(by_file[i].tag);
    EXPECT_EQ(by_file[i].peer, (by_file.rank_of(i).index() + 2) % 4) << by_file.describe(i);
  }
  EXPECT_EQ(tags.size(), 2U) << "what is of different groups does not meet";
  Node names;
  names.type = 1;
  names.metadata = R"(['[{"pg_name": "5", "ranks": [1, 3]}, {"pg_name": "8", "ranks": [2, 0]}]'])";
  const auto named = [&](const std::string& group) {
    return std::vector<Node>{names, collective(0, 1000, group)};
  };
  write_ranks({named("8"), named("5"), named("8"), named("5")});
  EXPECT_EQ(read(), by_file);
  write_ranks({named("5"), named("5"), named("8"), named("5")});
  EXPECT_THAT(refused(),
              HasSubstr("t.0.et: node 1 (n): rank 0 is not in group '5', which has 1, 3"));
  write("groups.json", "{\"5\": [1, 4]}");
  EXPECT_THAT(refused(file), HasSubstr("group '5' has the ranks"));
}

TEST_F(Chakra, JsonIsTheSame) {
  write("t.0.json",
        "{\n  \"version\": \"0.0.4\"\n}{\n  \"name\": \"first\",\n  \"type\": \"COMP_NODE\",\n"
        "  \"durationMicros\": \"3\"\n}{\n  \"id\": \"1\",\n  \"type\": \"COMM_SEND_NODE\",\n"
        "  \"dataDeps\": [\n    \"0\"\n  ],\n  \"attr\": [\n    {\"name\": \"comm_dst\", "
        "\"uint32Val\": 1},\n    {\"name\": \"comm_size\", \"uint64Val\": \"64\"},\n    {\"name\": "
        "\"shape\", \"int64List\": {\"values\": [\"4\"]}}\n  ]\n}");
  write("t.1.json",
        "{\"version\": \"0.0.4\"}\n{\"id\": 5, \"type\": 6, \"attr\": [{\"name\": \"comm_src\", "
        "\"int32_val\": 0}, {\"name\": \"comm_size\", \"int64_val\": 64}]}\n");
  const Schedule schedule = read();
  EXPECT_THAT(operations(schedule, 0),
              ElementsAre("rank 0: calc 3000", "rank 0: send 64b to 1 tag 0"));
  EXPECT_THAT(schedule.after_end(0), ElementsAre(1U));
  EXPECT_THAT(operations(schedule, 1), ElementsAre("rank 1: recv 64b from 0 tag 0"));
  write("t.1.json", "{\"version\": \"0.0.4\"}\n{\"id\": 5, ]");
  EXPECT_THAT(refused(), HasSubstr("t.1.json: at byte 31: no JSON: syntax error"));
  write("t.1.json", "{\"version\": \"0.0.4\"}\n{\"id\": \"five\"}");
  EXPECT_THAT(refused(), HasSubstr("t.1.json: at byte 21: no message of a Chakra trace"));
}

TEST_F(Chakra, GzippedTracesAreRead) {
  write_ranks({{computation(3)}});
  const Schedule plain = read();
  const std::string bytes = trace_of({computation(3)});
  const std::string name = (folder_ / "t.0.et").string();
  const gzFile out = gzopen(name.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  gzclose(out);
  EXPECT_EQ(read(), plain);
}

TEST_F(Chakra, ComputationsMayBeCountedInOperations) {
  Node node;
  node.attributes = {attribute("num_ops", 13, 3000)};
  write_ranks({{node}});
  EXPECT_THAT(refused(), HasSubstr("t.0.et: node 0 (n): has num_ops in place of duration_micros"));
  EXPECT_EQ(read("operations_per_ns = 2.0")[0].amount, 1500);
}

TEST_F(Chakra, WhatIsMissingOrGoesInACircleIsNamed) {
  EXPECT_THAT(refused(), HasSubstr("t.0.et; `file` is the name of the traces up to .RANK.et"));
  write_ranks({{computation(1)}, {computation(1)}, {computation(1)}});
  EXPECT_THAT(refused("", 4), HasSubstr("the trace of rank 3 is missing: there is no"));
  EXPECT_THAT(refused("", 2), HasSubstr("has traces of 3 ranks, not 2"));
  fs::remove(folder_ / "t.1.et");
  EXPECT_THAT(refused(), HasSubstr("the trace of rank 1 is missing"));
  write_ranks(
      {{computation(1, {3}), computation(1), computation(1, {0, 1}), computation(1, {2})}, {}, {}});
  EXPECT_THAT(refused(), HasSubstr("t.0.et: node 0 (n): waits for itself: nodes 0, 3, 2, 0 wait in "
                                   "a circle"));
  write_ranks({{computation(1, {9})}, {}, {}});
  EXPECT_THAT(refused(), HasSubstr("t.0.et: node 0 (n): waits for node 9, which is not there"));
}

TEST_F(Chakra, WhatCannotBeMappedIsNamed) {
  const auto of_one = [&](const Node& node) {
    write_ranks({{node}, {computation(1)}});
    return refused();
  };
  Node node;
  node.type = 8;
  EXPECT_THAT(of_one(node),
              HasSubstr("t.0.et: node 0 (n): nodes of type STORAGE_NODE have no place "
                        "in a schedule; COMP_NODE, "));
  node.type = 0;
  EXPECT_THAT(of_one(node), HasSubstr("nodes of type INVALID_NODE have no place"));
  EXPECT_THAT(of_one(collective(5, 10)),
              HasSubstr("node 0 (n): comm_type BROADCAST has no place in "
                        "a schedule; ALL_REDUCE, "));
  EXPECT_THAT(of_one(send(2, 10, 0)), HasSubstr("comm_dst is 2; there are 2 ranks"));
  EXPECT_THAT(of_one(send(1, 10, kFirstCollectiveTag)),
              HasSubstr("comm_tag is 2147483648, which is"));
  node.type = 5;
  EXPECT_THAT(of_one(node), HasSubstr("has no attribute comm_dst"));
  node.type = 2;
  EXPECT_THAT(of_one(node), HasSubstr("has no duration_micros, and memory is not simulated"));
  Node other = send(1, 10, 0);
  other.attributes.push_back(attribute("comm_src", 13, 1));
  EXPECT_THAT(of_one(other), HasSubstr("comm_src is 1, but this is the trace of rank 0"));
  EXPECT_THAT(of_one(send(1, 10, 0)), HasSubstr("rank 0: send 10b to 1 tag 0"))
      << "nobody receives it";
  Node part = collective(0, 10);
  part.attributes.push_back(Wire()
                                .text(1, "involved_dim")
                                .text(28, Wire().text(1, std::string("\1\0", 2)).bytes())
                                .bytes());
  EXPECT_THAT(of_one(part), HasSubstr("involved_dim leaves dimensions of the network out"));
}

TEST_F(Chakra, CollectivesMustAgree) {
  write_ranks({{collective(0, 10), collective(2, 10)}, {collective(0, 10), collective(0, 10)}});
  EXPECT_THAT(refused(), HasSubstr("t.1.et: node 1 (n): ALL_REDUCE of 10 bytes is the collective "
                                   "operation 2 of group ''; node 1 of "));
  write_ranks({{collective(0, 10), collective(2, 10)}, {collective(0, 10)}});
  EXPECT_THAT(refused(), HasSubstr("t.0.et: node 1 (n): rank 1 ("));
}

TEST_F(Chakra, EveryTruncationIsRefused) {
  const std::string whole = trace_of({computation(3), computation(4, {0})});
  const std::size_t second = framed(Wire().text(1, "0.0.4").bytes()).size();
  const std::size_t third = second + bytes_of(0, computation(3)).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (size == second || size == third) continue;  // ends between two messages
    write("t.0.et", whole.substr(0, size));
    EXPECT_THAT(refused(), HasSubstr("t.0.et: ")) << size;
  }
  write("t.0.et", "num_ranks 2\n");
  EXPECT_THAT(refused(), HasSubstr("at byte 0: a message of 110 bytes should be here, of which 11 "
                                   "are there: is the file truncated, or no Chakra trace?"));
}

}  // namespace
}  // namespace weir::workload::chakra_test
