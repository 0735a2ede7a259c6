#include "weir/fabric/shared_pools.hpp"

#include <algorithm>

#include "weir/base/state_archive.hpp"

namespace weir::fabric {

void SharedPools::add(std::size_t first, std::size_t last, std::int64_t bytes) {
  for (std::size_t i = first; i < last; ++i)
    classes_[i].pool = static_cast<std::uint32_t>(pools_.size());
  Pool pool;
  pool.first = first;
  pool.last = last;
  pool.size = pool.free = bytes;
  pools_.push_back(pool);
  // Nothing is allocated when packets come.
  changed_.reserve(std::max(changed_.capacity(), last - first));
}

std::span<const std::uint32_t> SharedPools::come(std::size_t index, std::int64_t bytes) {
  changed_.clear();
  Class& one = classes_[index];
  one.fill += bytes;
  if (one.is_stopped) return changed_;
  Pool& pool = pools_[one.pool];
  const std::int64_t has = shared(one.fill);
  const std::int64_t free = pool.free - (has - shared(one.base));
  const std::int64_t threshold = part(rules_.stop, pool, free);
  if (free < 0 || has > threshold) {
    one.is_stopped = true;
    changed_.push_back(static_cast<std::uint32_t>(index));
    return changed_;
  }
  one.base = one.fill;
  pool.free = free;
  pool.highest = std::max(pool.highest, has);
  if (pool.highest > threshold) stop_above(pool, threshold);
  return changed_;
}

std::span<const std::uint32_t> SharedPools::leave(std::size_t index, std::int64_t bytes) {
  changed_.clear();
  Class& one = classes_[index];
  one.fill -= bytes;
  if (one.fill > one.base) return changed_;
  Pool& pool = pools_[one.pool];
  pool.free += shared(one.base) - shared(one.fill);
  one.base = one.fill;
  if (one.is_stopped) pool.lowest = std::min(pool.lowest, shared(one.base));
  if (may_go(pool, pool.lowest)) let_go(pool);
  return changed_;
}

bool SharedPools::may_go(const Pool& pool, std::int64_t has) const {
  if (has == 0) return true;
  const std::int64_t go = part(rules_.go, pool, pool.free) - rules_.hysteresis;
  if (has > go) return false;
  // A static threshold does not fall when the pool runs out. Who was stopped for that waits for as
  // much room as lies between both thresholds.
  return rules_.is_dynamic || part(rules_.stop, pool, pool.free) - go <= pool.free;
}

void SharedPools::stop_above(Pool& pool, std::int64_t threshold) {
  pool.highest = 0;
  for (std::size_t i = pool.first; i < pool.last; ++i) {
    Class& one = classes_[i];
    if (one.is_stopped) continue;
    const std::int64_t has = shared(one.base);
    if (has > threshold) {
      one.is_stopped = true;
      changed_.push_back(static_cast<std::uint32_t>(i));
      pool.lowest = std::min(pool.lowest, has);
    } else {
      pool.highest = std::max(pool.highest, has);
    }
  }
}

void SharedPools::let_go(Pool& pool) {
  pool.lowest = kNone;
  for (std::size_t i = pool.first; i < pool.last; ++i) {
    Class& one = classes_[i];
    if (!one.is_stopped || one.fill > one.base) continue;
    const std::int64_t has = shared(one.base);
    if (may_go(pool, has)) {
      one.is_stopped = false;
      changed_.push_back(static_cast<std::uint32_t>(i));
      pool.highest = std::max(pool.highest, has);
    } else {
      pool.lowest = std::min(pool.lowest, has);
    }
  }
}

void SharedPools::checkpoint(StateArchive& state, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    state(classes_[i].fill, classes_[i].base, classes_[i].is_stopped);
  for (Pool& pool : pools_)
    if (pool.first >= first && pool.last <= last) state(pool.free, pool.highest, pool.lowest);
}

}  // namespace weir::fabric
