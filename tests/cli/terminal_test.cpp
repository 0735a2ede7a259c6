#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <regex>
#include <sstream>

#include "sweep.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr unsigned short kWide = 110;
constexpr unsigned short kNarrow = 40;

/// A program in a terminal of its own.
class Terminal {
 public:
  Terminal(const std::filesystem::path& folder, const std::string& command,
           unsigned short columns = kWide) {
    winsize size{24, columns, 0, 0};
    process_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ == 0) {
      if (chdir(folder.c_str()) != 0) _exit(126);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { close(terminal_); }

  void resize(unsigned short columns) const {
    winsize size{24, columns, 0, 0};
    ASSERT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }
  /// Until `is_enough` says so of all that came, or the program ends.
  void read_until(const std::function<bool(const std::string&)>& is_enough) {
    char part[4096];
    while (!is_enough(text_)) {
      pollfd wait{terminal_, POLLIN, 0};
      if (poll(&wait, 1, 60'000) <= 0) break;
      const ssize_t got = ::read(terminal_, part, sizeof part);
      if (got <= 0) break;  // EIO: it has ended
      text_.append(part, static_cast<std::size_t>(got));
    }
  }
  int wait() {
    read_until([](const std::string&) { return false; });
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  int terminal_ = -1;
  pid_t process_ = -1;
  std::string text_;
};

/// What is drawn between two times that lines are taken away, and how many rows were.
struct Drawing {
  std::vector<std::string> lines;
  std::size_t rows_erased = 0;  ///< after it
};

std::vector<Drawing> drawings_in(const std::string& text) {
  static const std::regex kErase("\r\033\\[([0-9]+)A\033\\[J");
  std::vector<Drawing> all;
  auto begin = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), kErase), end; it != end; ++it) {
    Drawing one;
    std::istringstream drawn(std::string(begin, text.cbegin() + it->position()));
    for (std::string line; std::getline(drawn, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      one.lines.push_back(line);
    }
    one.rows_erased = std::stoul((*it)[1].str());
    begin = text.cbegin() + it->position() + it->length();
    all.push_back(std::move(one));
  }
  return all;
}

std::size_t rows_of(const std::vector<std::string>& lines, std::size_t columns) {
  std::size_t rows = 0;
  for (const std::string& line : lines)
    rows += std::max<std::size_t>(1, (line.size() + columns - 1) / columns);
  return rows;
}

TEST(TerminalProgress, ShowsTimeLeftFirstAndSurvivesAResize) {
  const Workplace place;
  place.write("x.toml", kSweep);
  Terminal terminal(place.folder(), "exec '" WEIR_PROGRAM
                                    "' run x.toml --jobs 1 --no-report "
                                    "--set 'experiment.duration=\"3 ms\"'");
  terminal.read_until([](const std::string& text) {
    return text.find(" left  [") != std::string::npos && text.find("runs  ") != std::string::npos;
  });
  const std::size_t before = drawings_in(terminal.text()).size();
  terminal.resize(kNarrow);
  EXPECT_EQ(terminal.wait(), 0) << terminal.text();
  const std::vector<Drawing> all = drawings_in(terminal.text());
  ASSERT_GT(all.size(), before + 2) << "it ended before the resize";
  std::size_t wrapped = 0;
  bool has_time_left = false;
  // The first begins with what was announced.
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::size_t wide = rows_of(all[i].lines, kWide);
    const std::size_t narrow = rows_of(all[i].lines, kNarrow);
    EXPECT_TRUE(all[i].rows_erased == wide || all[i].rows_erased == narrow)
        << all[i].rows_erased << " rows erased of " << wide << " or " << narrow;
    // Drawn in the wide terminal, wrapped by the narrow one, and erased whole.
    if (narrow > wide && all[i].rows_erased == narrow) ++wrapped;
  }
  for (const std::string& line : all.back().lines) {
    EXPECT_LT(line.size(), kNarrow) << line;
    if (line.find(" left  [") != std::string::npos) has_time_left = true;
  }
  EXPECT_EQ(wrapped, 1U);
  EXPECT_TRUE(has_time_left) << terminal.text();
}

TEST(TerminalColor, IsThereUnlessNoColorIsSet) {
  const Workplace place;
  place.write("x.toml", kSweep);
  ASSERT_EQ(place.weir("run x.toml --quiet --no-report").status, 0);
  const auto shown = [&](const std::string& variables) {
    Terminal terminal(place.folder(),
                      variables + " exec '" WEIR_PROGRAM "' run x.toml --quiet --no-report");
    EXPECT_EQ(terminal.wait(), 0) << terminal.text();
    return terminal.text();
  };
  EXPECT_THAT(shown("unset NO_COLOR;"), HasSubstr("\033["));
  EXPECT_THAT(shown("NO_COLOR=1"), Not(HasSubstr("\033[")));
  EXPECT_THAT(shown("NO_COLOR="), HasSubstr("\033["));
}

TEST(TerminalTables, FitTheWidth) {
  const Workplace place;
  place.write("x.toml", kSweep);
  ASSERT_EQ(place.weir("run x.toml --quiet --no-report").status, 0);
  const auto longest = [&](const std::string& command, unsigned short columns) {
    Terminal terminal(place.folder(), "NO_COLOR=1 exec '" WEIR_PROGRAM "' " + command, columns);
    EXPECT_EQ(terminal.wait(), 0) << terminal.text();
    std::istringstream lines(terminal.text());
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line) && !line.starts_with("Means");) {
      line.erase(line.find_last_not_of('\r') + 1);
      most = std::max(most, report::display_width(line));
    }
    return most;
  };
  // Of the usual columns the first three do not fit beside their keys: they follow in blocks.
  EXPECT_LE(longest("run x.toml --quiet --no-report", 64), 64U);
  EXPECT_GT(longest("run x.toml --quiet --no-report", 64), 40U);
  EXPECT_THAT(place.weir("run x.toml --quiet --no-report").output,
              HasSubstr("\nColumns that do not fit: "));
  for (const char* command :
       {"list", "list metric", "describe traffic", "reproduce", "calibrate", "calibrate ferrer2012",
        "describe ferrer2012", "--help", "run --help", "queue --help", "export --help"}) {
    EXPECT_LE(longest(command, 80), 80U) << command;
  }
}

TEST(TerminalWatch, RedrawsBarsUntilTheRunEnds) {
  const Workplace place;
  place.write("x.toml", kSweep);
  Process run(place.folder(), {WEIR_PROGRAM, "run", "x.toml", "--jobs", "1", "--set",
                               "experiment.duration=\"20 ms\""});
  run.wait_for(1, place.folder() / "results/sweep/results.sqlite");
  Terminal terminal(place.folder(), "exec '" WEIR_PROGRAM "' watch results/sweep");
  EXPECT_EQ(terminal.wait(), 0) << terminal.text();
  EXPECT_EQ(run.wait(), 0);
  EXPECT_THAT(terminal.text(), HasSubstr(" left  ["));
  EXPECT_THAT(terminal.text(), HasSubstr("16 of 16 runs, ended\r\n"));
  EXPECT_GT(drawings_in(terminal.text()).size(), 1U);
}

}  // namespace
}  // namespace weir::cli
