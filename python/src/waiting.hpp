#pragma once

#include <atomic>
#include <functional>

namespace weir::python {

/// Does `work` in another thread, without the interpreter lock, and returns when it has ended;
/// what it throws comes through. Ctrl-C, or whatever else a Python signal handler raises
/// meanwhile, sets the flag that `work` gets; when `work` has ended for it, that is thrown.
void without_lock(const std::function<void(const std::atomic<bool>& interrupt)>& work);

/// Call it before the interpreter lock is taken again and again in a thread that Python did not
/// make: from then on the thread keeps its state, which takes longer to make than most calls.
void keep_thread_state();

/// While one is there, nothing may be registered: runs read the registries.
class AtWork {
 public:
  AtWork() { ++count(); }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  ~AtWork() { --count(); }

  [[nodiscard]] static bool is_some() { return count() > 0; }

 private:
  static std::atomic<int>& count();
};

}  // namespace weir::python
