#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "weir/base/ranks.hpp"

namespace weir {

/// Threads that take the part of processes: each calls what it has to do with its own Ranks, and
/// they share nothing else.
class RanksOfThreads {
 public:
  explicit RanksOfThreads(std::size_t count) : parcels_(count * count), headers_(count) {}

  /// Calls `work(ranks)` for each rank and waits. Rethrows what rank 0 throws, or else another;
  /// that others have ended only where there is nothing else.
  /// Where one ends while others wait for it, these throw std::logic_error.
  void run(const std::function<void(Ranks&)>& work) {
    std::vector<std::exception_ptr> failures(count());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < count(); ++rank) {
      threads.emplace_back([&, rank] {
        One one(*this, rank);
        try {
          work(one);
        } catch (...) {
          failures[rank] = std::current_exception();
        }
        leave();
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::exception_ptr why;
    for (const std::exception_ptr& failure : failures) {
      try {
        if (failure) std::rethrow_exception(failure);
      } catch (const Left&) {
        if (!why) why = failure;
      }
    }
    if (why) std::rethrow_exception(why);
  }

 private:
  struct Left : std::logic_error {
    using std::logic_error::logic_error;
  };
  class One final : public Ranks {
   public:
    One(RanksOfThreads& all, std::size_t rank) : all_(all), rank_(rank) {}
    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t count() const override { return all_.count(); }
    [[nodiscard]] std::vector<Parcel> gather(const Parcel& mine) override {
      all_.headers_[rank_] = mine;
      all_.meet();
      std::vector<Parcel> got = all_.headers_;
      all_.meet();
      return got;
    }
    void exchange(std::span<const std::byte> header, std::span<const Parcel> out,
                  std::span<std::byte> headers, std::span<Parcel> in) override {
      all_.headers_[rank_].assign(header.begin(), header.end());
      for (std::size_t r = 0; r < count(); ++r) all_.parcels_[rank_ * count() + r] = out[r];
      all_.meet();
      for (std::size_t r = 0; r < count(); ++r) {
        if (all_.headers_[r].size() != header.size())
          throw std::logic_error("the ranks take different steps");
        std::memcpy(headers.data() + r * header.size(), all_.headers_[r].data(), header.size());
        in[r] = r == rank_ ? Parcel() : all_.parcels_[r * count() + rank_];
      }
      all_.meet();
    }

   private:
    RanksOfThreads& all_;
    std::size_t rank_;
  };

  [[nodiscard]] std::size_t count() const { return headers_.size(); }

  void meet() {
    std::unique_lock lock(mutex_);
    const std::size_t round = round_;
    if (++here_ == count()) {
      here_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return round_ != round || gone_ > 0; });
    if (round_ == round) throw Left("a rank has ended before the others");
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    ++gone_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t here_ = 0;
  std::size_t round_ = 0;
  std::size_t gone_ = 0;
  std::vector<Ranks::Parcel> parcels_;  ///< from and to
  std::vector<Ranks::Parcel> headers_;
};

}  // namespace weir
