// SentencePiece compiles its normalization rules to a table. A double-array trie (Aoe 1989, as in
// github.com/s-yata/darts-clone) maps keys to offsets in a list of zero-terminated replacements.
#include "core/tokenizers/normalizers/normalizer.h"
#include "core/tokenizers/text/characters.h"
#include "core/tokenizers/text/unicode.h"

#include <cstring>
#include <unicode/brkiter.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

namespace headlight::core {

namespace {

/// Maximum length of a grapheme cluster; longer ones are looked up character by character.
constexpr std::size_t kMaxCluster = 5;
constexpr std::size_t kMaxText = 1024; ///< bytes; the longest in published tables has 33

class Table {
  public:
    static std::optional<Table> read(std::string_view bytes) {
        std::uint32_t trieBytes = 0;
        if (bytes.size() < sizeof trieBytes)
            return std::nullopt;
        std::memcpy(&trieBytes, bytes.data(), sizeof trieBytes); // little-endian, like the host
        bytes.remove_prefix(sizeof trieBytes);
        if (trieBytes > bytes.size() || trieBytes % sizeof(std::uint32_t) != 0 || trieBytes == 0)
            return std::nullopt;
        Table table;
        table.m_units.resize(trieBytes / sizeof(std::uint32_t));
        std::memcpy(table.m_units.data(), bytes.data(), trieBytes);
        table.m_texts = bytes.substr(trieBytes);
        return table;
    }

    /// Returns the replacement of the shortest key that is a prefix of `key`.
    std::optional<std::string_view> find(std::string_view key) const {
        std::size_t node = offsetOf(m_units[0]);
        for (const char character : key) {
            const auto byte = static_cast<unsigned char>(character);
            if (byte == 0)
                return std::nullopt;
            node ^= byte;
            if (node >= m_units.size() || labelOf(m_units[node]) != byte)
                return std::nullopt;
            const std::uint32_t unit = m_units[node];
            node ^= offsetOf(unit);
            if (hasLeaf(unit))
                return node < m_units.size() ? textAt(m_units[node] & 0x7FFFFFFFu) : std::nullopt;
        }
        return std::nullopt;
    }

  private:
    static bool hasLeaf(std::uint32_t unit) { return ((unit >> 8) & 1) == 1; }
    static std::uint32_t labelOf(std::uint32_t unit) { return unit & 0x800000FFu; }
    static std::size_t offsetOf(std::uint32_t unit) {
        return static_cast<std::size_t>(unit >> 10) << ((unit & 0x200u) >> 6);
    }
    std::optional<std::string_view> textAt(std::size_t place) const {
        if (place > m_texts.size())
            return std::nullopt;
        const std::string_view from = std::string_view(m_texts).substr(place, kMaxText);
        const std::string_view text = from.substr(0, from.find('\0'));
        // A damaged table may contain an offset at which there is no valid text.
        return text.size() == kMaxText || firstInvalidByte(text) ? std::nullopt
                                                                 : std::optional(text);
    }

    std::vector<std::uint32_t> m_units;
    std::string m_texts;
};

/// Finds the boundaries of grapheme clusters.
class Clusters {
  public:
    explicit Clusters(std::string_view text) : m_text(text) {}

    /// Returns the end of the cluster that starts at `begin`.
    std::size_t endFrom(std::size_t begin) {
        const auto isPlain = [this](std::size_t at) {
            return at >= m_text.size() || static_cast<unsigned char>(m_text[at]) < 0x80;
        };
        // Two adjacent ASCII characters never form a cluster, except "\r\n".
        if (isPlain(begin) && isPlain(begin + 1))
            return m_text[begin] == '\r' && begin + 1 < m_text.size() && m_text[begin + 1] == '\n'
                       ? begin + 2
                       : begin + 1;
        if (!m_iterator && !open())
            return begin + characterAt(m_text, begin).size;
        const int32_t end = m_iterator->following(static_cast<int32_t>(begin));
        return end == icu::BreakIterator::DONE ? m_text.size() : static_cast<std::size_t>(end);
    }

  private:
    bool open() {
        UErrorCode status = U_ZERO_ERROR;
        m_utext.reset(utext_openUTF8(nullptr, m_text.data(), std::ssize(m_text), &status));
        m_iterator.reset(
            icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
        if (U_SUCCESS(status))
            m_iterator->setText(m_utext.get(), status);
        if (U_FAILURE(status))
            m_iterator.reset();
        return m_iterator != nullptr;
    }

    struct Close {
        void operator()(UText *text) const { utext_close(text); }
    };
    std::string_view m_text;
    std::unique_ptr<UText, Close> m_utext;
    std::unique_ptr<icu::BreakIterator> m_iterator;
};

class PrecompiledNormalizer : public Normalizer {
  public:
    explicit PrecompiledNormalizer(Table table) : m_table(std::move(table)) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        TextPieceWriter writer(piece);
        Clusters clusters(piece.text);
        for (std::size_t begin = 0; begin < piece.size();) {
            stop.throwIfRequested();
            const std::size_t end = clusters.endFrom(begin);
            if (!(end - begin <= kMaxCluster && replace(piece, begin, end, writer)))
                for (std::size_t at = begin; at < end;) {
                    const std::size_t next = at + characterAt(piece.text, at).size;
                    if (!replace(piece, at, next, writer))
                        writer.keep(at, next);
                    at = next;
                }
            begin = end;
            if (writer.size() > kMaxPieceBytes)
                return tooLongPiece();
        }
        return writer.take();
    }

  private:
    bool replace(const TextPiece &piece, std::size_t begin, std::size_t end,
                 TextPieceWriter &writer) const {
        const std::string_view key(piece.text.data() + begin, end - begin);
        const auto with = m_table.find(key);
        if (with && *with == key)
            writer.keep(begin, end);
        else if (with)
            writer.put(*with, begin, end);
        return with.has_value();
    }

    Table m_table;
};

} // namespace

Result<NormalizerPointer> precompiledNormalizer(std::string_view table) {
    auto read = Table::read(table);
    if (!read)
        return Error{"its table of replacements is damaged", "", "get the file again"};
    return NormalizerPointer(std::make_shared<PrecompiledNormalizer>(std::move(*read)));
}

} // namespace headlight::core
