#include "sweep.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace weir::cli {

namespace fs = std::filesystem;

const std::string kSweep = R"([experiment]
name = "sweep"
duration = "0.3 ms"
[topology]
model = "single-switch"
hosts = 8
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
[sweep]
"traffic.all.arrivals.load" = [0.1, 0.9, 0.3, 0.7]
[replicate]
seeds = 2
[[case]]
name = "one queue"
[[case]]
name = "voqnet"
set = { queueing = "voqnet" }
)";

std::map<std::int64_t, std::string> done_in(const fs::path& database) {
  std::map<std::int64_t, std::string> runs;
  sqlite3* db = nullptr;
  if (!fs::exists(database) ||
      sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
    sqlite3_close(db);
    return runs;
  }
  sqlite3_busy_timeout(db, 10'000);
  sqlite3_exec(
      db, "SELECT id, started FROM runs WHERE status = 'done'",
      [](void* all, int, char** row, char**) {
        (*static_cast<std::map<std::int64_t, std::string>*>(all))[std::stoll(row[0])] = row[1];
        return 0;
      },
      &runs, nullptr);
  sqlite3_close(db);
  return runs;
}

Process::Process(const fs::path& folder, std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& one : arguments) argv.push_back(one.data());
  argv.push_back(nullptr);
  const std::string errors = (folder / ".errors").string();
  pid_ = fork();
  if (pid_ != 0) return;
  if (chdir(folder.c_str()) != 0 || std::freopen(errors.c_str(), "w", stderr) == nullptr ||
      std::freopen("/dev/null", "w", stdout) == nullptr) {
    _exit(127);
  }
  execvp(argv[0], argv.data());
  _exit(127);
}

Process::~Process() {
  if (pid_ > 0) signal(SIGKILL);
}

bool Process::has_ended() {
  if (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
  return pid_ <= 0;
}

void Process::signal(int number) {
  if (pid_ > 0) kill(pid_, number);
  if (number == SIGKILL) (void)wait();
}

int Process::wait() {
  if (pid_ > 0) waitpid(pid_, &status_, 0);
  pid_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

void Process::wait_for(std::size_t runs, const fs::path& database) {
  while (!has_ended() && done_in(database).size() < runs) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void expect_same_exports(const Workplace& place, const std::string& one, const std::string& other) {
  for (const char* form : {" --csv", " --json", " --table series", " --table links"}) {
    const Outcome first = place.weir("export " + one + form);
    const Outcome second = place.weir("export " + other + form);
    ASSERT_EQ(first.status, 0) << first.errors;
    EXPECT_GT(first.output.size(), 1000U);
    EXPECT_TRUE(first.output == second.output) << form << " differs";
  }
}

}  // namespace weir::cli
