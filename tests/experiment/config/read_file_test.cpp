#include "weir/experiment/config/read_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

class Include : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("weir-include-" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_ / "below");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string refusal_of(const std::string& path) {
    return refusal([&] { (void)read_experiment(path); });
  }

  fs::path folder_;
};

TEST_F(Include, IsReadForATableThatAProgramMade) {
  write("base.toml", "[host]\nmtu = \"1 KiB\"\nheader = \"8 B\"\n");
  ConfigTable made = parse_toml("include = \"base.toml\"\nhost.header = \"9 B\"\n", "");
  const ConfigTable table = complete_experiment(std::move(made), (folder_ / "made").string());
  EXPECT_FALSE(table.contains("include"));
  EXPECT_EQ(table.find("host")->table().find("mtu")->text(), "1 KiB");
  EXPECT_EQ(table.find("host")->table().find("header")->text(), "9 B");
}

TEST_F(Include, LaterKeysWin) {
  write("base.toml", "[host]\nmtu = \"1 KiB\"\nheader = \"8 B\"\n");
  write("below/more.toml", "include = \"../base.toml\"\n[host]\nmtu = \"2 KiB\"\n");
  const std::string top =
      write("top.toml", "include = [\"below/more.toml\"]\n[host]\nheader = \"9 B\"\n");
  EXPECT_EQ(to_toml(read_experiment(top)), "[host]\nmtu = \"2 KiB\"\nheader = \"9 B\"\n");
}

TEST_F(Include, PositionsAreThoseOfTheIncludedFile) {
  const std::string base = write("base.toml", "[host]\nmtu = \"1 KiB\"\n");
  const std::string top = write("top.toml", "include = [\"base.toml\"]\n");
  const ConfigTable table = read_experiment(top);
  const auto* mtu = table.find("host")->table().find("mtu");
  EXPECT_TRUE(fs::equivalent(*mtu->position.file, base));
  EXPECT_EQ(mtu->position.line, 2);
}

TEST_F(Include, ACycleIsNamed) {
  write("a.toml", "include = [\"b.toml\"]\n");
  const std::string b = write("b.toml", "\ninclude = [\"a.toml\"]\n");
  const std::string text = refusal_of(b);
  EXPECT_NE(text.find("a.toml:1:12: include: files include each other: "
                      "b.toml includes a.toml includes b.toml"),
            std::string::npos)
      << text;
}

TEST_F(Include, AMissingFileIsNamedWhereItIsIncluded) {
  const std::string top = write("top.toml", "\n include = [\"gone.toml\"]\n");
  const std::string text = refusal_of(top);
  EXPECT_NE(text.find("top.toml:2:13: include: there is no file '"), std::string::npos) << text;
}

TEST(ReadExperiment, ModelsInShort) {
  EXPECT_EQ(to_toml(table_of("routing = \"d-mod-k\"")), "[routing]\nmodel = \"d-mod-k\"\n");
  EXPECT_EQ(to_toml(table_of("[traffic]\nname = \"a\"")), "[[traffic]]\nname = \"a\"\n");
}

TEST(Override, ValuesAreTomlOrText) {
  EXPECT_EQ(to_toml(parse_override("a.b=3")), "[a]\nb = 3\n");
  EXPECT_EQ(to_toml(parse_override("a.b=4 KiB")), "[a]\nb = \"4 KiB\"\n");
  EXPECT_EQ(to_toml(parse_override("a.b=\"4 KiB\"")), "[a]\nb = \"4 KiB\"\n");
  EXPECT_EQ(to_toml(parse_override("a.b=[1, 2]")), "[a]\nb = [1, 2]\n");
  EXPECT_EQ(to_toml(parse_override("a.b=true")), "[a]\nb = true\n");
  EXPECT_EQ(to_toml(parse_override("a.b=")), "[a]\nb = \"\"\n");
  EXPECT_EQ(to_toml(parse_override("queueing=voqsw")), "[queueing]\nmodel = \"voqsw\"\n");
}

TEST(Override, NeedsAKey) {
  EXPECT_EQ(refusal([] { parse_override("seed"); }),
            "--set: seed: must be of the form key=value, as in experiment.seed=2");
}

}  // namespace
}  // namespace weir::experiment
