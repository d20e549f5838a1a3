#include "core/formats/gguf/metadata.h"

#include "core/in_quotes.h"
#include "core/tensor/number_formats.h"

#include <bit>

namespace headlight::core {

namespace {

constexpr std::uint64_t kMaxGgufKeys = 100'000;
constexpr std::size_t kMaxGgufKeyBytes = 65'535;
constexpr std::uint64_t kMinKey = 13, kMinString = 8; // minimum sizes in bytes

/// Returns the size of a number in bytes; 0 for texts and lists.
std::uint64_t bytesOf(GgufKind kind) {
    switch (kind) {
    case GgufKind::U8:
    case GgufKind::I8:
    case GgufKind::Bool:
        return 1;
    case GgufKind::U16:
    case GgufKind::I16:
        return 2;
    case GgufKind::U32:
    case GgufKind::I32:
    case GgufKind::F32:
        return 4;
    case GgufKind::U64:
    case GgufKind::I64:
    case GgufKind::F64:
        return 8;
    case GgufKind::String:
    case GgufKind::List:
        break;
    }
    return 0;
}

bool isWhole(GgufKind kind) {
    return bytesOf(kind) > 0 && kind != GgufKind::Bool && kind != GgufKind::F32 &&
           kind != GgufKind::F64;
}

double wholeAt(GgufKind kind, const char *bytes) {
    switch (kind) {
    case GgufKind::U8:
        return static_cast<unsigned char>(*bytes);
    case GgufKind::I8:
        return static_cast<signed char>(*bytes);
    case GgufKind::U16:
        return littleEndian<std::uint16_t>(bytes);
    case GgufKind::I16:
        return std::bit_cast<std::int16_t>(littleEndian<std::uint16_t>(bytes));
    case GgufKind::U32:
        return littleEndian<std::uint32_t>(bytes);
    case GgufKind::I32:
        return std::bit_cast<std::int32_t>(littleEndian<std::uint32_t>(bytes));
    case GgufKind::U64:
        return static_cast<double>(littleEndian<std::uint64_t>(bytes));
    case GgufKind::I64:
        return static_cast<double>(std::bit_cast<std::int64_t>(littleEndian<std::uint64_t>(bytes)));
    default:
        return 0;
    }
}

GgufKind readKind(GgufByteReader &reader, const std::string &key) {
    const std::uint32_t kind = reader.u32();
    if (kind > static_cast<std::uint32_t>(GgufKind::F64))
        reader.fail({"its type has the unknown number %1", kind}, key);
    return static_cast<GgufKind>(kind);
}

void skipTexts(GgufByteReader &reader, std::uint64_t count) {
    reader.require(count, kMinString, "it claims %1 texts, but the file has only %2 more bytes");
    for (std::uint64_t i = 0; i < count; ++i)
        reader.string();
}

GgufValue readValue(GgufByteReader &reader, const std::string &key) {
    GgufValue value;
    value.kind = value.element = readKind(reader, key);
    if (value.kind == GgufKind::List) {
        value.element = readKind(reader, key);
        if (value.element == GgufKind::List) // rejected, because they can be nested without limit
            reader.fail("it is a list of lists, which Headlight does not read", key,
                        "write the file without this key");
        value.count = reader.u64();
    }
    value.begin = static_cast<std::size_t>(reader.at());
    const std::uint64_t size = bytesOf(value.element);
    if (size == 0) {
        skipTexts(reader, value.count);
        return value;
    }
    reader.require(value.count, size, "it claims %1 numbers, but the file has only %2 more bytes");
    if (value.kind != GgufKind::Bool)
        reader.skip(value.count * size);
    else if (const std::uint8_t byte = reader.u8(); byte > 1)
        reader.fail({"it should be 0 or 1, but is %1", byte}, key);
    return value;
}

} // namespace

const char *nameOf(GgufKind kind) {
    if (kind == GgufKind::String)
        return "a text";
    if (kind == GgufKind::List)
        return "a list";
    if (kind == GgufKind::Bool)
        return "true or false";
    return isWhole(kind) ? "a whole number" : "a number";
}

GgufMetadata GgufMetadata::read(GgufByteReader &reader, std::uint64_t count) {
    reader.require(count, kMinKey, "it claims %1 keys, but the file has only %2 more bytes");
    if (count > kMaxGgufKeys)
        reader.fail({"it has %1 keys; at most %2 are read", count, kMaxGgufKeys});
    GgufMetadata metadata;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = reader.at();
        const std::string key(reader.string());
        if (key.empty() || key.size() > kMaxGgufKeyBytes)
            reader.fail({"the key at byte %1 has %2 bytes, expected 1 to %3", at, key.size(),
                         kMaxGgufKeyBytes});
        const std::string shown =
            key.size() <= kTensorNameShown ? key : inQuotes(key, kTensorNameShown);
        if (!metadata.m_keys.emplace(key, readValue(reader, shown)).second)
            reader.fail("this key occurs twice", shown);
    }
    return metadata;
}

const GgufValue *GgufMetadata::find(std::string_view key) const {
    const auto found = m_keys.find(key);
    return found == m_keys.end() ? nullptr : &found->second;
}

std::optional<double> GgufMetadata::whole(std::string_view key) const {
    const GgufValue *value = find(key);
    return value && isWhole(value->kind)
               ? std::optional(wholeAt(value->kind, m_bytes->data() + value->begin))
               : std::nullopt;
}

std::optional<double> GgufMetadata::real(std::string_view key) const {
    const GgufValue *value = find(key);
    if (!value)
        return std::nullopt;
    const char *bytes = m_bytes->data() + value->begin;
    if (value->kind == GgufKind::F32)
        return std::bit_cast<float>(littleEndian<std::uint32_t>(bytes));
    if (value->kind == GgufKind::F64)
        return std::bit_cast<double>(littleEndian<std::uint64_t>(bytes));
    return std::nullopt;
}

std::optional<bool> GgufMetadata::flag(std::string_view key) const {
    const GgufValue *value = find(key);
    return value && value->kind == GgufKind::Bool ? std::optional((*m_bytes)[value->begin] != 0)
                                                  : std::nullopt;
}

std::optional<std::string_view> GgufMetadata::text(std::string_view key) const {
    const GgufValue *value = find(key);
    if (!value || value->kind != GgufKind::String)
        return std::nullopt;
    const char *bytes = m_bytes->data() + value->begin;
    return std::string_view(bytes + 8, littleEndian<std::uint64_t>(bytes));
}

std::optional<std::vector<std::string_view>> GgufMetadata::texts(std::string_view key) const {
    const GgufValue *value = find(key);
    if (!value || value->kind != GgufKind::List || value->element != GgufKind::String)
        return std::nullopt;
    std::vector<std::string_view> texts;
    texts.reserve(static_cast<std::size_t>(value->count)); // readValue() has checked the count
    const char *bytes = m_bytes->data() + value->begin;
    for (std::uint64_t i = 0; i < value->count; ++i) {
        texts.emplace_back(bytes + 8, littleEndian<std::uint64_t>(bytes));
        bytes += 8 + texts.back().size();
    }
    return texts;
}

std::optional<std::vector<double>> GgufMetadata::wholes(std::string_view key) const {
    const GgufValue *value = find(key);
    if (!value || value->kind != GgufKind::List || !isWhole(value->element))
        return std::nullopt;
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(value->count));
    const char *bytes = m_bytes->data() + value->begin;
    for (std::uint64_t i = 0; i < value->count; ++i)
        numbers.push_back(wholeAt(value->element, bytes + i * bytesOf(value->element)));
    return numbers;
}

std::optional<std::vector<float>> GgufMetadata::reals(std::string_view key) const {
    const GgufValue *value = find(key);
    if (!value || value->kind != GgufKind::List || value->element != GgufKind::F32)
        return std::nullopt;
    std::vector<float> numbers;
    numbers.reserve(static_cast<std::size_t>(value->count));
    const char *bytes = m_bytes->data() + value->begin;
    for (std::uint64_t i = 0; i < value->count; ++i)
        numbers.push_back(std::bit_cast<float>(littleEndian<std::uint32_t>(bytes + i * 4)));
    return numbers;
}

} // namespace headlight::core
