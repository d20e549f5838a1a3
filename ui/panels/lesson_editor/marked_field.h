// A text of a lesson with its marks, and beneath it what is wrong with them.
#pragma once

#include "core/transformer/trace/trace.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace headlight::ui {

class MarkedField : public QWidget {
    Q_OBJECT
  public:
    enum class Holds {
        Paragraphs, ///< with an empty line between them
        One,        ///< one text, whatever is in it
    };
    struct Words {
        QString name;    ///< above it, and for a screen reader
        QString hint;    ///< stands in it while it is empty
        QString toolTip; ///< what it is for
    };
    MarkedField(const char *objectName, const Words &words, Holds holds, int lines,
                QWidget *parent = nullptr);

    /// Those that it has already stay as they were typed.
    void setTexts(const std::vector<std::string> &texts);
    std::vector<std::string> texts() const;
    void setText(const std::string &text) { setTexts({text}); }
    std::string text() const;
    /// Null: nobody can say yet.
    void check(const core::Trace *trace);
    void takeFocus();

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
    QLabel *m_problem;
};

/// Where "Insert number" may put a mark: in braces in a text, bare in a condition.
enum class InsertionTarget { Text, Condition };
void setMarkPlace(QWidget *field, InsertionTarget place);
/// None: it takes no marks.
std::optional<InsertionTarget> markPlaceOf(const QWidget *field);

/// Words about what is wrong, in the colour of problems; hidden where there are none.
QLabel *makeProblemLabel(const char *objectName);
void showProblemIn(QLabel *label, const QString &words);

} // namespace headlight::ui
