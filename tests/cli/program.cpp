#include "program.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace weir::cli {

namespace fs = std::filesystem;

std::string Workplace::write(const std::string& name, const std::string& text) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name) << text;
  return (folder_ / name).string();
}

Outcome Workplace::weir(const std::string& arguments) const {
  return shell("'" WEIR_PROGRAM "' " + arguments);
}

Outcome Workplace::shell(const std::string& command) const {
  const std::string whole =
      "cd '" + folder_.string() + "' && { " + command + " ; } >.stdout 2>.stderr </dev/null";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_ / ".stdout"),
          read_file(folder_ / ".stderr")};
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace weir::cli
