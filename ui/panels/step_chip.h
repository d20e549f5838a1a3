// A chip of the stepper: the operation that leads to a stage, typeset as in formulas, with its
// glossary entry.
#pragma once

#include <QToolButton>

namespace headlight::ui {

class StepChip : public QToolButton {
    Q_OBJECT
  public:
    /// `symbol`: for example "Z·W_O"; text() is its plain form for screen readers.
    explicit StepChip(const QString &symbol, QWidget *parent = nullptr);

    /// Sets the text colour for a chip that is not current.
    void setColour(const QColor &colour) { m_colour = colour; }
    /// Sets the glossary entry.
    void setTerm(const QString &id) { m_term = id; }
    const QString &term() const { return m_term; }

  signals:
    /// The mouse entered the chip, or left it (empty id).
    void termHovered(const QString &id);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    QString m_symbol;
    QString m_term;
    QColor m_colour;
};

} // namespace headlight::ui
