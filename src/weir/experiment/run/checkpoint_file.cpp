#include "weir/experiment/run/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include "weir/base/build_id.hpp"
#include "weir/base/encoding.hpp"
#include "weir/base/error.hpp"
#include "weir/base/version.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

/// Of what the file holds, so that another one is not taken for it.
constexpr int kFormat = 2;

/// Before the state.
struct Seal {
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

[[noreturn]] void cannot_write(const std::string& path, const char* why) {
  throw InputError(fmt::format("{}: the checkpoint cannot be written: {}", path, why));
}

/// Returns when the bytes are on the disk.
void write_through(const std::string& path, std::initializer_list<std::string_view> pieces) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) cannot_write(path, std::strerror(errno));
  for (std::string_view rest : pieces) {
    while (!rest.empty()) {
      const ssize_t written = ::write(file, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        const int error = errno;
        ::close(file);
        ::unlink(path.c_str());
        cannot_write(path, std::strerror(error));
      }
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  const bool is_safe = ::fsync(file) == 0;
  if (::close(file) != 0 || !is_safe) cannot_write(path, std::strerror(errno));
}

/// Files that programs have begun to write for `path` before they were killed.
std::vector<fs::path> left_behind(const std::string& path) {
  std::vector<fs::path> files;
  const std::string before = fs::path(path).filename().string() + ".";
  std::error_code error;
  for (const auto& file : fs::directory_iterator(fs::path(path).parent_path(), error)) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with(before)) continue;
    const pid_t program = static_cast<pid_t>(std::atol(name.c_str() + before.size()));
    if (program > 0 && ::kill(program, 0) != 0 && errno == ESRCH) files.push_back(file.path());
  }
  return files;
}

}  // namespace

CheckpointFile::CheckpointFile(const Configuration& configuration) {
  const std::string hash = configuration_hash(configuration.resolved);
  path_ = (fs::path(configuration.checkpoints.folder) / (hash + ".state")).string();
  head_ = fmt::format("weir checkpoint {}\n{} {}\n{}\n", kFormat, version(), build_id(), hash);
}

std::string CheckpointFile::read() const {
  std::ifstream in(path_, std::ios::binary);
  if (!in) return {};
  std::string head(head_.size(), '\0');
  Seal seal;
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  in.read(reinterpret_cast<char*>(&seal), sizeof seal);
  std::error_code error;
  const std::uint64_t size = fs::file_size(path_, error);
  if (!in || error || head != head_ || size != head.size() + sizeof seal + seal.size) return {};
  std::string state(seal.size, '\0');
  in.read(state.data(), static_cast<std::streamsize>(state.size()));
  return in && checksum(state) == seal.checksum ? state : std::string();
}

void CheckpointFile::write(std::string_view state) const {
  std::error_code error;
  fs::create_directories(fs::path(path_).parent_path(), error);
  if (error) cannot_write(path_, error.message().c_str());
  const Seal seal{state.size(), checksum(state)};
  // Another program may carry out the same run.
  const std::string fresh = fmt::format("{}.{}", path_, ::getpid());
  write_through(fresh, {head_, {reinterpret_cast<const char*>(&seal), sizeof seal}, state});
  fs::rename(fresh, path_, error);
  if (error) cannot_write(path_, error.message().c_str());
}

void CheckpointFile::remove() const {
  std::error_code error;
  fs::remove(path_, error);
  for (const fs::path& file : left_behind(path_)) fs::remove(file, error);
  // The last one takes the folder along; it stays where others are.
  fs::remove(fs::path(path_).parent_path(), error);
}

}  // namespace weir::experiment
