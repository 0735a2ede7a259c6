#include "weir/experiment/run/checkpoint_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

class CheckpointFiles : public ::testing::Test {
 protected:
  Configuration configuration(const std::string& duration = "20 us") {
    ConfigTable table = parse_experiment(small_experiment(), "file");
    lay_over(table,
             expanded(parse_toml("[experiment]\nduration = \"" + duration + "\"\n", "file")));
    Configuration made = resolve(table);
    made.checkpoints.folder = (folder_.path() / "kept").string();
    return made;
  }

  support::TemporaryFolder folder_;
};

TEST_F(CheckpointFiles, KeepTheLastStateUntilTheRunIsOver) {
  const CheckpointFile file(configuration());
  EXPECT_EQ(file.read(), "");
  file.write("one");
  const std::string second("tw\0o", 4);
  file.write(second);
  EXPECT_EQ(file.read(), second);
  // Nothing else is left in the folder.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "kept"), {}), 1);
  file.remove();
  EXPECT_FALSE(fs::exists(folder_.path() / "kept"));
}

TEST_F(CheckpointFiles, OfProgramsThatWereKilledWhileTheyWroteGoWithThem) {
  const CheckpointFile file(configuration());
  file.write("state");
  const std::string killed = file.path() + ".2147483647";  // no program has that number
  const std::string at_work = fmt::format("{}.{}", file.path(), ::getpid());
  for (const std::string& begun : {killed, at_work}) std::ofstream(begun) << "half of it";
  file.remove();
  EXPECT_FALSE(fs::exists(killed));
  EXPECT_TRUE(fs::exists(at_work));
}

TEST_F(CheckpointFiles, AreOfOneConfiguration) {
  const CheckpointFile file(configuration());
  file.write("state");
  EXPECT_EQ(CheckpointFile(configuration()).read(), "state");
  const CheckpointFile other(configuration("30 us"));
  EXPECT_EQ(other.read(), "");
  // Nor is the content taken for it.
  fs::copy_file(file.path(), other.path());
  EXPECT_EQ(other.read(), "");
}

TEST_F(CheckpointFiles, ThatAreNotWholeAreNotRead) {
  const CheckpointFile file(configuration());
  file.write(std::string(1000, 'x'));
  const auto size = fs::file_size(file.path());
  fs::resize_file(file.path(), size - 1);
  EXPECT_EQ(file.read(), "");
  fs::resize_file(file.path(), size);  // with a zero at the end
  EXPECT_EQ(file.read(), "");
  fs::resize_file(file.path(), 10);
  EXPECT_EQ(file.read(), "");
}

TEST_F(CheckpointFiles, ThatCannotBeWrittenSayWhy) {
  Configuration made = configuration();
  std::ofstream(folder_.path() / "kept") << "a file in the way";
  const CheckpointFile file(made);
  try {
    file.write("state");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the checkpoint cannot be written"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("kept"));
  }
}

}  // namespace
}  // namespace weir::experiment
