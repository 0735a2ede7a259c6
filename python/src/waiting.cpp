#include "waiting.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace weir::python {

namespace py = pybind11;

namespace {

/// How often Python's signal handlers get a chance.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

namespace {

/// What Python knows of a thread, from the first call to the end of the thread.
class ThreadState {
 public:
  ThreadState() : handle_(PyGILState_Ensure()), state_(PyEval_SaveThread()) {}
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() {
    PyEval_RestoreThread(state_);
    PyGILState_Release(handle_);
  }

 private:
  PyGILState_STATE handle_;
  PyThreadState* state_;
};

}  // namespace

void keep_thread_state() {
  // Python's own threads have one, and end after it.
  if (PyGILState_GetThisThreadState() == nullptr) thread_local const ThreadState kept;
}

std::atomic<int>& AtWork::count() {
  static std::atomic<int> count{0};
  return count;
}

void without_lock(const std::function<void(const std::atomic<bool>& interrupt)>& work) {
  const AtWork at_work;
  std::atomic<bool> interrupt{false};
  std::exception_ptr thrown;
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release released;
    std::mutex mutex;
    std::condition_variable changed;
    bool has_ended = false;
    std::thread worker([&] {
      try {
        work(interrupt);
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      has_ended = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kLook, [&] { return has_ended; })) {
      if (interrupt) continue;
      // The worker may hold the interpreter lock while it wants the mutex.
      lock.unlock();
      {
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) {
          raised.emplace();
          interrupt = true;
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised) throw std::move(*raised);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace weir::python
