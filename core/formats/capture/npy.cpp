#include "core/formats/capture/npy.h"

#include "core/formats/capture/capture.h"
#include "core/formats/json/text.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace headlight::core {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

Error notNpy(Message what) {
    return {std::move(what), "", "write it with numpy.savez or numpy.savez_compressed"};
}

/// Parses the header, a dictionary in Python's notation: quoted names and types, True and False,
/// and a tuple of numbers.
class DictionaryReader {
  public:
    explicit DictionaryReader(std::string_view text) : m_text(text) {}

    bool read(NpyHeader &header) {
        if (!take('{'))
            return false;
        bool hasType = false, hasOrder = false, hasShape = false;
        while (!take('}')) {
            std::string key;
            if (!quoted(key) || !take(':'))
                return false;
            if (key == "descr" && !std::exchange(hasType, true)) {
                if (!quoted(header.type))
                    return false;
            } else if (key == "fortran_order" && !std::exchange(hasOrder, true)) {
                if (!boolean(header.isFortran))
                    return false;
            } else if (key == "shape" && !std::exchange(hasShape, true)) {
                if (!sizes(header.shape))
                    return false;
            } else {
                return false;
            }
            if (!take(',') && !isNext('}'))
                return false;
        }
        skipSpace();
        return hasType && hasOrder && hasShape && m_text.empty();
    }

  private:
    void skipSpace() {
        m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\n"), m_text.size()));
    }
    bool isNext(char c) {
        skipSpace();
        return m_text.starts_with(c);
    }
    bool take(char c) {
        if (!isNext(c))
            return false;
        m_text.remove_prefix(1);
        return true;
    }
    bool takeWord(std::string_view word) {
        skipSpace();
        if (!m_text.starts_with(word))
            return false;
        m_text.remove_prefix(word.size());
        return true;
    }
    bool quoted(std::string &text) {
        for (const char quote : {'\'', '"'})
            if (take(quote)) {
                const std::size_t end = m_text.find(quote);
                if (end == std::string_view::npos)
                    return false;
                text = m_text.substr(0, end);
                m_text.remove_prefix(end + 1);
                return text.find('\\') == std::string::npos;
            }
        return false;
    }
    bool boolean(bool &value) {
        value = takeWord("True");
        return value || takeWord("False");
    }
    bool sizes(Shape &shape) {
        if (!take('('))
            return false;
        std::vector<Index> all;
        while (!take(')')) {
            skipSpace();
            Index size = 0;
            const auto [end, error] =
                std::from_chars(m_text.data(), m_text.data() + m_text.size(), size);
            if (error != std::errc() || size < 0 || all.size() == kMaxRank)
                return false;
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            takeWord("L"); // suffix of integers in Python 2
            all.push_back(size);
            if (!take(',') && !isNext(')'))
                return false;
        }
        shape = Shape(std::move(all));
        return true;
    }

    static constexpr std::size_t kMaxRank = 8;
    std::string_view m_text;
};

bool hasCount(const Shape &shape) {
    Index count = 1;
    for (const Index size : shape.sizes())
        if (__builtin_mul_overflow(count, size, &count))
            return false;
    return true;
}

/// Returns the maximum length of a string of the type; 0 if it is not a string type.
std::uint64_t charactersOf(std::string_view type) {
    if (type.size() < 3 || (type[1] != 'U' && type[1] != 'S'))
        return 0;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), count);
    return error == std::errc() && end == type.data() + type.size() ? count : 0;
}

void appendUtf8(std::string &text, std::uint32_t character) {
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (character < 0x80)
        return add(character);
    if (character < 0x800) {
        add(0xC0 | character >> 6);
    } else if (character < 0x10000) {
        add(0xE0 | character >> 12);
        add(0x80 | (character >> 6 & 0x3F));
    } else {
        add(0xF0 | character >> 18);
        add(0x80 | (character >> 12 & 0x3F));
        add(0x80 | (character >> 6 & 0x3F));
    }
    add(0x80 | (character & 0x3F));
}

/// Returns a string without its zero padding; nullopt if it is not valid text.
std::optional<std::string> stringAt(std::string_view data, bool isWide, bool isBigEndian) {
    std::string text;
    if (!isWide) {
        text = data.substr(0, data.find_last_not_of('\0') + 1);
        return firstInvalidByte(text) ? std::nullopt : std::optional(text);
    }
    std::vector<std::uint32_t> characters;
    for (; !data.empty(); data.remove_prefix(4)) {
        std::uint32_t character = 0;
        for (std::size_t i = 0; i < 4; ++i)
            character = character << 8 |
                        static_cast<unsigned char>(data[isBigEndian ? i : std::size_t(3) - i]);
        const bool isSurrogate = character >= 0xD800 && character < 0xE000;
        if (character > 0x10FFFF || isSurrogate)
            return std::nullopt;
        characters.push_back(character);
    }
    while (!characters.empty() && characters.back() == 0)
        characters.pop_back();
    for (const std::uint32_t character : characters)
        appendUtf8(text, character);
    return text;
}

} // namespace

Result<std::uint64_t> npyHeaderSize(std::string_view start) {
    if (start.size() < kNpyStart || !start.starts_with(kNpyMagic))
        return notNpy("it is not a NumPy array");
    const auto byte = [&start](std::size_t i) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(start[i]));
    };
    const std::uint64_t version = byte(6);
    if (version < 1 || version > 3)
        return notNpy({"its version is %1; versions 1 to 3 are supported", version});
    const std::uint64_t size =
        version == 1 ? 10 + (byte(8) | byte(9) << 8)
                     : 12 + (byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24);
    if (size > kMaxNpyHeader)
        return notNpy({"its header claims %1 bytes; the maximum is %2", size, kMaxNpyHeader});
    return size;
}

Result<NpyHeader> readNpyHeader(std::string_view header) {
    NpyHeader read;
    read.size = header.size();
    const bool isFirst = header.size() > 6 && header[6] == 1;
    header.remove_prefix(std::min<std::size_t>(isFirst ? 10 : 12, header.size()));
    if (!DictionaryReader(header).read(read))
        return notNpy("its header cannot be parsed: only plain numbers and strings are supported");
    if (!hasCount(read.shape))
        return notNpy({"the shape %1 is too large", read.shape.text()});
    return read;
}

std::optional<NpyNumbers> numbersOf(std::string_view type) {
    if (type.size() != 3 || std::string_view("<>=|").find(type[0]) == std::string_view::npos)
        return std::nullopt;
    const std::string_view kind = type.substr(1);
    const bool isBig = type[0] == '>';
    if (kind == "f2")
        return NpyNumbers{ElementType::F16, isBig};
    if (kind == "f4")
        return NpyNumbers{ElementType::F32, isBig};
    if (kind == "f8")
        return NpyNumbers{ElementType::F64, isBig};
    return std::nullopt;
}

std::uint64_t npyElementBytes(std::string_view type) {
    if (const auto numbers = numbersOf(type))
        return bytesOf(numbers->type);
    return charactersOf(type) * (type.size() > 1 && type[1] == 'U' ? 4 : 1);
}

Result<std::string> npyStrings(const NpyHeader &header, std::string_view data) {
    const std::uint64_t size = npyElementBytes(header.type);
    if (charactersOf(header.type) == 0)
        return notNpy({"it contains %1, not strings", inQuotes(header.type)});
    const std::size_t rank = header.shape.rank();
    if (rank > 2)
        return notNpy("use one list of strings, or one list for each sequence");
    if (header.isFortran && rank > 1)
        return notNpy("strings must be in C order");
    const auto count = static_cast<std::uint64_t>(header.shape.count());
    if (count > static_cast<std::uint64_t>(kMaxCapturedTokens))
        return notNpy({"it contains %1 strings; the maximum is %2", count, kMaxCapturedTokens});
    if (count > data.size() || count * size != data.size())
        return notNpy("its number of strings does not match its shape");
    const bool isWide = header.type[1] == 'U';
    const Index columns = std::max<Index>(1, header.shape.last(0));
    std::string json = rank == 0 ? "" : "[";
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto text = stringAt(data.substr(i * size, size), isWide, header.type[0] == '>');
        if (!text)
            return notNpy("one of its strings is not valid text");
        if (rank == 0)
            return *text;
        const bool begins = rank == 2 && static_cast<Index>(i) % columns == 0;
        json += i > 0 ? "," : "";
        json += (begins ? "[" : "") + jsonText(*text);
        json += rank == 2 && static_cast<Index>(i + 1) % columns == 0 ? "]" : "";
    }
    return json + "]";
}

static_assert(std::endian::native == std::endian::little);

std::string npyHeader(const Shape &shape) {
    std::string sizes;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        sizes += std::to_string(shape[axis]) + ",";
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }";
    constexpr std::size_t kBefore = 10; // magic string, version, length
    constexpr std::size_t kAligned = 64;
    text.append((kAligned - (kBefore + text.size() + 1) % kAligned) % kAligned, ' ');
    text += '\n';
    std::string header = "\x93NUMPY";
    header += '\x01';
    header += '\0';
    header += static_cast<char>(text.size() & 0xFF);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

std::string npyRow(std::span<const float> numbers) {
    std::string bytes(numbers.size_bytes(), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

} // namespace headlight::core
