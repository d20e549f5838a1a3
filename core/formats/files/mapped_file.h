// A file that is mapped into memory without a copy. If a part cannot be read, because another
// program truncated the file or the disk fails, the system raises SIGBUS. A handler then replaces
// that part with zeros and records this, as libwayland does for shared buffers. The reader
// continues and must check isWhole() afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace headlight::core {

struct MappedRange;

class MappedFile {
  public:
    /// Does not map the file yet. The descriptor must stay open as long as this object exists.
    MappedFile(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// Returns all bytes of the file; null if the system cannot map it. Thread-safe.
    const std::byte *bytes() const;
    /// Frees the memory of all pages that contain only these bytes. The system loads a page again
    /// when it is next read. Thread-safe, even while other threads read the bytes.
    void releasePages(std::uint64_t begin, std::uint64_t size) const;
    /// False if a part had to be replaced with zeros.
    bool isWhole() const;

  private:
    void map() const;

    int m_descriptor;
    std::uint64_t m_size;
    mutable std::once_flag m_once;
    mutable std::atomic<const std::byte *> m_bytes = nullptr;
    mutable MappedRange *m_range = nullptr;
};

} // namespace headlight::core
