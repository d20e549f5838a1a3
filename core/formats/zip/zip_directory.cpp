#include "core/formats/zip/zip_directory.h"

#include "core/cancelled.h"
#include "core/formats/encodings/inflate.h"
#include "core/in_quotes.h"
#include "core/tensor/number_formats.h"

#include <algorithm>
#include <unordered_set>

namespace headlight::core {

namespace {

constexpr std::uint64_t kEndSize = 22, kMaxComment = 65535;
constexpr std::uint64_t kLocatorSize = 20, kEnd64Size = 56;
constexpr std::uint64_t kEntrySize = 46, kLocalSize = 30;
constexpr std::uint64_t kMaxDirectoryBytes = std::uint64_t(64) << 20;
constexpr std::uint64_t kDeflateOverhead = 1 << 16; // extra bytes for incompressible data
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;         // the value is in the extra field instead

std::uint16_t two(std::string_view bytes, std::size_t at) {
    return littleEndian<std::uint16_t>(bytes.data() + at);
}
std::uint32_t four(std::string_view bytes, std::size_t at) {
    return littleEndian<std::uint32_t>(bytes.data() + at);
}
std::uint64_t eight(std::string_view bytes, std::size_t at) {
    return littleEndian<std::uint64_t>(bytes.data() + at);
}

struct ZipPlace {
    std::uint64_t begin = 0, size = 0, count = 0;
};

class ZipReader {
  public:
    ZipReader(const NumberFile &file, const ZipKind &kind, std::stop_token stop)
        : m_file(file), m_kind(kind), m_size(file.file.size), m_stop(std::move(stop)) {}

    std::vector<ZipEntry> run() {
        const ZipPlace directory = findDirectory();
        const std::string bytes = read(directory.begin, directory.size);
        std::string_view left = bytes;
        for (std::uint64_t i = 0; i < directory.count; ++i)
            takeEntry(left, directory.begin);
        checkOverlaps();
        return std::move(m_entries);
    }

  private:
    struct Range {
        std::uint64_t begin = 0, end = 0;
        std::size_t entry = 0;
    };

    Error broken(Message what, const std::string &where) const {
        return {std::move(what), where, m_kind.remedy};
    }
    [[noreturn]] void fail(Message what) const { throw broken(std::move(what), m_file.path); }
    [[noreturn]] void fail(Message what, const std::string &entry) const {
        throw broken(std::move(what), m_file.path + ", " + m_kind.entry + " " + inQuotes(entry));
    }

    /// Reads exactly `size` bytes of the file, starting at `begin`.
    std::string read(std::uint64_t begin, std::uint64_t size) const {
        if (begin > m_size || size > m_size - begin)
            fail("its directory points outside the file");
        std::string bytes(size, '\0');
        if (Outcome outcome = readAt(m_file.file.descriptor, begin, bytes, m_file.path,
                                     broken("the file ends too early", m_file.path));
            !outcome)
            throw outcome.error();
        return bytes;
    }

    ZipPlace findDirectory() const {
        if (m_size < kEndSize)
            fail({"the file is only %1 bytes long", m_size});
        const std::uint64_t tail = std::min(m_size, kEndSize + kMaxComment);
        const std::string bytes = read(m_size - tail, tail);
        std::size_t at = bytes.size() - kEndSize;
        while (bytes.compare(at, 4, "PK\5\6") != 0)
            if (at-- == 0)
                fail("it is not a zip file");
        ZipPlace place{four(bytes, at + 16), four(bytes, at + 12), two(bytes, at + 10)};
        const std::uint64_t end = m_size - tail + at;
        if (place.begin == kIn64 || place.size == kIn64 || place.count == 0xFFFF)
            place = findDirectory64(end);
        if (place.begin > end || place.size > end - place.begin)
            fail("its directory points outside the file");
        if (place.size > kMaxDirectoryBytes || place.count > m_kind.maxEntries ||
            place.count * kEntrySize > place.size)
            fail({"its directory claims %1 entries in %2 bytes", place.count, place.size});
        return place;
    }

    ZipPlace findDirectory64(std::uint64_t end) const {
        if (end < kLocatorSize)
            fail("its directory points outside the file");
        const std::string locator = read(end - kLocatorSize, kLocatorSize);
        if (!locator.starts_with("PK\6\7"))
            fail("its directory cannot be found");
        const std::string bytes = read(eight(locator, 8), kEnd64Size);
        if (!bytes.starts_with("PK\6\6"))
            fail("its directory cannot be found");
        return {eight(bytes, 48), eight(bytes, 40), eight(bytes, 32)};
    }

    void takeEntry(std::string_view &left, std::uint64_t directory) {
        if (m_stop.requested())
            throw Cancelled{};
        if (left.size() < kEntrySize || !left.starts_with("PK\1\2"))
            fail("its directory ends too early");
        const std::size_t nameSize = two(left, 28), extra = two(left, 30), comment = two(left, 32);
        if (left.size() - kEntrySize < nameSize + extra + comment)
            fail("its directory ends too early");
        ZipEntry entry;
        entry.name = left.substr(kEntrySize, nameSize);
        const unsigned method = two(left, 10);
        if (two(left, 8) & 1)
            fail("it is encrypted", entry.name);
        if (method != 0 && method != 8)
            fail({"it uses compression method %1; only stored and deflate are supported", method},
                 entry.name);
        entry.isDeflated = method == 8;
        entry.crc = four(left, 16);
        entry.packedSize = four(left, 20);
        entry.size = four(left, 24);
        std::uint64_t local = four(left, 42);
        takeExtra(left.substr(kEntrySize + nameSize, extra), entry, local);
        left.remove_prefix(kEntrySize + nameSize + extra + comment);
        if (!entry.isDeflated && entry.packedSize != entry.size)
            fail("its two sizes differ, though it is not compressed", entry.name);
        if (local > directory || directory - local < kLocalSize)
            fail("it is outside the file", entry.name);
        const std::string header = read(local, kLocalSize);
        if (!header.starts_with("PK\3\4"))
            fail("it is not at the position that the directory specifies", entry.name);
        entry.begin = local + kLocalSize + two(header, 26) + two(header, 28);
        if (entry.begin > directory || entry.packedSize > directory - entry.begin)
            fail("it is outside the file", entry.name);
        if (!m_names.insert(entry.name).second)
            fail("duplicate entry", entry.name);
        m_ranges.push_back({local, entry.begin + entry.packedSize, m_entries.size()});
        m_entries.push_back(std::move(entry));
    }

    /// Reads the 64-bit values. The extra field contains only the values that exceed four bytes, in
    /// the order of the loop below.
    void takeExtra(std::string_view extra, ZipEntry &entry, std::uint64_t &local) const {
        while (extra.size() >= 4) {
            const std::size_t size = two(extra, 2);
            if (size > extra.size() - 4)
                fail("its extra field ends too early", entry.name);
            std::string_view field = extra.substr(4, size);
            if (two(extra, 0) == 1)
                for (std::uint64_t *number : {&entry.size, &entry.packedSize, &local})
                    if (*number == kIn64) {
                        if (field.size() < 8)
                            fail("its extra field ends too early", entry.name);
                        *number = eight(field, 0);
                        field.remove_prefix(8);
                    }
            extra.remove_prefix(4 + size);
        }
    }

    void checkOverlaps() {
        std::ranges::sort(m_ranges, {}, &Range::begin);
        for (std::size_t i = 1; i < m_ranges.size(); ++i)
            if (m_ranges[i].begin < m_ranges[i - 1].end)
                fail({"its bytes overlap those of %1",
                      inQuotes(m_entries[m_ranges[i - 1].entry].name)},
                     m_entries[m_ranges[i].entry].name);
    }

    const NumberFile &m_file;
    const ZipKind &m_kind;
    std::uint64_t m_size;
    StopCheck m_stop;
    std::vector<ZipEntry> m_entries;
    std::vector<Range> m_ranges;
    std::unordered_set<std::string> m_names;
};

} // namespace

Result<std::vector<ZipEntry>> readZipDirectory(const NumberFile &file, const ZipKind &kind,
                                               std::stop_token stop) try {
    return ZipReader(file, kind, std::move(stop)).run();
} catch (const Error &error) {
    return error;
} catch (const Cancelled &) {
    return cancelled();
}

Result<std::string> readZipEntry(const NumberFile &file, const ZipEntry &entry, std::uint64_t limit,
                                 std::stop_token stop) {
    if (entry.size > limit)
        return Error{{"it contains more than %1 MB", limit >> 20}, "", ""};
    if (entry.packedSize > entry.size + entry.size / 1000 + kDeflateOverhead)
        return Error{
            {"it claims %1 bytes, compressed to %2", entry.size, entry.packedSize}, "", ""};
    std::string bytes(entry.packedSize, '\0');
    if (Outcome read = readAt(file.file.descriptor, entry.begin, bytes, file.path,
                              Error{"the file ends too early", file.path, ""});
        !read)
        return read.error();
    if (entry.isDeflated) {
        Result<std::string> whole =
            inflated(bytes, static_cast<std::size_t>(entry.size), stop, CompressionHeader::Bare);
        if (!whole)
            return whole;
        bytes = *std::move(whole);
    }
    if (bytes.size() != entry.size)
        return Error{{"it has %1 bytes but claims %2", bytes.size(), entry.size}, "", ""};
    if (crcOf(bytes) != entry.crc)
        return Error{"its checksum does not match its data", "", ""};
    return bytes;
}

} // namespace headlight::core
