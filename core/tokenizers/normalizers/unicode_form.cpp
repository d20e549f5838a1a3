#include "core/tokenizers/normalizers/normalizer.h"
#include "core/tokenizers/text/unicode.h"

#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

namespace headlight::core {

namespace {

const icu::Normalizer2 *instanceOf(UnicodeForm form) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2 *found = nullptr;
    switch (form) {
    case UnicodeForm::Nfc:
        found = icu::Normalizer2::getNFCInstance(status);
        break;
    case UnicodeForm::Nfd:
        found = icu::Normalizer2::getNFDInstance(status);
        break;
    case UnicodeForm::Nfkc:
        found = icu::Normalizer2::getNFKCInstance(status);
        break;
    case UnicodeForm::Nfkd:
        found = icu::Normalizer2::getNFKDInstance(status);
        break;
    }
    return U_SUCCESS(status) ? found : nullptr;
}

/// Normalizes one segment at a time. A segment ends where normalization cannot combine characters
/// across the boundary. If a segment changes, the whole segment is the origin of each of its bytes.
class UnicodeNormalizer : public Normalizer {
  public:
    explicit UnicodeNormalizer(UnicodeForm form) : m_form(form) {}

    Result<TextPiece> normalized(TextPiece piece, StopCheck &stop) const override {
        const icu::Normalizer2 *form = instanceOf(m_form);
        if (!form)
            return Error{"Unicode's tables are not available", "ICU", "install ICU's data"};
        TextPieceWriter writer(piece);
        for (std::size_t begin = 0; begin < piece.size();) {
            stop.throwIfRequested();
            std::size_t end = begin + characterAt(piece.text, begin).size;
            const bool isAscii = end == begin + 1;
            while (end < piece.size()) {
                const Character next = characterAt(piece.text, end);
                if (next.size == 1 && isAscii)
                    break;
                if (form->hasBoundaryBefore(static_cast<UChar32>(next.code)))
                    break;
                end += next.size;
            }
            const std::string_view part(piece.text.data() + begin, end - begin);
            if (isAscii && end == begin + 1) {
                writer.keep(begin, end);
            } else if (const std::string made = normalizedAs(part, *form); made == part) {
                writer.keep(begin, end);
            } else {
                writer.put(made, begin, end);
            }
            begin = end;
            if (writer.size() > kMaxPieceBytes)
                return tooLongPiece();
        }
        return writer.take();
    }

  private:
    UnicodeForm m_form;
};

} // namespace

NormalizerPointer unicodeNormalizer(UnicodeForm form) {
    return std::make_shared<UnicodeNormalizer>(form);
}

} // namespace headlight::core
