// Underlines misspelt words in a field of the lesson editor, and offers similar words in its menu.
#pragma once

#include "ui/panels/lesson_editor/speller.h"

#include <QSyntaxHighlighter>

#include <memory>

class QPlainTextEdit;
class QPoint;

namespace headlight::ui {

/// The dictionary that all fields share. Changes are saved in the settings.
class Spelling : public QObject {
    Q_OBJECT
  public:
    static Spelling &shared();

    const QString &dictionary() const { return m_dictionary; }
    /// Sets the dictionary. With an empty name, nothing is checked.
    void setDictionary(const QString &name);
    Speller &speller() { return *m_speller; }

  signals:
    void changed();

  private:
    Spelling();

    QString m_dictionary;
    std::unique_ptr<Speller> m_speller;
};

class SpellingHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
  public:
    explicit SpellingHighlighter(QPlainTextEdit &field);

  protected:
    void highlightBlock(const QString &text) override;

  private:
    void showMenu(const QPoint &place);

    QPlainTextEdit &m_field;
};

} // namespace headlight::ui
