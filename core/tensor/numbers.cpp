#include "core/tensor/numbers.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace headlight::core {

namespace {

constexpr std::size_t kCacheLine = 64;
/// Blocks of this size or more are reused, because touching new pages for the first time is slow.
constexpr std::size_t kKept = std::size_t(1) << 15;
/// Blocks of this size or more come from mmap(), to avoid malloc()'s fragmentation.
constexpr std::size_t kLarge = std::size_t(1) << 20;
/// Size of a huge page, which causes one page fault instead of 512 and needs one TLB entry.
constexpr std::size_t kLargePage = std::size_t(1) << 21;

std::size_t roundedUp(std::size_t bytes) {
    const std::size_t unit = bytes >= 2 * kLargePage ? kLargePage
                             : bytes >= kLarge       ? kLarge / 4
                                                     : kKept / 8;
    return (bytes + unit - 1) / unit * unit;
}

/// True in builds with a sanitizer, which can only detect use after free in its own blocks.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsWatched = true;
#elif defined(__has_feature)
constexpr bool kIsWatched = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsWatched = false;
#endif

void giveToSystem(void *block, std::size_t bytes) noexcept {
    if (bytes >= kLarge && !kIsWatched)
        munmap(block, bytes);
    else
        ::operator delete(block, std::align_val_t(kCacheLine));
}

/// Unused blocks by size.
class Spare {
  public:
    Spare() {
        const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
        if (pages > 0 && bytes > 0)
            m_most = static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) / 8;
    }

    /// Returns null if there is no block of exactly this size. Larger blocks are not used, because
    /// they would be missing for requests of their own size.
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
    /// Keeps a block for reuse. Returns false if the limit is reached.
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
            giveToSystem(block, bytes);
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

/// The pool. Never destroyed, because a trace may be freed after main() returns.
Spare &spare() {
    static Spare *const all = new Spare;
    return *all;
}

/// Allocates by mmap(), aligned to a huge page if one fits. Null: not enough memory.
void *mapped(std::size_t bytes) {
    const std::size_t before = bytes >= kLargePage ? kLargePage : 0;
    if (bytes + before < bytes)
        return nullptr;
    void *const all =
        mmap(nullptr, bytes + before, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || before == 0)
        return all == MAP_FAILED ? nullptr : all;
    char *const first = static_cast<char *>(all);
    const std::size_t skipped =
        (kLargePage - reinterpret_cast<std::uintptr_t>(first) % kLargePage) % kLargePage;
    if (skipped > 0)
        munmap(first, skipped);
    munmap(first + skipped + bytes, before - skipped);
    // Only a hint: without huge pages, computation is just slower.
    madvise(first + skipped, bytes, MADV_HUGEPAGE);
    return first + skipped;
}

/// Allocates a new block. Null: not enough memory.
void *acquire(std::size_t bytes) {
    if (bytes >= kLarge && !kIsWatched)
        return mapped(bytes);
    return ::operator new(bytes, std::align_val_t(kCacheLine), std::nothrow);
}

} // namespace

void *takeMemory(std::size_t bytes) {
    const bool isKept = bytes >= kKept && !kIsWatched;
    const std::size_t size = isKept ? roundedUp(bytes) : bytes;
    if (size < bytes)
        throw std::bad_alloc();
    void *block = isKept ? spare().take(size) : nullptr;
    if (!block)
        block = acquire(size);
    if (!block) { // unused blocks in the pool may occupy the missing memory
        spare().release();
        block = acquire(size);
    }
    if (!block)
        throw std::bad_alloc();
    return block;
}

void releaseMemory(void *memory, std::size_t bytes) noexcept {
    const bool isKept = bytes >= kKept && !kIsWatched;
    const std::size_t size = isKept ? roundedUp(bytes) : bytes;
    if (!isKept || !spare().keep(memory, size))
        giveToSystem(memory, size);
}

void releasePool() noexcept {
    spare().release();
}

std::size_t pool() {
    return spare().bytes();
}

} // namespace headlight::core
