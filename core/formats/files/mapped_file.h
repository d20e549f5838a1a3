// A file in memory, without a copy. If a part of it cannot be read, because another program
// truncated it or the disk fails, the system raises SIGBUS; a handler then puts zeros in its place
// and notes it, as libwayland does for shared buffers. So a reader goes on and asks isWhole()
// later.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace headlight::core {

struct MappedRange;

class MappedFile {
  public:
    /// Maps nothing yet. The descriptor stays open as long as this object exists.
    MappedFile(int descriptor, std::uint64_t size) : m_descriptor(descriptor), m_size(size) {}
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    /// Returns all bytes of the file; null if the system cannot map it. Thread-safe.
    const std::byte *bytes() const;
    /// False if zeros have replaced a part since.
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
