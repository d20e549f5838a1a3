#include "core/tensor/joined_storage.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

namespace {

/// Several files that are checked as one.
class JoinedSource final : public NumberSource {
  public:
    explicit JoinedSource(std::vector<NumberSourcePointer> files) : m_files(std::move(files)) {}

    const std::string &path() const override { return m_files.front()->path(); }
    const std::vector<NumberSourcePointer> &files() const { return m_files; }
    Outcome check() const override {
        for (const NumberSourcePointer &file : m_files)
            if (Outcome checked = file->check(); !checked)
                return checked;
        return Done{};
    }

  private:
    std::vector<NumberSourcePointer> m_files;
};

class JoinedStorage final : public NumberStorage {
  public:
    explicit JoinedStorage(std::vector<StoragePointer> parts)
        : m_parts(std::move(parts)), m_bytesOfPart(m_parts.front()->size()) {
        std::vector<NumberSourcePointer> files;
        for (const StoragePointer &part : m_parts)
            files.push_back(part->source());
        m_source = joinedSource(std::move(files));
    }

    std::uint64_t size() const override { return m_parts.size() * m_bytesOfPart; }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        while (!to.empty()) {
            const std::uint64_t within = offset % m_bytesOfPart;
            const std::uint64_t count = std::min<std::uint64_t>(to.size(), m_bytesOfPart - within);
            const StoragePointer &part = m_parts[offset / m_bytesOfPart];
            if (Outcome outcome = part->read(within, to.first(count)); !outcome)
                return outcome;
            to = to.subspan(count);
            offset += count;
        }
        return Done{};
    }
    std::uint64_t memory() const override {
        std::uint64_t bytes = m_parts.size() * sizeof(StoragePointer);
        for (const StoragePointer &part : m_parts)
            bytes += part->memory();
        return bytes;
    }
    NumberSourcePointer source() const override { return m_source; }

  private:
    std::vector<StoragePointer> m_parts;
    std::uint64_t m_bytesOfPart;
    NumberSourcePointer m_source;
};

} // namespace

NumberSourcePointer joinedSource(std::vector<NumberSourcePointer> files) {
    std::vector<NumberSourcePointer> different;
    for (const NumberSourcePointer &file : files)
        for (const NumberSourcePointer &one : filesOf(file))
            if (std::ranges::find(different, one) == different.end())
                different.push_back(one);
    if (different.size() > 1)
        return std::make_shared<const JoinedSource>(std::move(different));
    return different.empty() ? nullptr : different.front();
}

std::vector<NumberSourcePointer> filesOf(const NumberSourcePointer &source) {
    if (!source)
        return {};
    const auto *joined = dynamic_cast<const JoinedSource *>(source.get());
    return joined ? joined->files() : std::vector<NumberSourcePointer>{source};
}

StoragePointer joinedStorage(std::vector<StoragePointer> parts) {
    assert(!parts.empty() && parts.front()->size() > 0);
    assert(std::ranges::all_of(
        parts, [&](const StoragePointer &part) { return part->size() == parts.front()->size(); }));
    if (parts.size() == 1)
        return std::move(parts.front());
    return std::make_shared<const JoinedStorage>(std::move(parts));
}

} // namespace headlight::core
