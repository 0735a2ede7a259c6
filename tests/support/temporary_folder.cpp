// Tests run side by side, a process each. Every one gets a temporary folder of its own, so that two
// of them may use the same name; what they start inherits it.

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace weir::support {
namespace {

class TemporaryFolderOfTheProcess : public testing::Environment {
 public:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>();
    const std::string path = folder_->path().string();
    setenv("TMPDIR", path.c_str(), 1);               // std::filesystem and programs
    setenv("TEST_TMPDIR", (path + "/").c_str(), 1);  // testing::TempDir()
  }
  void TearDown() override { folder_.reset(); }

 private:
  std::unique_ptr<TemporaryFolder> folder_;
};

const auto* const kFolder = testing::AddGlobalTestEnvironment(new TemporaryFolderOfTheProcess);

}  // namespace
}  // namespace weir::support
