#include "ui/panels/lesson_editor/spelling.h"

#include <QLocale>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTextBlock>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr const char *kDictionarySetting = "lessonEditor/dictionary";

} // namespace

Spelling &Spelling::shared() {
    static Spelling spelling;
    return spelling;
}

Spelling::Spelling()
    : m_dictionary(QSettings()
                       .value(kDictionarySetting,
                              usualDictionary(installedDictionaries(), QLocale::system().name()))
                       .toString()),
      m_speller(std::make_unique<Speller>(m_dictionary)) {}

void Spelling::setDictionary(const QString &name) {
    if (name == m_dictionary)
        return;
    m_dictionary = name;
    m_speller = std::make_unique<Speller>(name);
    QSettings().setValue(kDictionarySetting, name);
    emit changed();
}

SpellingHighlighter::SpellingHighlighter(QPlainTextEdit &field)
    : QSyntaxHighlighter(field.document()), m_field(field) {
    connect(&Spelling::shared(), &Spelling::changed, this, &QSyntaxHighlighter::rehighlight);
    field.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&field, &QWidget::customContextMenuRequested, this, &SpellingHighlighter::showMenu);
}

void SpellingHighlighter::highlightBlock(const QString &text) {
    QTextCharFormat wrong;
    wrong.setUnderlineStyle(QTextCharFormat::SpellCheckUnderline);
    wrong.setUnderlineColor(QColor(0xd0, 0x30, 0x30));
    for (const Misspelling &word : misspellingsIn(text, Spelling::shared().speller()))
        setFormat(static_cast<int>(word.at), static_cast<int>(word.length), wrong);
}

/// Shows the field's context menu, with similar words first. `place` is null for the menu key.
void SpellingHighlighter::showMenu(const QPoint &place) {
    QTextCursor cursor = m_field.cursorForPosition(place);
    const QTextBlock block = cursor.block();
    const QList<Misspelling> wrong = misspellingsIn(block.text(), Spelling::shared().speller());
    const auto at = std::ranges::find_if(wrong, [&](const Misspelling &word) {
        return cursor.positionInBlock() >= word.at &&
               cursor.positionInBlock() <= word.at + word.length;
    });
    QMenu *menu = m_field.createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (at != wrong.end()) {
        cursor.setPosition(block.position() + static_cast<int>(at->at));
        cursor.setPosition(block.position() + static_cast<int>(at->at + at->length),
                           QTextCursor::KeepAnchor);
        const QStringList similar = Spelling::shared().speller().suggestions(cursor.selectedText());
        QAction *first = menu->actions().isEmpty() ? nullptr : menu->actions().constFirst();
        const auto add = [&](const QString &words) {
            auto *action = new QAction(words, menu);
            menu->insertAction(first, action);
            return action;
        };
        for (const QString &word : similar)
            connect(add(word), &QAction::triggered, this,
                    [cursor, word]() mutable { cursor.insertText(word); });
        if (similar.isEmpty())
            add(tr("No similar word"))->setEnabled(false);
        menu->insertSeparator(first);
    }
    menu->popup(m_field.viewport()->mapToGlobal(place));
}

} // namespace headlight::ui
