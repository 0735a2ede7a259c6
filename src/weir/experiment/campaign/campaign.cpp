#include "weir/experiment/campaign/campaign.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "weir/experiment/campaign/campaign_board.hpp"
#include "weir/experiment/campaign/campaign_work.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/network.hpp"

namespace weir::experiment {
namespace {

/// Finding out what runs need must not take much of the time that knowing it saves.
constexpr double kEstimateSeconds = 0.3;

std::vector<std::string> names_of(const std::vector<Variant>& plan) {
  std::vector<std::string> names;
  names.reserve(plan.size());
  for (const Variant& variant : plan) names.push_back(variant.name);
  return names;
}

class Campaign {
 public:
  Campaign(const std::vector<Variant>& plan, ResultsStore& store, const CampaignOptions& options,
           const CampaignListener& listener)
      : plan_(plan),
        store_(store),
        options_(options),
        listener_(listener),
        board_(store, names_of(plan)) {
    result_.runs.resize(plan.size());
    find_what_is_there();
  }

  CampaignResult run() {
    const PlanEstimate needs = estimate_plan(plan_, pending_, networks_, kEstimateSeconds);
    if (listener_.on_plan) {
      const std::size_t others = options_.helper != nullptr ? options_.helper->at_a_time() : 0;
      const std::size_t threads = thread_count(options_.jobs);
      const std::size_t here = std::min<std::size_t>(threads, thread_count(0));
      const std::size_t runs = pending_.size();
      listener_.on_plan({plan_.size(), plan_.size() - runs, needs, std::min(threads + others, runs),
                         std::min(here + others, runs)});
    }
    work_.begin(plan_.size(), plan_.size() - pending_.size(), needs);
    if (!pending_.empty()) run_pending(needs);
    store_.ensure_in_place();
    read_back();
    return std::move(result_);
  }

 private:
  void find_what_is_there() {
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> first;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      RunRecord key = describe_run(resolve(plan_[i].table), plan_[i]);
      const auto [same, is_first] =
          first.emplace(std::tuple(key.experiment, key.case_name, key.configuration_hash), i);
      same_as_.push_back(same->second);
      if (is_first && !is_there(key, i)) pending_.push_back(i);
      key.configuration.clear();
      keys_.push_back(std::move(key));
    }
  }

  bool is_there(const RunRecord& key, std::size_t run) {
    if (options_.again) return false;
    const std::optional<RunRecord> found = store_.find(key);
    if (!found || found->status != "done") return false;
    const bool is_as_planned = found->place == key.place && found->parameters == key.parameters &&
                               found->configuration == key.configuration;
    if (!is_as_planned) store_.replan(key);
    result_.runs[run].was_there = true;
    return true;
  }

  /// Longest first; those of which nothing is known as if they were of middling length.
  [[nodiscard]] std::vector<std::size_t> order(const PlanEstimate& needs) const {
    std::vector<std::size_t> order = pending_;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return needs.packet_hops[a] > needs.packet_hops[b];
    });
    return order;
  }

  void run_pending(const PlanEstimate& needs) {
    RunOptions options;
    options.jobs = options_.jobs;
    options.interrupt = options_.interrupt;
    options.order = order(needs);
    options.networks = &networks_;
    options.helper = options_.helper;
    options.drop_results = true;
    options.skip = [&](std::size_t run) {
      // Another program works on the same plan.
      const bool is_done = !options_.again && store_.is_done(keys_[run]);
      if (is_done) result_.runs[run].was_there = true;
      return is_done;
    };
    board_.tell(work_, true);
    const std::vector<RunOutcome> outcomes = run_all(plan_, options, listener());
    board_.end(work_, options_.interrupt != nullptr && *options_.interrupt);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      CampaignRun& run = result_.runs[i];
      run.is_input_error = outcomes[i].is_input_error;
      has_ended_.push_back(outcomes[i].record.has_value());
    }
  }

  /// Writes what has ended, and says how far things are: to whoever called, and in the store.
  [[nodiscard]] RunListener listener() {
    const RunListener& told = listener_.runs;
    RunListener all;
    all.on_start = [&](std::size_t run) {
      work_.start(run);
      board_.tell(work_);
      if (told.on_start) told.on_start(run);
    };
    all.on_progress = [&](const RunProgress& progress) {
      work_.update(progress);
      board_.tell(work_);
      if (told.on_progress) told.on_progress(progress);
    };
    all.on_end = [&](std::size_t run, const RunRecord& record) {
      store_.write(record,
                   options_.again ? ResultsStore::Existing::replace : ResultsStore::Existing::keep);
      work_.end(run, record);
      board_.tell(work_);
      if (told.on_end) told.on_end(run, record);
    };
    all.on_skip = [&](std::size_t run) {
      work_.skip(run);
      if (told.on_skip) told.on_skip(run);
    };
    return all;
  }

  /// What is handed back is what is stored, whether it ran now or before.
  void read_back() {
    has_ended_.resize(plan_.size());
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      CampaignRun& run = result_.runs[i];
      if (same_as_[i] != i) {
        run = result_.runs[same_as_[i]];
      } else if (run.was_there || has_ended_[i]) {
        run.record = store_.read(keys_[i], options_.parts);
      }
    }
  }

  const std::vector<Variant>& plan_;
  ResultsStore& store_;
  const CampaignOptions& options_;
  const CampaignListener& listener_;
  NetworkCache networks_;
  CampaignWork work_;
  CampaignBoard board_;
  std::vector<RunRecord> keys_;
  std::vector<std::size_t> same_as_;  ///< the first of the plan that is the same run
  std::vector<std::size_t> pending_;
  std::vector<bool> has_ended_;
  CampaignResult result_;
};

}  // namespace

std::vector<RunRecord> CampaignResult::take_records() {
  std::vector<RunRecord> all;
  for (CampaignRun& run : runs) {
    if (run.record) all.push_back(std::move(*run.record));
  }
  return all;
}

std::size_t CampaignResult::unfinished() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const CampaignRun& run) { return !run.record; }));
}

std::size_t CampaignResult::failed() const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(),
      [](const CampaignRun& run) { return run.record && run.record->status != "done"; }));
}

CampaignResult run_campaign(const std::vector<Variant>& plan, ResultsStore& store,
                            const CampaignOptions& options, const CampaignListener& listener) {
  return Campaign(plan, store, options, listener).run();
}

}  // namespace weir::experiment
