// Fields of a new session: the model's sizes, the parts of its layers, its texts. A field is
// enabled if the kind of model uses it. Problems appear below the field that causes them.
#pragma once

#include "ui/document/new_session.h"

#include <QWidget>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace headlight::ui {

class NewSessionFields : public QWidget {
    Q_OBJECT
  public:
    explicit NewSessionFields(QWidget *parent = nullptr);

    NewSession value() const;
    /// Sets everything except the texts.
    void setValue(const NewSession &session);
    /// Shows the error below its field. Returns false if it concerns none of them.
    bool showProblem(const core::Error &error);
    void clearProblem();
    /// Places the groups side by side if they fit, otherwise below each other.
    void arrange(int width);
    void focusKind();
    void focusText();

  signals:
    void changed();
    void kindChosen(headlight::ui::NewKind kind);

  private:
    QWidget *makeModel();
    QWidget *makeParts();
    QWidget *makeTexts();
    template <typename Widget>
    void add(const QString &label, Widget *widget, const char *name, const QString &toolTip);
    void addProblem(QLabel *&problem);
    /// Updates the fields that depend on others and emits changed().
    void follow();
    void showDivisors();
    void enableWhatApplies();

    QFormLayout *m_form = nullptr; // form being filled
    QComboBox *m_kind;
    QLabel *m_kindSaid;
    QSpinBox *m_layers;
    QSpinBox *m_width;
    QSpinBox *m_heads;
    QComboBox *m_keyValueHeads;
    QSpinBox *m_valueSize;
    QComboBox *m_positions;
    QLineEdit *m_slopes;
    QLineEdit *m_windows;
    QSpinBox *m_seed;
    QCheckBox *m_residual;
    QComboBox *m_norm;
    QComboBox *m_normPlace;
    QComboBox *m_queryKeyNorm;
    QComboBox *m_blocks;
    QSpinBox *m_feedForward;
    QComboBox *m_activation;
    QCheckBox *m_gated;
    QDoubleSpinBox *m_scoreCap;
    QDoubleSpinBox *m_logitCap;
    QSpinBox *m_encoderHeads;
    QSpinBox *m_encoderFeedForward;
    QLineEdit *m_source;
    QLineEdit *m_text;
    QFormLayout *m_textForm = nullptr;
    QLabel *m_widthProblem = nullptr;
    QLabel *m_headsProblem = nullptr;
    QLabel *m_slopesProblem = nullptr;
    QLabel *m_windowsProblem = nullptr;
    QLabel *m_encoderProblem = nullptr;
    QLabel *m_sourceProblem = nullptr;
    QLabel *m_textProblem = nullptr;
    QWidget *m_model;
    QWidget *m_parts;
    QBoxLayout *m_columns;
};

} // namespace headlight::ui
