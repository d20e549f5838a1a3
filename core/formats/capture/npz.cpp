#include "core/cancelled.h"
#include "core/formats/capture/array_file.h"
#include "core/formats/capture/npy.h"
#include "core/formats/files/io_error.h"
#include "core/formats/zip/zip_directory.h"

#include <algorithm>
#include <new>
#include <span>

namespace headlight::core {

namespace {

constexpr std::string_view kNpyEnding = ".npy";
constexpr std::uint64_t kMaxStringBytes = std::uint64_t(64) << 20;
constexpr ZipKind kNpz{"array", "the file is damaged or not an .npz; get it again"};

/// True if an array of strings with this name may become metadata.
bool isMetadataName(std::string_view name) {
    return name == "tokens" || name == "source_tokens" || name == "target_tokens" ||
           name == "prompt" || name == "row_sums";
}

class NpzReader {
  public:
    NpzReader(std::shared_ptr<const NumberFile> file, const IsWanted &isWanted,
              std::stop_token stop)
        : m_file(std::move(file)),
          m_isWanted(isWanted),
          m_stop(std::move(stop)),
          m_arrays{m_file->path, {}, {}, {}, {m_file->stamped}} {}

    ArrayFile run() {
        const Result<std::vector<ZipEntry>> entries = readZipDirectory(*m_file, kNpz, m_stop);
        if (!entries)
            throw entries.error();
        for (const ZipEntry &entry : *entries) {
            throwIfCancelled(m_stop);
            take(entry);
        }
        return std::move(m_arrays);
    }

  private:
    [[noreturn]] void fail(const Error &error, const std::string &name) const {
        throw isCancelled(error)
            ? error
            : Error{error.what, m_file->path + ", array " + inQuotes(name),
                    error.remedy.empty() ? Message("the file is damaged; get it again")
                                         : error.remedy};
    }
    template <typename T>
    T orFail(Result<T> result, const std::string &name) const {
        if (!result)
            fail(result.error(), name);
        return *std::move(result);
    }

    void take(const ZipEntry &entry) {
        if (!entry.name.ends_with(kNpyEnding)) {
            m_arrays.others.push_back(entry.name);
            return;
        }
        const std::string name = entry.name.substr(0, entry.name.size() - kNpyEnding.size());
        if (isMetadataName(name))
            return takeStrings(entry, name);
        if (!m_isWanted(name)) {
            m_arrays.others.push_back(name);
            return;
        }
        const StoragePointer bytes = bytesOf(entry, name);
        const NpyHeader header = headerIn(*bytes, name);
        const auto numbers = core::numbersOf(header.type);
        if (!numbers)
            fail({{"its type is %1, which Headlight does not support", inQuotes(header.type)},
                  "",
                  "save it as float32, float16 or float64"},
                 name);
        if (sizeOf(header) != bytes->size() - header.size)
            fail({{"the shape %1 needs %2 bytes, but it has %3", header.shape.text(),
                   sizeOf(header), bytes->size() - header.size},
                  "",
                  ""},
                 name);
        m_arrays.arrays.push_back(
            {name,
             {std::make_shared<const BytesAfterHeader>(bytes, header.size), numbers->type,
              numbers->isBigEndian, header.shape, stridesOf(header.shape, header.isFortran)}});
    }

    void takeStrings(const ZipEntry &entry, const std::string &name) {
        if (entry.size > kMaxStringBytes)
            fail({{"it contains more than %1 MB", kMaxStringBytes >> 20}, "", ""}, name);
        const StoragePointer bytes = bytesOf(entry, name);
        const NpyHeader header = headerIn(*bytes, name);
        const std::string data = read(*bytes, header.size, bytes->size() - header.size, name);
        m_arrays.metadata[name] = orFail(npyStrings(header, data), name);
    }

    /// Returns the bytes of the .npy file, inflated if it is compressed.
    StoragePointer bytesOf(const ZipEntry &entry, const std::string &name) {
        if (!entry.isDeflated)
            return orFail(numbersIn(m_file, entry.begin, entry.packedSize), name);
        m_inflated += entry.size;
        if (entry.size > kMaxInflatedBytes || m_inflated > kMaxInflatedBytes)
            fail({{"the compressed arrays expand to more than %1 MB", kMaxInflatedBytes >> 20},
                  "",
                  "write it with numpy.savez, without compression"},
                 name);
        const std::string whole =
            orFail(readZipEntry(*m_file, entry, kMaxInflatedBytes, m_stop), name);
        const auto bytes = std::as_bytes(std::span(whole));
        return storageOf(std::vector<std::byte>(bytes.begin(), bytes.end()));
    }

    std::string read(const NumberStorage &bytes, std::uint64_t begin, std::uint64_t size,
                     const std::string &name) const {
        std::string text(size, '\0');
        if (Outcome outcome = bytes.read(begin, std::as_writable_bytes(std::span(text))); !outcome)
            fail(outcome.error(), name);
        return text;
    }

    NpyHeader headerIn(const NumberStorage &bytes, const std::string &name) const {
        const std::string start = read(bytes, 0, std::min(kNpyStart, bytes.size()), name);
        const std::uint64_t size = orFail(npyHeaderSize(start), name);
        if (size > bytes.size())
            fail({{"its header claims %1 bytes, but it has %2", size, bytes.size()}, "", ""}, name);
        return orFail(readNpyHeader(read(bytes, 0, size, name)), name);
    }

    /// Returns the size of the numbers in bytes, or a value larger than any file if it overflows.
    static std::uint64_t sizeOf(const NpyHeader &header) {
        std::uint64_t bytes = 0;
        return __builtin_mul_overflow(static_cast<std::uint64_t>(header.shape.count()),
                                      npyElementBytes(header.type), &bytes)
                   ? ~std::uint64_t(0)
                   : bytes;
    }

    /// The numbers of a .npy file without its header. Shares the storage of the file.
    class BytesAfterHeader final : public NumberStorage {
      public:
        BytesAfterHeader(StoragePointer whole, std::uint64_t begin)
            : m_whole(std::move(whole)), m_begin(begin) {}
        std::uint64_t size() const override { return m_whole->size() - m_begin; }
        std::uint64_t memory() const override { return m_whole->memory(); }
        NumberSourcePointer source() const override { return m_whole->source(); }
        Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
            return m_whole->read(m_begin + offset, to);
        }

      private:
        StoragePointer m_whole;
        std::uint64_t m_begin;
    };

    std::shared_ptr<const NumberFile> m_file;
    const IsWanted &m_isWanted;
    std::stop_token m_stop;
    ArrayFile m_arrays;
    std::uint64_t m_inflated = 0;
};

} // namespace

Result<ArrayFile> openNpz(const std::string &path, const IsWanted &isWanted,
                          std::stop_token stop) try {
    Result<std::shared_ptr<const NumberFile>> file = openNumberFile(path);
    if (!file)
        return file.error();
    return NpzReader(*std::move(file), isWanted, std::move(stop)).run();
} catch (const Error &error) {
    return error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, "it cannot be read", path);
}

} // namespace headlight::core
