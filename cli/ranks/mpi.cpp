#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "../exit_status.hpp"
#include "../ranks.hpp"
#include "mpi_ranks.hpp"
#include "weir/experiment/campaign/run_queue.hpp"
#include "weir/experiment/campaign/wire.hpp"
#include "weir/experiment/config/plugins.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::cli {
namespace {

using experiment::RunOutcome;
using experiment::RunProgress;
using experiment::RunQueue;
using experiment::WireBytes;

/// What a message is about. To the others: slots (how many runs at a time), run, cancel (all that
/// go on), together (a run that all carry out), stop. To rank 0: ready (for one more run),
/// progress, ended, broken (text of a defect).
enum Tag : int { kSlots, kRun, kCancel, kTogether, kStop, kReady, kProgress, kEnded, kBroken };

constexpr auto kIdle = std::chrono::milliseconds(1);
constexpr auto kProgressPeriod = std::chrono::milliseconds(200);

/// A message and the run that it is about.
struct Message {
  int rank = 0;
  Tag tag = kStop;
  std::uint64_t run = 0;
  WireBytes bytes;
};

/// Messages between ranks. Used by one thread of each process.
class Mail {
 public:
  void send(int rank, Tag tag, std::uint64_t run = 0, const WireBytes& bytes = {}) {
    Sent& sent = sent_.emplace_back();
    sent.bytes.resize(sizeof run + bytes.size());
    std::memcpy(sent.bytes.data(), &run, sizeof run);
    std::copy(bytes.begin(), bytes.end(), sent.bytes.begin() + sizeof run);
    // forget_sent() asks for it until it has gone.
    // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, rank, tag,
              MPI_COMM_WORLD, &sent.request);
  }

  std::optional<Message> receive() {
    forget_sent();
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    WireBytes bytes(static_cast<std::size_t>(size));
    MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    Message message{status.MPI_SOURCE, static_cast<Tag>(status.MPI_TAG), 0, {}};
    std::memcpy(&message.run, bytes.data(), sizeof message.run);
    bytes.erase(bytes.begin(), bytes.begin() + sizeof message.run);
    message.bytes = std::move(bytes);
    return message;
  }

  /// Waits until everything has gone.
  void flush() {
    while (!sent_.empty()) {
      forget_sent();
      std::this_thread::sleep_for(kIdle);
    }
  }

 private:
  struct Sent {
    WireBytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_sent() {
    for (auto it = sent_.begin(); it != sent_.end();) {
      int has_gone = 0;
      MPI_Test(&it->request, &has_gone, MPI_STATUS_IGNORE);
      it = has_gone != 0 ? sent_.erase(it) : std::next(it);
    }
  }

  std::list<Sent> sent_;
};

struct PlainProgress {
  std::int64_t now;
  std::int64_t end;
  std::uint64_t packet_hops;
  double wall_seconds;
};

WireBytes pack(const RunProgress& progress) {
  const PlainProgress plain{progress.now.count, progress.end.count, progress.packet_hops,
                            progress.wall_seconds};
  WireBytes bytes(sizeof plain);
  std::memcpy(bytes.data(), &plain, sizeof plain);
  return bytes;
}

RunProgress unpack_progress(const Message& message) {
  PlainProgress plain{};
  std::memcpy(&plain, message.bytes.data(), std::min(sizeof plain, message.bytes.size()));
  return {static_cast<std::size_t>(message.run), Time(plain.now), Time(plain.end),
          plain.packet_hops, plain.wall_seconds};
}

/// Carries out a run with all other ranks. Nothing: they cannot, and `why` says it.
std::optional<RunOutcome> carry_out_together(const experiment::Variant& variant,
                                             experiment::NetworkCache& networks,
                                             const std::function<bool(const RunProgress&)>& go_on,
                                             std::string& why) {
  MpiRanks ranks;
  try {
    RunOutcome outcome = experiment::carry_out(variant, networks, go_on, &ranks);
    ranks.end({});
    if (!outcome.is_input_error) return outcome;
    why = outcome.record->error;
  } catch (const std::exception& error) {
    ranks.end(error.what());
    throw;
  }
  return std::nullopt;
}

/// Rank 0's view of the others.
class OtherRanks final : public experiment::RunHelper {
 public:
  explicit OtherRanks(int processes) : others_(processes - 1) {}

  void set_jobs(unsigned jobs) {
    if (jobs_ != 0) return;  // they stay as they are when a second campaign begins
    jobs_ = jobs;
    for (int rank = 1; rank <= others_; ++rank) mail_.send(rank, kSlots, jobs);
  }
  [[nodiscard]] std::size_t at_a_time() const override {
    return static_cast<std::size_t>(others_) * jobs_;
  }

  [[nodiscard]] bool shares_single_run() const override { return true; }

  void work(RunQueue& queue) override {
    if (queue.is_single()) {
      work_together(queue);
      return;
    }
    bool is_cancelled = false;
    for (;;) {
      hand_out(queue);
      if (queue.must_stop() && !is_cancelled) {
        is_cancelled = true;
        for (int rank = 1; rank <= others_; ++rank) mail_.send(rank, kCancel);
      }
      if (away_.empty() && queue.is_exhausted()) return;
      if (const auto message = mail_.receive()) {
        handle(queue, *message);
      } else {
        std::this_thread::sleep_for(kIdle);
      }
    }
  }

  void stop() {
    for (int rank = 1; rank <= others_; ++rank) mail_.send(rank, kStop);
    mail_.flush();
  }

 private:
  /// The only run: all ranks simulate it together, or this one alone what they cannot.
  void work_together(RunQueue& queue) {
    const auto run = queue.take();
    if (!run) return;
    const auto go_on = [&](RunProgress progress) {
      progress.run = *run;
      queue.progress(progress);
      return !queue.must_stop();
    };
    try {
      const experiment::Variant& variant = queue.variant(*run);
      if (experiment::resolve(variant.table).kind->works_in_ranks) {
        for (int rank = 1; rank <= others_; ++rank)
          mail_.send(rank, kTogether, 0, experiment::pack(variant));
        mail_.flush();
        std::string why;
        if (auto outcome = carry_out_together(variant, networks_, go_on, why)) {
          queue.end(*run, std::move(*outcome));
          return;
        }
        queue.end(*run, experiment::carry_out(variant, networks_, go_on));
        fmt::print(stderr, "weir: one process did the run alone: {}\n", why);
        return;
      }
      queue.end(*run, experiment::carry_out(variant, networks_, go_on));
    } catch (...) {
      queue.fail(std::current_exception());
    }
  }

  void hand_out(RunQueue& queue) {
    while (!ready_.empty()) {
      const auto run = queue.take();
      if (!run) return;
      const int rank = ready_.front();
      ready_.pop_front();
      away_.insert(*run);
      mail_.send(rank, kRun, *run, experiment::pack(queue.variant(*run)));
    }
  }

  void handle(RunQueue& queue, const Message& message) {
    const auto run = static_cast<std::size_t>(message.run);
    switch (message.tag) {
      case kReady:
        ready_.push_back(message.rank);
        break;
      case kProgress:
        if (away_.count(run) > 0) queue.progress(unpack_progress(message));
        break;
      case kEnded:
        away_.erase(run);
        queue.end(run, experiment::unpack_outcome(message.bytes));
        break;
      case kBroken:
        away_.erase(run);
        queue.fail(std::make_exception_ptr(
            std::runtime_error({message.bytes.begin(), message.bytes.end()})));
        break;
      default:
        break;
    }
  }

  Mail mail_;
  int others_;
  unsigned jobs_ = 0;
  std::deque<int> ready_;  ///< ranks, once for each run that they could take
  std::set<std::size_t> away_;
  experiment::NetworkCache networks_;
};

/// A rank that carries out runs for rank 0.
class Worker {
 public:
  void serve() {
    for (;;) {
      send_what_is_ready();
      const auto message = mail_.receive();
      if (!message) {
        std::this_thread::sleep_for(kIdle);
        continue;
      }
      if (message->tag == kSlots) {
        for (std::uint64_t i = 0; i < message->run; ++i) mail_.send(0, kReady);
      } else if (message->tag == kRun) {
        begin(*message);
      } else if (message->tag == kTogether) {
        join(*message);
      } else {
        for (const auto& one : at_work_) one->is_cancelled = true;
        if (message->tag == kStop) break;
      }
    }
    for (const auto& one : at_work_) one->thread.join();
    at_work_.clear();
    mail_.flush();
  }

 private:
  struct AtWork {
    std::thread thread;
    std::atomic<bool> is_cancelled{false};
    std::atomic<bool> has_ended{false};
  };

  /// What becomes of the run rank 0 knows, too.
  void join(const Message& message) {
    experiment::Variant variant = experiment::unpack_variant(message.bytes);
    load_its_plugins(variant);
    std::string why;
    (void)carry_out_together(
        variant, networks_, [](const RunProgress&) { return true; }, why);
  }

  static void load_its_plugins(experiment::Variant& variant) {
    try {
      // Here, where no registry changes under a thread's eyes.
      experiment::load_plugins(variant.table);
    } catch (const InputError&) {
      // carry_out() tells it.
    }
  }

  void begin(const Message& message) {
    experiment::Variant variant = experiment::unpack_variant(message.bytes);
    load_its_plugins(variant);
    AtWork& work = *at_work_.emplace_back(std::make_unique<AtWork>());
    work.thread = std::thread([this, &work, message] {
      try {
        put(kEnded, message.run, experiment::pack(carry_out(work, message)));
      } catch (const std::exception& error) {
        const std::string_view text = error.what();
        put(kBroken, message.run, {text.begin(), text.end()});
      }
      put(kReady, 0, {});
      work.has_ended = true;
    });
  }

  RunOutcome carry_out(AtWork& work, const Message& message) {
    auto told = std::chrono::steady_clock::now();
    return experiment::carry_out(experiment::unpack_variant(message.bytes), networks_,
                                 [&](const RunProgress& progress) {
                                   const auto now = std::chrono::steady_clock::now();
                                   if (now - told >= kProgressPeriod) {
                                     told = now;
                                     put(kProgress, message.run, pack(progress));
                                   }
                                   return !work.is_cancelled;
                                 });
  }

  void put(Tag tag, std::uint64_t run, WireBytes bytes) {
    const std::lock_guard lock(mutex_);
    ready_.push_back({0, tag, run, std::move(bytes)});
  }

  void send_what_is_ready() {
    std::deque<Message> ready;
    {
      const std::lock_guard lock(mutex_);
      ready.swap(ready_);
    }
    for (const Message& one : ready) mail_.send(0, one.tag, one.run, one.bytes);
    std::erase_if(at_work_, [](const auto& one) {
      if (!one->has_ended) return false;
      one->thread.join();
      return true;
    });
  }

  Mail mail_;
  experiment::NetworkCache networks_;
  std::vector<std::unique_ptr<AtWork>> at_work_;
  std::mutex mutex_;
  std::deque<Message> ready_;
};

/// Lives as long as the program; null when it is alone.
std::unique_ptr<OtherRanks>& others() {
  static std::unique_ptr<OtherRanks> all;
  return all;
}

void serve() {
  // Rank 0 gets the same signals and says what is to be done.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  Worker().serve();
  MPI_Finalize();
}

}  // namespace

std::optional<int> join_ranks(int argc, char** argv) {
  if (launched_processes() < 2) return std::nullopt;
  int provided = 0;
  // Messages of a window go at once within a machine; who knows better has said so.
  setenv("OMPI_MCA_btl_vader_eager_limit", "65536", 0);
  // Threads that simulate one run take turns in talking to the other processes.
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != launched_processes()) {
    std::fprintf(stderr,
                 "weir: the launcher started %d processes, but they do not find each other: use "
                 "the mpirun of OpenMPI\n",
                 launched_processes());
    MPI_Finalize();
    return kWrongInput;
  }
  if (rank > 0) {
    serve();
    return kDone;
  }
  others() = std::make_unique<OtherRanks>(size);
  return std::nullopt;
}

experiment::RunHelper* other_ranks() { return others().get(); }

void set_jobs_of_ranks(unsigned jobs) {
  if (others()) others()->set_jobs(jobs);
}

void leave_ranks() {
  if (!others()) return;
  others()->stop();
  others().reset();
  MPI_Finalize();
}

}  // namespace weir::cli
