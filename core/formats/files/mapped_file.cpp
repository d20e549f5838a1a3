#include "core/formats/files/mapped_file.h"

#include <cerrno>
#include <csignal>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace headlight::core {

/// The addresses of a mapped file, for the signal handler. Ranges are reused but never removed from
/// the list, so that the handler can read it at any time.
struct MappedRange {
    std::atomic<std::uintptr_t> begin = 0; ///< 0: not in use
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> isWhole = true;
    MappedRange *next = nullptr;
};

namespace {

std::atomic<MappedRange *> firstRange = nullptr;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

struct sigaction actionBefore = {};
std::uintptr_t pageSize = 4096;

/// Replaces the pages that could not be read with zeros. Calls only functions that are allowed in a
/// signal handler, and mmap, which is a plain system call.
void replaceByZeros(int, siginfo_t *info, void *) {
    const int code = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (MappedRange *range = firstRange.load(); range; range = range->next) {
        const std::uintptr_t begin = range->begin.load(), end = range->end.load();
        if (begin == 0 || address < begin || address >= end)
            continue;
        if (range->begin.load() != begin)
            continue;                // now used for another file, and `end` may be that file's
        range->isWhole.store(false); // before mmap, after which other threads may read the zeros
        const std::uintptr_t page = address / pageSize * pageSize;
        // Replaces all pages from here to the end, because a truncated file lacks those too.
        if (::mmap(reinterpret_cast<void *>(page), end - page, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
            errno = code;
            return;
        }
    }
    // The address is not in a mapped file. The previous handler receives the signal when the access
    // is repeated.
    ::sigaction(SIGBUS, &actionBefore, nullptr);
    errno = code;
}

void installHandler() {
    pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = replaceByZeros;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &actionBefore);
}

/// Returns a range with these addresses. Reuses a free range if possible.
MappedRange *rangeOf(std::uintptr_t begin, std::uintptr_t end) {
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    MappedRange *range = firstRange.load();
    while (range && range->begin.load() != 0)
        range = range->next;
    const bool isNew = !range;
    if (isNew)
        range = new MappedRange;
    range->isWhole.store(true);
    range->end.store(end);
    range->begin.store(begin);
    if (isNew) {
        range->next = firstRange.load();
        firstRange.store(range);
    }
    return range;
}

} // namespace

MappedFile::~MappedFile() {
    if (!m_range)
        return;
    const std::byte *const bytes = m_bytes.load();
    m_range->begin.store(0);
    ::munmap(const_cast<std::byte *>(bytes), static_cast<std::size_t>(m_size));
}

const std::byte *MappedFile::bytes() const {
    std::call_once(m_once, [this] { map(); });
    return m_bytes.load();
}

void MappedFile::releasePages(std::uint64_t begin, std::uint64_t size) const {
    const std::byte *const bytes = m_bytes.load();
    if (!bytes || begin > m_size || size > m_size - begin)
        return;
    const auto from = reinterpret_cast<std::uintptr_t>(bytes + begin);
    const std::uintptr_t first = (from + pageSize - 1) / pageSize * pageSize;
    const std::uintptr_t end = (from + static_cast<std::uintptr_t>(size)) / pageSize * pageSize;
    if (first < end)
        ::madvise(reinterpret_cast<void *>(first), end - first, MADV_DONTNEED);
}

bool MappedFile::isWhole() const {
    return !m_range || m_range->isWhole.load();
}

void MappedFile::map() const {
    if (m_size == 0 || m_size > std::numeric_limits<std::size_t>::max())
        return;
    static std::once_flag once;
    std::call_once(once, installHandler);
    const auto size = static_cast<std::size_t>(m_size);
    void *const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, m_descriptor, 0);
    if (memory == MAP_FAILED)
        return;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    m_range = rangeOf(begin, (begin + size + pageSize - 1) / pageSize * pageSize);
    m_bytes.store(static_cast<const std::byte *>(memory));
}

} // namespace headlight::core
