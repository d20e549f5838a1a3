// Answers of a question, or goals of an exercise. Each has a text and a condition, and shows
// whether the condition is true now.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/transformer/trace/trace.h"
#include "ui/document/document.h"

#include <QWidget>

#include <span>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headlight::ui {

class ConditionBuilder;
class MessageLabel;

class ChoiceRows : public QWidget {
    Q_OBJECT
  public:
    struct Words {
        QString text;      ///< "Answer %1"
        QString condition; ///< "Answer %1 is right if"
        QString add;
        QString remove;    ///< "Remove answer %1"
        QString because{}; ///< "Shown after answer %1 is chosen"; empty: no such field
        QString always{};  ///< "Answer %1 is always right"; empty: no such check box
    };
    struct Row {
        std::string text, condition, because{};
        bool operator==(const Row &) const = default;
    };
    /// `name` is the prefix of the object names: "answerText0", "answerIf0".
    ChoiceRows(const QString &name, Words words, std::size_t least, std::size_t most,
               Document &document, QWidget *parent = nullptr);

    void setRows(const std::vector<Row> &rows);
    std::vector<Row> rows() const;
    /// Shows which conditions hold, and problems with the texts. Null: unknown.
    void check(const core::Trace *trace);
    /// Moves the focus to a field of a row, for example "[1].if".
    void takeFocus(const QString &place);

  signals:
    void edited();

  private:
    struct Fields {
        QWidget *all;
        QLineEdit *text, *condition, *because;
        QLabel *conditionName;
        MessageLabel *holds;
        QPushButton *build, *remove;
        QCheckBox *always;
    };
    Fields makeFields(std::size_t row);
    void nameFields(const Fields &fields, std::size_t row) const;
    void layOut(const Fields &fields, const QString &name);
    void showCount(std::size_t count);
    void removeRow(std::size_t row);
    void setAlways(std::size_t row, bool isAlways);
    void showConstants();
    /// Opens the builder below the condition of a row, or closes it.
    void build(std::size_t row, bool opens);
    void takeCondition(const QString &condition, bool joins);
    std::span<const Fields> shownRows() const { return std::span(m_rows).first(m_count); }

    QString m_name;
    Words m_words;
    std::size_t m_least;
    std::vector<Fields> m_rows; // allocated for the maximum, so that the tab order is fixed
    std::size_t m_count = 0;    // number of visible rows
    QVBoxLayout *m_column;
    QPushButton *m_add;
    ConditionBuilder *m_builder;
    std::size_t m_built = 0; // row whose builder is open
};

/// Converts answers or goals to rows.
template <typename Choice>
std::vector<ChoiceRows::Row> rowsOf(const std::vector<Choice> &choices) {
    std::vector<ChoiceRows::Row> rows;
    for (const Choice &choice : choices)
        if constexpr (requires { choice.because; })
            rows.push_back({choice.text, choice.condition, choice.because});
        else
            rows.push_back({choice.text, choice.condition});
    return rows;
}
template <typename Choice>
std::vector<Choice> choicesOf(const std::vector<ChoiceRows::Row> &rows) {
    std::vector<Choice> choices;
    for (const ChoiceRows::Row &row : rows)
        if constexpr (requires(Choice choice) { choice.because; })
            choices.push_back({row.text, row.condition, row.because});
        else
            choices.push_back({row.text, row.condition});
    return choices;
}

} // namespace headlight::ui
