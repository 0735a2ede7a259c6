#include "weir/report/gnuplot/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/report/table/export.hpp"

namespace weir::report {

namespace {

namespace fs = std::filesystem;

/// A file that goes away with its owner.
class TemporaryFile {
 public:
  TemporaryFile() : path_((fs::temp_directory_path() / "weir-XXXXXX").string()) {
    const int handle = mkstemp(path_.data());
    if (handle < 0)
      throw InputError(path_ + ": cannot make a temporary file: " + std::strerror(errno));
    close(handle);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The first line that says something; gnuplot echoes the command and a caret before it.
std::string complaint(const std::string& said) {
  std::istringstream lines(said);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t^") != std::string::npos) last = line;
  }
  return last.empty() ? "it did not say why" : last.substr(last.find_first_not_of(' '));
}

/// Runs `gnuplot script`; what it says goes to the file `said`. Returns its exit status, -1 for a
/// signal.
int run(const std::string& gnuplot, const std::string& script, const std::string& said) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.c_str(), O_WRONLY | O_TRUNC, 0600);
  std::string program = gnuplot;
  std::string argument = script;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, gnuplot.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError("plots need gnuplot: cannot run '" + gnuplot + "': " + std::strerror(error) +
                     " (Debian package gnuplot-nox)");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void replace_all(std::string& text, std::string_view old, std::string_view with) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + with.size())) {
    text.replace(at, old.size(), with);
  }
}

/// Browsers without this font should take one of its kind, not their default. gnuplot writes bold
/// type as part of the font's name.
void name_similar_fonts(const std::string& path) {
  constexpr std::string_view kFonts =
      "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\"";
  std::string text = content(path);
  replace_all(text, "font-family=\"DejaVu Sans:Bold\"",
              std::string(kFonts) + " font-weight=\"bold\"");
  replace_all(text, "font-family=\"DejaVu Sans\"", kFonts);
  write_file(path, text);
}

void draw_one(const Figure& figure, const std::string& format, const std::string& path,
              const std::string& gnuplot) {
  const TemporaryFile script;
  const TemporaryFile said;
  write_file(script.path(), gnuplot_script(figure, format, path));
  write_file(path, "");  // tells early that the folder cannot be written, in our words
  std::error_code error;
  int status = -1;
  try {
    status = run(gnuplot, script.path(), said.path());
    if (status == 127) throw InputError("plots need gnuplot (Debian package gnuplot-nox)");
  } catch (const InputError&) {
    fs::remove(path, error);  // nothing is better than an empty picture
    throw;
  }
  if (status != 0 || fs::file_size(path, error) == 0 || error) {
    fs::remove(path, error);
    throw RunError(
        fmt::format("gnuplot failed to draw {}: {}", path, complaint(content(said.path()))));
  }
  if (format == "svg") name_similar_fonts(path);
}

}  // namespace

std::vector<std::string> draw(const Figure& figure, const std::vector<std::string>& formats,
                              const std::string& folder, const std::string& gnuplot) {
  std::vector<std::string> paths;
  for (const std::string& format : formats) {
    const std::string path = (fs::path(folder) / (figure.name + "." + format)).string();
    if (format == "gp") {
      write_file(path, gnuplot_script(figure, "svg", figure.name + ".svg"));
    } else {
      draw_one(figure, format, path, gnuplot);
    }
    paths.push_back(path);
  }
  return paths;
}

}  // namespace weir::report
