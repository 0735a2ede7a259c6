#include "weir/experiment/campaign/run_queue.hpp"

#include <numeric>
#include <utility>

namespace weir::experiment {

namespace {

std::vector<std::size_t> all_indices(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

RunQueue::RunQueue(const std::vector<Variant>& variants, const RunOptions& options,
                   const RunListener& listener)
    : variants_(variants),
      options_(options),
      listener_(listener),
      order_(options.order ? *options.order : all_indices(variants.size())),
      outcomes_(variants.size()) {}

template <class Call>
void RunQueue::tell(Call call) {
  try {
    const std::lock_guard lock(mutex_);
    call();
  } catch (...) {
    fail(std::current_exception());
  }
}

std::optional<std::size_t> RunQueue::take() {
  for (;;) {
    const std::size_t position = next_++;
    if (position >= order_.size() || must_stop()) return std::nullopt;
    const std::size_t run = order_[position];
    bool is_wanted = true;
    tell([&] {
      is_wanted = !options_.skip || !options_.skip(run);
      const auto& told = is_wanted ? listener_.on_start : listener_.on_skip;
      if (told) told(run);
    });
    if (must_stop()) return std::nullopt;
    if (is_wanted) return run;
  }
}

void RunQueue::progress(const RunProgress& progress) {
  tell([&] {
    if (listener_.on_progress) listener_.on_progress(progress);
  });
}

void RunQueue::end(std::size_t run, RunOutcome outcome) {
  outcomes_[run] = std::move(outcome);
  const RunOutcome& kept = outcomes_[run];
  // Of a single run the user's mistake is thrown, and leaves nothing behind.
  if (!kept.record || (kept.is_input_error && variants_.size() == 1)) return;
  tell([&] {
    if (listener_.on_end) listener_.on_end(run, *kept.record);
  });
  if (options_.drop_results) outcomes_[run].record->result = {};
}

bool RunQueue::must_stop() const {
  return stop_ || (options_.interrupt != nullptr && *options_.interrupt);
}

void RunQueue::fail(std::exception_ptr why) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(why);
  stop_ = true;
}

std::vector<RunOutcome> RunQueue::outcomes() {
  if (failure_) std::rethrow_exception(failure_);
  if (variants_.size() == 1 && outcomes_[0].is_input_error) {
    throw InputError(outcomes_[0].record->error);
  }
  return std::move(outcomes_);
}

}  // namespace weir::experiment
