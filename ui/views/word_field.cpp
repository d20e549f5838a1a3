#include "ui/views/word_field.h"

#include "core/analysis/named_word.h"
#include "ui/text/token_names.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QStandardItemModel>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxSuggestions = 50; // the user types more letters to see others

/// Returns the text as it is in the vocabulary. The field shows spaces, tabs and line breaks as the
/// signs of tokenText().
std::string spelled(QString text) {
    text.replace(QChar(0x2423), QLatin1Char(' '));
    text.replace(QChar(0x21E5), QLatin1Char('\t'));
    text.replace(QChar(0x23CE), QLatin1Char('\n'));
    return text.toStdString();
}

} // namespace

WordField::WordField(QWidget *parent)
    : QLineEdit(parent), m_suggestions(new QStandardItemModel(this)) {
    // A vocabulary may have 250,000 words. The completer gets only words that begin with the typed
    // letters.
    auto *completer = new QCompleter(m_suggestions, this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    setCompleter(completer);
    connect(this, &QLineEdit::textEdited, this, &WordField::suggest);
    connect(this, &QLineEdit::editingFinished, this, &WordField::readText);
    connect(completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
            [this](const QModelIndex &index) {
                choose(static_cast<core::Index>(index.data(Qt::UserRole).toLongLong()));
                emit chosen();
            });
}

void WordField::setModel(const core::Model &model) {
    if (m_vocabulary == model.vocabulary)
        return;
    m_vocabulary = model.vocabulary;
    choose(std::nullopt);
}

void WordField::choose(std::optional<core::Index> word) {
    const bool exists = word && m_vocabulary && *word >= 0 && *word < m_vocabulary->size();
    m_word = exists ? word : std::nullopt;
    m_isUnknown = false;
    setText(m_word ? textOf(*m_word) : QString());
}

QString WordField::textOf(core::Index word) const {
    return tokenText(m_vocabulary->word(word));
}

void WordField::suggest(const QString &typed) {
    m_suggestions->clear();
    if (m_vocabulary)
        for (const core::Index word :
             core::wordsBeginningWith(*m_vocabulary, spelled(typed), kMaxSuggestions)) {
            auto *item = new QStandardItem(textOf(word));
            item->setData(static_cast<qlonglong>(word), Qt::UserRole);
            m_suggestions->appendRow(item);
        }
    if (m_suggestions->rowCount() > 0)
        completer()->complete();
    else
        completer()->popup()->hide();
}

void WordField::readText() {
    if (m_word ? text() == textOf(*m_word) : text().isEmpty() && !m_isUnknown)
        return;
    m_word = m_vocabulary ? core::wordNamed(*m_vocabulary, spelled(text())) : std::nullopt;
    m_isUnknown = !m_word && !text().isEmpty();
    emit chosen();
}

void WordField::keyPressEvent(QKeyEvent *event) {
    const bool isSuggesting = completer()->popup()->isVisible(); // then the list takes the key
    QLineEdit::keyPressEvent(event);
    if (!isSuggesting && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        event->accept(); // otherwise the view would open the head
}

} // namespace headlight::ui
