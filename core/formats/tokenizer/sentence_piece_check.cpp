#include "core/formats/tokenizer/sentence_piece_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace headlight::core {

namespace {

/// Reads the fields of one message (protobuf.dev/programming-guides/encoding).
class WireMessage {
  public:
    explicit WireMessage(std::string_view bytes) : m_left(bytes) {}

    struct WireField {
        std::uint32_t number = 0;
        std::optional<std::string_view> bytes; ///< set for length-delimited fields
    };

    bool atEnd() const { return m_left.empty(); }

    /// Returns nullopt if the message is damaged or has an unexpected field type.
    std::optional<WireField> next() {
        const auto tag = varint();
        if (!tag || *tag > UINT32_MAX)
            return std::nullopt;
        WireField field{static_cast<std::uint32_t>(*tag >> 3), std::nullopt};
        switch (*tag & 7) {
        case 0:
            return varint() ? std::optional(field) : std::nullopt;
        case 1:
            return skip(8) ? std::optional(field) : std::nullopt;
        case 2: {
            const auto size = varint();
            if (!size || *size > m_left.size())
                return std::nullopt;
            field.bytes = m_left.substr(0, static_cast<std::size_t>(*size));
            skip(static_cast<std::size_t>(*size));
            return field;
        }
        case 5:
            return skip(4) ? std::optional(field) : std::nullopt;
        default:
            return std::nullopt;
        }
    }

  private:
    bool skip(std::size_t count) {
        if (count > m_left.size())
            return false;
        m_left.remove_prefix(count);
        return true;
    }

    std::optional<std::uint64_t> varint() {
        std::uint64_t number = 0;
        for (int shift = 0; shift < 64 && !m_left.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_left.front());
            m_left.remove_prefix(1);
            number |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80)
                return number;
        }
        return std::nullopt;
    }

    std::string_view m_left;
};

/// Checks a double array, whose leaves contain offsets of zero-terminated texts.
bool isSoundTable(std::string_view table) {
    if (table.empty())
        return true; // there are no replacements
    std::uint32_t unitBytes = 0;
    if (table.size() <= sizeof unitBytes)
        return false;
    std::memcpy(&unitBytes, table.data(), sizeof unitBytes); // little-endian, like the host
    table.remove_prefix(sizeof unitBytes);
    if (unitBytes == 0 || unitBytes >= table.size() || unitBytes % sizeof(std::uint32_t) != 0)
        return false;
    std::vector<std::uint32_t> units(unitBytes / sizeof(std::uint32_t));
    std::memcpy(units.data(), table.data(), unitBytes);
    const std::string_view texts = table.substr(unitBytes);
    if (texts.back() != '\0')
        return false;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::uint32_t unit = units[i];
        if (i > 0 && unit >> 31)
            continue; // the value of a leaf, which has no children
        const std::size_t offset = static_cast<std::size_t>(unit >> 10) << ((unit & 0x200u) >> 6);
        const std::size_t next = i ^ offset; // children are at `next` plus a byte
        if ((next | 0xFF) >= units.size())
            return false;
        const bool hasLeaf = (unit >> 8) & 1;
        if (hasLeaf && (units[next] & 0x7FFFFFFFu) >= texts.size())
            return false;
    }
    return true;
}

} // namespace

bool hasSoundTables(std::string_view model) {
    constexpr std::uint32_t normalizer = 3, denormalizer = 5,
                            table = 2; // field numbers in sentencepiece_model.proto
    for (WireMessage fields(model); !fields.atEnd();) {
        const auto field = fields.next();
        if (!field)
            return false;
        if (!field->bytes || (field->number != normalizer && field->number != denormalizer))
            continue;
        for (WireMessage rules(*field->bytes); !rules.atEnd();) {
            const auto rule = rules.next();
            if (!rule || (rule->number == table && rule->bytes && !isSoundTable(*rule->bytes)))
                return false;
        }
    }
    return true;
}

} // namespace headlight::core
