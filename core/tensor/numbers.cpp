#include "core/tensor/numbers.h"

#include <map>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace headlight::core {

namespace {

constexpr std::size_t kCacheLine = 64;
/// From here on pages are touched for the first time more slowly than they are used again.
constexpr std::size_t kLarge = std::size_t(1) << 20;
/// A page of the large kind: one fault instead of 512.
constexpr std::size_t kLargePage = std::size_t(1) << 21;

std::size_t roundedUp(std::size_t bytes) {
    const std::size_t unit = bytes >= 2 * kLargePage ? kLargePage : kLarge / 4;
    return (bytes + unit - 1) / unit * unit;
}

/// Blocks that nobody uses, by size.
class Spare {
  public:
    Spare() {
        const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
        if (pages > 0 && bytes > 0)
            m_most = static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) / 8;
    }

    /// Null: there is none. One that is a little larger would be lost for who needs that much.
    void *take(std::size_t bytes) {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_blocks.find(bytes);
        if (found == m_blocks.end())
            return nullptr;
        void *const block = found->second;
        m_blocks.erase(found);
        m_bytes -= bytes;
        return block;
    }
    /// False: there is enough already.
    bool keep(void *block, std::size_t bytes) noexcept {
        const std::scoped_lock lock(m_mutex);
        if (m_bytes + bytes > m_most)
            return false;
        try {
            m_blocks.emplace(bytes, block);
        } catch (const std::bad_alloc &) {
            return false;
        }
        m_bytes += bytes;
        return true;
    }
    void release() noexcept {
        const std::scoped_lock lock(m_mutex);
        for (const auto &[bytes, block] : m_blocks)
            munmap(block, bytes);
        m_blocks.clear();
        m_bytes = 0;
    }
    std::size_t bytes() {
        const std::scoped_lock lock(m_mutex);
        return m_bytes;
    }

  private:
    std::mutex m_mutex;
    std::multimap<std::size_t, void *> m_blocks;
    std::size_t m_bytes = 0;
    std::size_t m_most = 0;
};

/// Never destroyed: a trace may be given back after main() has ended.
Spare &spare() {
    static Spare *const all = new Spare;
    return *all;
}

void *mapped(std::size_t bytes) {
    void *const block =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? nullptr : block;
}

/// Sanitizers see what is used after it was given back only where they give it out themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsWatched = true;
#elif defined(__has_feature)
constexpr bool kIsWatched = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsWatched = false;
#endif

} // namespace

void *takeRoom(std::size_t bytes) {
    if (kIsWatched || bytes < kLarge)
        return ::operator new(bytes, std::align_val_t(kCacheLine));
    const std::size_t size = roundedUp(bytes);
    if (size < bytes)
        throw std::bad_alloc();
    if (void *const block = spare().take(size))
        return block;
    void *block = mapped(size);
    if (!block) { // what is kept for later may be what is missing
        spare().release();
        block = mapped(size);
    }
    if (!block)
        throw std::bad_alloc();
    if (size >= 2 * kLargePage)
        madvise(block, size, MADV_HUGEPAGE); // a wish: without it, it only takes longer
    return block;
}

void giveRoomBack(void *room, std::size_t bytes) noexcept {
    if (kIsWatched || bytes < kLarge)
        return ::operator delete(room, std::align_val_t(kCacheLine));
    const std::size_t size = roundedUp(bytes);
    if (!spare().keep(room, size))
        munmap(room, size);
}

void releaseSpareRoom() noexcept {
    spare().release();
}

std::size_t spareRoom() {
    return spare().bytes();
}

} // namespace headlight::core
