#include "weir/experiment/store/campaign_state.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>

#include "weir/experiment/store/campaign_rows.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment {
namespace {

using nlohmann::json;
using Stage = CampaignState::Stage;

/// A program tells every few seconds; one that waits for a disk may take longer.
constexpr double kSilence = 60;

constexpr const char* kCampaignSchema = R"sql(
CREATE TABLE IF NOT EXISTS campaigns (
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  started TEXT NOT NULL,             -- UTC
  told REAL NOT NULL,                -- seconds since 1970
  stage TEXT NOT NULL CHECK (stage IN ('running', 'ended', 'interrupted')),
  runs INTEGER NOT NULL,
  done INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  share REAL NOT NULL,
  seconds_left REAL NOT NULL,        -- negative: not known
  at_work TEXT NOT NULL,             -- JSON: [[name, share, seconds, seconds left], ..]
  PRIMARY KEY (host, process, started)
) WITHOUT ROWID;
)sql";

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

const char* text_of_stage(Stage stage) {
  return stage == Stage::running ? "running" : stage == Stage::ended ? "ended" : "interrupted";
}

Stage stage_called(const std::string& text) {
  return text == "running" ? Stage::running : text == "ended" ? Stage::ended : Stage::interrupted;
}

std::string at_work_text(const std::vector<RunAtWork>& runs) {
  json list = json::array();
  for (const RunAtWork& run : runs)
    list.push_back({run.name, run.share, run.seconds, run.seconds_left});
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<RunAtWork> at_work_in(const std::string& text) {
  std::vector<RunAtWork> runs;
  for (const json& one : json::parse(text)) {
    runs.push_back({one.at(0).get<std::string>(), one.at(1).get<double>(), one.at(2).get<double>(),
                    one.at(3).get<double>()});
  }
  return runs;
}

void write(SQLite::Database& db, const CampaignState& state) {
  SQLite::Statement row(
      db, "INSERT OR REPLACE INTO campaigns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(1, state.host);
  row.bind(2, state.process);
  row.bind(3, state.started);
  row.bind(4, state.told);
  row.bind(5, std::string(text_of_stage(state.stage)));
  row.bind(6, static_cast<std::int64_t>(state.runs));
  row.bind(7, static_cast<std::int64_t>(state.done));
  row.bind(8, static_cast<std::int64_t>(state.failed));
  row.bind(9, state.share);
  row.bind(10, state.seconds_left);
  row.bind(11, at_work_text(state.at_work));
  row.exec();
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

CampaignState new_campaign_state() {
  CampaignState state;
  state.host = host_name();
  state.process = getpid();
  state.started = utc_now();
  return state;
}

bool CampaignState::is_alive() const {
  if (stage != Stage::running) return false;
  if (host == host_name()) return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
  return seconds_now() - told < kSilence;
}

void write_campaign(SQLite::Database& db, const CampaignState& state, bool is_first) {
  if (is_first) {
    db.exec(kCampaignSchema);
    // What has ended was there for those who looked on.
    for (const CampaignState& other : read_campaigns(db)) {
      if (other.is_alive()) continue;
      SQLite::Statement remove(
          db, "DELETE FROM campaigns WHERE host = ? AND process = ? AND started = ?");
      remove.bind(1, other.host);
      remove.bind(2, other.process);
      remove.bind(3, other.started);
      remove.exec();
    }
  }
  write(db, state);
}

std::vector<CampaignState> read_campaigns(SQLite::Database& db) {
  std::vector<CampaignState> all;
  if (!db.tableExists("campaigns")) return all;
  SQLite::Statement row(db,
                        "SELECT host, process, started, told, stage, runs, done, failed, share, "
                        "seconds_left, at_work FROM campaigns ORDER BY started, host, process");
  while (row.executeStep()) {
    CampaignState state;
    state.host = row.getColumn(0).getString();
    state.process = row.getColumn(1).getInt64();
    state.started = row.getColumn(2).getString();
    state.told = row.getColumn(3).getDouble();
    state.stage = stage_called(row.getColumn(4).getString());
    state.runs = static_cast<std::size_t>(row.getColumn(5).getInt64());
    state.done = static_cast<std::size_t>(row.getColumn(6).getInt64());
    state.failed = static_cast<std::size_t>(row.getColumn(7).getInt64());
    state.share = row.getColumn(8).getDouble();
    state.seconds_left = row.getColumn(9).getDouble();
    state.at_work = at_work_in(row.getColumn(10).getString());
    all.push_back(std::move(state));
  }
  return all;
}

}  // namespace weir::experiment
