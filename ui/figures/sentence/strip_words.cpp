#include "ui/figures/sentence/strip_words.h"

#include "core/analysis/special_tokens.h"
#include "core/tokenizers/text/unicode.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headlight::ui {

namespace {

/// Marks before a word in several tokenizers ("␣" of tokenText(), SentencePiece, byte-level BPE).
constexpr char16_t kSpaceMarks[] = {0x2423, 0x2581, 0x0120};
const QString kPartMark = QStringLiteral("##"); // WordPiece's mark of a later part
const QString kEndMark = QStringLiteral("</w>");

bool isSpaceMark(QChar c) {
    return std::ranges::find(kSpaceMarks, c.unicode()) != std::end(kSpaceMarks);
}

char32_t firstOf(const QString &text) {
    return text.size() > 1 && text[0].isHighSurrogate()
               ? QChar::surrogateToUcs4(text[0], text[1])
               : (text.isEmpty() ? U'\0' : char32_t(text[0].unicode()));
}

char32_t lastOf(const QString &text) {
    const qsizetype size = text.size();
    return size > 1 && text[size - 1].isLowSurrogate()
               ? QChar::surrogateToUcs4(text[size - 2], text[size - 1])
               : (text.isEmpty() ? U'\0' : char32_t(text[size - 1].unicode()));
}

bool isOfWord(char32_t c) {
    return QChar::isLetterOrNumber(c) || QChar::isMark(c);
}

/// True if the tokens touch in the text. Unset if their positions are unknown.
std::optional<bool> touch(const core::Token &before, const core::Token &token) {
    if (!before.span || !token.span)
        return std::nullopt;
    return token.span->begin <= before.span->end;
}

QString withoutMarks(QString text) {
    if (text.size() > 1 && isSpaceMark(text[0]) && !isSpaceMark(text[1]))
        text.remove(0, 1);
    if (text.size() > kPartMark.size() && text.startsWith(kPartMark))
        text.remove(0, kPartMark.size());
    if (text.size() > kEndMark.size() && text.endsWith(kEndMark))
        text.chop(kEndMark.size());
    return text;
}

/// True if `text` continues the word, such as "ing" after "driv", or "'t" after "don".
bool continues(const QString &before, const QString &text) {
    const bool isShort = text.size() > 1 &&
                         (text[0] == QLatin1Char('\'') || text[0] == QChar(0x2019)) &&
                         text[1].isLetter();
    return isOfWord(lastOf(before)) && (isOfWord(firstOf(text)) || isShort);
}

/// Returns the strong direction of a word: 1 for right to left, 0 for left to right. Unset for
/// punctuation and digits.
std::optional<int> directionOf(const QString &text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isPair = text[i].isHighSurrogate() && i + 1 < text.size();
        const char32_t c =
            isPair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : char32_t(text[i].unicode());
        i += isPair ? 1 : 0;
        switch (QChar::direction(c)) {
        case QChar::DirL:
            return 0;
        case QChar::DirR:
        case QChar::DirAL:
            return 1;
        default:
            break;
        }
    }
    return std::nullopt;
}

/// Sets the levels. A word without a direction has that of its neighbours if they agree. Otherwise
/// it has the direction of the sentence.
void setLevels(StripWords &words) {
    std::vector<std::optional<int>> directions;
    for (const StripWord &word : words.words)
        directions.push_back(directionOf(word.text));
    const auto first = std::ranges::find_if(directions, &std::optional<int>::has_value);
    const int base = first == directions.end() ? 0 : **first;
    words.isRightToLeft = base == 1;
    std::vector<int> after(directions.size(), base);
    int next = base;
    for (std::size_t i = directions.size(); i-- > 0;)
        after[i] = next = directions[i].value_or(next);
    int before = base;
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const int direction = directions[i].value_or(before == after[i] ? before : base);
        before = directions[i].value_or(before);
        words.words[i].level = direction == base ? base : base + 1;
    }
}

} // namespace

StripWords stripWordsOf(const core::Sequence &sequence) {
    StripWords words;
    QString before;
    // Determines whether a token without a mark continues a word.
    const bool hasSpaceMarks = core::areBeginningsMarked(sequence.tokens);
    for (std::size_t i = 0; i < sequence.tokens.size(); ++i) {
        const core::Token &token = sequence.tokens[i];
        const auto index = static_cast<core::Index>(i);
        const QString name = tokenText(token.text);
        StripWord &word = words.words.emplace_back();
        word.text = withoutMarks(name);
        word.isPadding = sequence.isPadding(index);
        word.isWritten = token.isWritten;
        if (i > 0) {
            const auto touches = touch(sequence.tokens[i - 1], token);
            const bool isPart = name.startsWith(kPartMark) && name != kPartMark;
            const bool isInside =
                touches.value_or(hasSpaceMarks) && !core::marksBeginning(token.text);
            word.joins =
                !word.isPadding &&
                (isPart || (!sequence.isSplit && isInside && continues(before, word.text)));
            word.breaks = core::isUnspaced(firstOf(word.text)) || core::isUnspaced(lastOf(before));
            word.startsLine = !word.isPadding && !sequence.tokenTypes.empty() &&
                              sequence.tokenTypes[i] != sequence.tokenTypes[i - 1];
            word.joins = word.joins && !word.startsLine;
        }
        before = word.text;
    }
    setLevels(words);
    return words;
}

std::vector<core::Index> visualOrder(const StripWords &words, core::Index first, core::Index end) {
    std::vector<core::Index> order;
    int highest = 0;
    for (core::Index i = first; i < end; ++i) {
        order.push_back(i);
        highest = std::max(highest, words.words[static_cast<std::size_t>(i)].level);
    }
    // Rule L2 of the bidirectional algorithm: reverses runs from the highest level down to 1.
    for (int level = highest; level > 0; --level) {
        const auto isInRun = [&](core::Index i) {
            return words.words[static_cast<std::size_t>(i)].level >= level;
        };
        for (auto run = order.begin(); run != order.end();) {
            run = std::find_if(run, order.end(), isInRun);
            const auto after = std::find_if_not(run, order.end(), isInRun);
            std::reverse(run, after);
            run = after;
        }
    }
    return order;
}

} // namespace headlight::ui
