// A file descriptor that closes itself.
#pragma once

#include <unistd.h>
#include <utility>

namespace headlight::core {

class FileDescriptor {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number) : m_number(number) {}
    FileDescriptor(FileDescriptor &&other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    FileDescriptor &operator=(FileDescriptor &&other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    ~FileDescriptor() { close(); }

    bool isOpen() const { return m_number >= 0; }
    int number() const { return m_number; }
    /// Returns 0, or −1 with errno set, like close(2). A network file system may only now report
    /// that a write failed.
    int close() { return isOpen() ? ::close(std::exchange(m_number, -1)) : 0; }

  private:
    int m_number = -1;
};

} // namespace headlight::core
