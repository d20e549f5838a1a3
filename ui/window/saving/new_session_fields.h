// Fields of a new session: the model's sizes, the parts of its layers, its texts. A field is
// enabled if the kind of model uses it. Problems appear below the field that causes them.
#pragma once

#include "ui/document/new_session.h"
#include "ui/widgets/field_form.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace headlight::ui {

class NewSessionFields : public QWidget {
    Q_OBJECT
  public:
    explicit NewSessionFields(QWidget *parent = nullptr);

    NewSession value() const;
    /// Sets everything except the texts.
    void setValue(const NewSession &session);
    /// Shows the error below the field that it concerns. Returns false if it concerns no field.
    bool showProblem(const core::Error &error);
    void clearProblem();
    /// Places the groups side by side if they fit, otherwise one below the other.
    void arrange(int width);
    void focusKind();
    void focusText();

  signals:
    void changed();
    void kindChosen(headlight::ui::NewKind kind);

  private:
    struct Problem {
        QLabel *label;
        QStringList places; ///< prefixes of Error::where of the errors shown here
        /// No error is shown while this line is empty, because its placeholder asks for a text.
        const QLineEdit *asked;
    };

    QWidget *makeModel();
    QWidget *makeParts();
    QWidget *makeTexts();
    void addKind();
    /// Adds a label for problems below the last field.
    void addProblem(const QStringList &places, const QLineEdit *asked = nullptr);
    QComboBox *addOwn(const char *name, const FieldText &text);
    QLineEdit *addText(const char *name, const FieldText &text);
    NewKind kind() const;
    /// Updates the fields that depend on others and emits changed().
    void follow();
    void showDivisors(core::Index heads);
    void enableWhatApplies(const NewSession &now);

    FieldForm<NewSession> m_form{"new", [this] { follow(); }};
    QFormLayout *m_layout = nullptr; // form being filled
    std::vector<Problem> m_problems;
    QComboBox *m_kind, *m_keyValueHeads, *m_positions, *m_blocks;
    QLabel *m_kindSaid;
    QLineEdit *m_source, *m_text;
    QFormLayout *m_textForm = nullptr;
    QWidget *m_model, *m_parts;
    QBoxLayout *m_columns;
};

} // namespace headlight::ui
