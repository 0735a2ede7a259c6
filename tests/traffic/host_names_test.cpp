// Hosts by the lists that Slurm writes, and by the jobs that they belong to.
#include "weir/traffic/host_names.hpp"

#include <filesystem>

#include "traffic/helpers.hpp"
#include "weir/base/error.hpp"

namespace weir::traffic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string problem_of(const std::string& list) {
  try {
    (void)expanded_host_list(list);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "no error";
}

TEST(HostLists, AreThoseOfSlurm) {
  EXPECT_THAT(expanded_host_list("gpu1"), ElementsAre("gpu1"));
  EXPECT_THAT(expanded_host_list("n[08-10,12],gpu1"),
              ElementsAre("n08", "n09", "n10", "n12", "gpu1"));
  EXPECT_THAT(expanded_host_list("r[1-2]n[8-9]-ib"),
              ElementsAre("r1n8-ib", "r1n9-ib", "r2n8-ib", "r2n9-ib"));
  EXPECT_THAT(expanded_host_list("n[99-101]"), ElementsAre("n99", "n100", "n101"));
}

TEST(HostLists, SayWhatIsWrong) {
  EXPECT_THAT(problem_of("n[1-2"), HasSubstr("'[' without ']'"));
  EXPECT_THAT(problem_of("n1-2]"), HasSubstr("']' without '['"));
  EXPECT_THAT(problem_of("n[1-[2]]"), HasSubstr("'[' inside brackets"));
  EXPECT_THAT(problem_of("n[3-1]"), HasSubstr("the range '3-1' falls"));
  EXPECT_THAT(problem_of("n[1-x]"), HasSubstr("'1-x' in brackets is no number or range"));
  EXPECT_THAT(problem_of("a,,b"), HasSubstr("a name is empty"));
  EXPECT_THAT(problem_of("n[0-99999999]"), HasSubstr("more than 1048576 hosts"));
  EXPECT_THAT(problem_of("a[0-9999]b[0-9999]"), HasSubstr("more than 1048576 hosts"));
  EXPECT_THAT(problem_of("n[0-99999999999999999999]"), HasSubstr("too large a number"));
}

topology::Graph cluster() {
  topology::GraphBuilder builder("cluster");
  const topology::LinkSpec link{gigabits_per_second(100), nanoseconds(30)};
  const SwitchId hub = builder.add_switch(10);
  std::size_t port = 0;
  for (const char* name :
       {"n1 mlx5_0", "n2 mlx5_0", "n3 mlx5_0", "n3 mlx5_1", "n4 mlx5_0", "nas mlx5_0"})
    builder.connect(builder.add_host(name), hub, port++, link);
  return builder.build();
}

std::vector<std::uint32_t> numbers(const std::vector<HostId>& hosts) {
  std::vector<std::uint32_t> out;
  for (const HostId host : hosts) out.push_back(host.value);
  return out;
}

TEST(HostNames, FindTheAdaptersOfANode) {
  const topology::Graph graph = cluster();
  const HostNames names(graph);
  EXPECT_THAT(numbers(names.find_all("n[1-3]")), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(numbers(names.find_all("n3 mlx5_1")), ElementsAre(3));
  try {
    (void)names.find_all("n[1-5]");
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("no host is called 'n5'"));
  }
}

/// A file of jobs for each test.
class Jobs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(path_) << "# id nodes\n17 n[1-2]\nlong name n[3-4]\n19 nas\n17 n1\n";
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string refusal(const std::string& text) {
    std::ofstream(path_) << text;
    try {
      (void)read_jobs(path_, cluster());
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string traffic(const std::string& sources, const std::string& more = "") const {
    return entry("sources = { jobs = \"" + path_ + "\"" + sources + " }\n" + more);
  }

  std::string path_ = (std::filesystem::temp_directory_path() / "weir-jobs-test.txt").string();
};

TEST_F(Jobs, AreReadFromTheQueue) {
  const std::vector<Job> jobs = read_jobs(path_, cluster());
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].name, "17");
  EXPECT_THAT(numbers(jobs[0].hosts), ElementsAre(0, 1));
  EXPECT_EQ(jobs[1].name, "long name");
  EXPECT_THAT(numbers(jobs[1].hosts), ElementsAre(2, 3, 4));
  EXPECT_THAT(numbers(hosts_of(jobs, std::nullopt)), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(numbers(hosts_of(jobs, "19")), ElementsAre(5));
}

TEST_F(Jobs, SayWhatIsWrong) {
  EXPECT_THAT(refusal("17 n[1-2]\n18\n"), HasSubstr("weir-jobs-test.txt:2:1: expected a job"));
  EXPECT_THAT(refusal("17 n[1-9]\n"), HasSubstr("weir-jobs-test.txt:1:1: no host is called 'n5'"));
  EXPECT_THAT(refusal("# none\n"), HasSubstr("has no job"));
}

TEST_F(Jobs, AreSourcesAndGroupsOfTraffic) {
  const topology::Graph graph = cluster();
  Traffic made = traffic_of(
      traffic("", "destinations = { model = \"groups\", jobs = \"" + path_ + "\" }"), graph);
  ASSERT_EQ(made.sources.size(), 5U) << "not the job of one host";
  for (const fabric::MessageRequest& message : take(*made.sources[2].source, 100))
    EXPECT_THAT(message.destination.value, ::testing::AnyOf(3U, 4U));
  EXPECT_EQ(traffic_of(traffic(", job = \"17\""), graph).sources.size(), 2U);
  const auto refused = [&](const std::string& toml) {
    try {
      (void)traffic_of(toml, graph);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(refused(traffic(", job = \"71\"")), HasSubstr("no job is called '71'"));
  EXPECT_THAT(refused(traffic(", range = [0, 1]")), HasSubstr("give one of"));
  EXPECT_THAT(refused(entry("sources = { job = \"17\" }")), HasSubstr("a file that `jobs` names"));
  EXPECT_THAT(refused(entry("destinations = { model = \"groups\", jobs = \"" + path_ + "\" }")),
              HasSubstr("source nas mlx5_0 is in no job of two hosts"));
  EXPECT_THAT(refused(entry("sources = { jobs = \"/nowhere\" }")), HasSubstr("cannot read"));
  EXPECT_EQ(traffic_of(entry("sources = \"n[1-2]\""), graph).sources.size(), 2U);
  EXPECT_EQ(traffic_of(entry("sources = [\"n[1-2]\", \"nas\", 4]"), graph).sources.size(), 4U);
  EXPECT_THAT(refused(entry("destinations = { model = \"fixed\", host = \"n3\" }")),
              HasSubstr("'n3' are 2 hosts, where one is meant: 'n3 mlx5_0' is the first"));
}

}  // namespace
}  // namespace weir::traffic
