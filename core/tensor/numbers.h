// Memory for large arrays of numbers. A std::vector clears its memory, and the system clears each
// page at its first use. This takes a fifth of the time of a large pass. This allocator does not
// clear memory, and it reuses large blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace headlight::core {

/// Allocates at least `bytes` bytes, aligned to a cache line. Throws std::bad_alloc.
void *takeMemory(std::size_t bytes);
/// Frees a block; `bytes` is the requested size. Blocks of 32 KB or more are kept for reuse, up to
/// an eighth of the machine's memory.
void releaseMemory(void *memory, std::size_t bytes) noexcept;
/// Returns all unused blocks to the system. Call it when computation pauses for a while.
void releasePool() noexcept;
/// Returns the total size of the unused blocks in bytes.
std::size_t pool();

/// An allocator that leaves default-constructed elements uninitialised. The caller must write all
/// of them.
template <typename T>
struct PoolAllocator {
    using value_type = T;
    PoolAllocator() = default;
    template <typename Other>
    PoolAllocator(const PoolAllocator<Other> &) noexcept {} // NOLINT: implicit, like std::allocator

    T *allocate(std::size_t count) { return static_cast<T *>(takeMemory(count * sizeof(T))); }
    void deallocate(T *memory, std::size_t count) noexcept {
        releaseMemory(memory, count * sizeof(T));
    }
    template <typename U>
    void construct(U *place) noexcept {
        ::new (static_cast<void *>(place)) U;
    }
    template <typename U, typename... Args>
    void construct(U *place, Args &&...args) {
        ::new (static_cast<void *>(place)) U(std::forward<Args>(args)...);
    }
    bool operator==(const PoolAllocator &) const = default;
};

using Numbers = std::vector<float, PoolAllocator<float>>;

} // namespace headlight::core
