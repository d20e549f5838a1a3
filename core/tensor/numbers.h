// Room for many numbers. A vector clears what it allocates, and the system clears each page that is
// touched for the first time: of a large pass that is a fifth of the time. Here numbers are not
// cleared, and large blocks that were given back are used again.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace headlight::core {

/// At least so many bytes, aligned to a cache line. Throws std::bad_alloc.
void *takeRoom(std::size_t bytes);
/// Of the same size. Large room (from 32 KB) is kept for the next who asks, up to an eighth of the
/// machine's memory.
void giveRoomBack(void *room, std::size_t bytes) noexcept;
/// Gives to the system what nobody uses: for who will not compute for a while.
void releasePool() noexcept;
/// Bytes that are kept for the next who asks.
std::size_t pool();

/// What is made without a value is left as it is: whoever asks for numbers writes them all.
template <typename T>
struct PoolAllocator {
    using value_type = T;
    PoolAllocator() = default;
    template <typename Other>
    PoolAllocator(const PoolAllocator<Other> &) noexcept {} // NOLINT: as allocators are

    T *allocate(std::size_t count) { return static_cast<T *>(takeRoom(count * sizeof(T))); }
    void deallocate(T *room, std::size_t count) noexcept { giveRoomBack(room, count * sizeof(T)); }
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
