#include "core/formats/files/file_numbers.h"

#include "core/formats/files/io_error.h"

#include <cerrno>

namespace headlight::core {

namespace {

class NumbersInFile final : public NumberStorage {
  public:
    NumbersInFile(std::shared_ptr<const NumberFile> file, std::uint64_t begin, std::uint64_t size)
        : m_file(std::move(file)), m_begin(begin), m_size(size) {}

    std::uint64_t size() const override { return m_size; }
    std::uint64_t memory() const override { return 0; }
    NumberSourcePointer source() const override { return m_file->stamped; }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        if (offset > m_size || to.size() > m_size - offset)
            return Error{"values past its end were requested", m_file->path, ""};
        const FileDescriptor &descriptor = m_file->file.descriptor;
        if (Outcome got = readAt(descriptor, m_begin + offset,
                                 {reinterpret_cast<char *>(to.data()), to.size()}, m_file->path,
                                 changedFile(FileChange::CutShort, m_file->path));
            !got)
            return got;
        return checkStamp(); // checked last, to detect changes during reading
    }
    const std::byte *encodedAt(std::uint64_t offset) const override {
        const std::byte *const bytes = m_file->mapped.bytes();
        return bytes ? bytes + m_begin + offset : nullptr;
    }
    Outcome checkEncoded() const override {
        if (Outcome stamp = checkStamp(); !stamp)
            return stamp;
        if (!m_file->mapped.isWhole())
            return ioError(EIO, "it cannot be read", m_file->path);
        return Done{};
    }

    void releasePages() const override { m_file->mapped.releasePages(m_begin, m_size); }

  private:
    Outcome checkStamp() const {
        FileStamp now;
        if (stampOf(m_file->file.descriptor.number(), now) != 0)
            return Done{};
        const FileChange change = changeBetween(m_file->stamped->stamp(), now);
        if (change != FileChange::None)
            return changedFile(change, m_file->path);
        return Done{};
    }

    std::shared_ptr<const NumberFile> m_file;
    std::uint64_t m_begin, m_size;
};

} // namespace

Outcome readAt(const FileDescriptor &file, std::uint64_t offset, std::span<char> bytes,
               const std::string &where, const Error &tooShort) {
    while (!bytes.empty()) {
        const ssize_t got =
            ::pread(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ioError(errno, "it cannot be read", where);
        if (got == 0)
            return tooShort;
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return Done{};
}

Result<std::shared_ptr<const NumberFile>> openNumberFile(const std::string &path) {
    Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return file.error();
    FileStamp stamp;
    if (const int code = stampOf(file->descriptor.number(), stamp); code != 0)
        return ioError(code, "it cannot be read", path);
    auto stamped = std::make_shared<const StampedFile>(path, stamp);
    return std::make_shared<const NumberFile>(*std::move(file), path, std::move(stamped));
}

Result<StoragePointer> numbersIn(std::shared_ptr<const NumberFile> file, std::uint64_t begin,
                                 std::uint64_t size) {
    if (begin > file->file.size || size > file->file.size - begin)
        return Error{{"the file has %1 bytes, but %2 were requested at offset %3", file->file.size,
                      size, begin},
                     file->path,
                     "the file is damaged; get it again"};
    return StoragePointer(std::make_shared<const NumbersInFile>(std::move(file), begin, size));
}

} // namespace headlight::core
