#include "core/formats/tokenizer/sentence_piece_pieces.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headlight::core {

namespace {

/// Serialises a message (protobuf.dev/programming-guides/encoding). Field numbers are those of
/// sentencepiece_model.proto.
class WireWriter {
  public:
    void put(std::uint32_t field, std::uint64_t number) {
        varint(field << 3);
        varint(number);
    }
    void put(std::uint32_t field, float number) {
        varint(field << 3 | 5);
        const auto bits = std::bit_cast<std::uint32_t>(number);
        for (int shift = 0; shift < 32; shift += 8)
            m_bytes += static_cast<char>(bits >> shift);
    }
    void put(std::uint32_t field, std::string_view bytes) {
        varint(field << 3 | 2);
        varint(bytes.size());
        m_bytes += bytes;
    }
    const std::string &bytes() const { return m_bytes; }

  private:
    void varint(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7)
            m_bytes += static_cast<char>((number & 0x7F) | 0x80);
        m_bytes += static_cast<char>(number);
    }

    std::string m_bytes;
};

constexpr std::uint64_t kBpeType = 2, kYes = 1, kNo = 0;

} // namespace

std::string sentencePieceBytes(const std::vector<ScoredPiece> &pieces, bool prependsSpace) {
    WireWriter model;
    for (const ScoredPiece &piece : pieces) {
        WireWriter one;
        one.put(1, piece.text);
        one.put(2, piece.score);
        one.put(3, static_cast<std::uint64_t>(piece.kind));
        model.put(1, one.bytes());
    }
    WireWriter trainer;
    trainer.put(3, kBpeType);
    const bool hasBytes = std::ranges::count(pieces, PieceKind::Byte, &ScoredPiece::kind) > 0;
    trainer.put(35, hasBytes ? kYes : kNo); // byte_fallback
    model.put(2, trainer.bytes());
    WireWriter normalizer;
    normalizer.put(1, std::string_view("identity"));
    normalizer.put(3, prependsSpace ? kYes : kNo); // add_dummy_prefix
    normalizer.put(4, kNo);                        // remove_extra_whitespaces
    normalizer.put(5, kYes);                       // escape_whitespaces
    model.put(3, normalizer.bytes());
    return model.bytes();
}

} // namespace headlight::core
