#include "ui/panels/lesson_editor/typing.h"

#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr auto kSentenceEnds = u".!?…", kWideSentenceEnds = u"。！？\n";

/// True if a sentence or line ends just before the position.
bool endsBefore(const QString &text, int at) {
    if (at > 0 && QStringView(kWideSentenceEnds).contains(text[at - 1]))
        return true;
    return at > 1 && text[at - 1].isSpace() && QStringView(kSentenceEnds).contains(text[at - 2]);
}

} // namespace

TextChange changeBetween(const QString &before, const QString &after) {
    const int shorter = static_cast<int>(std::min(before.size(), after.size()));
    int same = 0, sameAtEnd = 0;
    while (same < shorter && before[same] == after[same])
        ++same;
    while (sameAtEnd < shorter - same &&
           before[before.size() - 1 - sameAtEnd] == after[after.size() - 1 - sameAtEnd])
        ++sameAtEnd;
    // Do not split a surrogate pair.
    if (same > 0 && before[same - 1].isHighSurrogate())
        --same;
    if (sameAtEnd > 0 && before[before.size() - sameAtEnd].isLowSurrogate())
        --sameAtEnd;
    return {same, static_cast<int>(before.size()) - same - sameAtEnd,
            static_cast<int>(after.size()) - same - sameAtEnd};
}

void showLine(QLineEdit &line, const QString &text) {
    if (line.text() == text)
        return;
    const TextChange change = changeBetween(line.text(), text);
    const QSignalBlocker silent(&line);
    line.setText(text);
    line.setCursorPosition(line.hasFocus() ? change.at + change.added : 0);
}

bool Typing::goesOn(const QString &before, const QString &after) {
    const TextChange change = changeBetween(before, after);
    const bool deletes = change.added == 0;
    const bool isNear = deletes ? change.at == m_end || change.at + change.removed == m_end
                                : change.removed == 0 && change.at == m_end;
    const bool begins = !deletes && endsBefore(before, change.at) && !after[change.at].isSpace();
    const bool isOne = m_goesOn && deletes == m_deletes && isNear && !begins &&
                       change.added + change.removed == 1; // pasted text is a separate undo step
    m_goesOn = true;
    m_deletes = deletes;
    m_end = change.at + change.added;
    return isOne;
}

} // namespace headlight::ui
