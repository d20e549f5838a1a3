// Lesson text with marks. Problems with the marks are shown below the text.
#pragma once

#include "core/transformer/trace/trace.h"

#include <QWidget>

class QPlainTextEdit;

namespace headlight::ui {

class MessageLabel;

class MarkedField : public QWidget {
    Q_OBJECT
  public:
    enum class Holds {
        Paragraphs, ///< separated by empty lines
        One,        ///< a single text, even if it contains empty lines
    };
    struct Words {
        QString name;    ///< label above the field, also for screen readers
        QString hint;    ///< placeholder
        QString toolTip; ///< purpose of the field
    };
    MarkedField(const char *objectName, const Words &words, Holds holds, int lines,
                QWidget *parent = nullptr);

    /// Sets the texts. Does nothing if they are already shown, so that the field keeps the text as
    /// typed.
    void setTexts(const std::vector<std::string> &texts);
    std::vector<std::string> texts() const;
    void setText(const std::string &text) { setTexts({text}); }
    std::string text() const;
    /// Shows problems with the marks. Null: unknown.
    void check(const core::Trace *trace);
    void takeFocus();
    QWidget *field() const;
    /// Excludes the field from Insert number, because its text has no marks.
    void takesNoMarks();

  signals:
    void edited();

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void fitHeight();

    Holds m_holds;
    int m_lines;
    QPlainTextEdit *m_text;
    QString m_known; // text after the last edit
    MessageLabel *m_problem;
};

/// Form in which "Insert number" inserts a mark: in braces in a text, bare in a condition.
enum class InsertionTarget { Text, Condition };
void setMarkPlace(QWidget *field, InsertionTarget place);
/// Unset if the field takes no marks.
std::optional<InsertionTarget> markPlaceOf(const QWidget *field);

/// Lines of a message below a field. An empty message takes the same space, so that nothing moves
/// while the user types.
inline constexpr int kMessageLines = 2;
/// Creates a label in the colour of problems. It is hidden while it is empty.
MessageLabel *makeProblemLabel(const char *objectName);
void showProblemIn(MessageLabel *label, const QString &words);

} // namespace headlight::ui
