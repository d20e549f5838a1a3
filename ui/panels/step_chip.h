// A chip of the stepper: what is done to get to a stage, its symbols set as in formulas, and what
// that is in the glossary.
#pragma once

#include <QToolButton>

namespace headlight::ui {

class StepChip : public QToolButton {
    Q_OBJECT
  public:
    /// `symbol`: "Z·W_O"; text() is what a screen reader says of it.
    explicit StepChip(const QString &symbol, QWidget *parent = nullptr);

    /// Of its text while it is not the current one.
    void setColour(const QColor &colour) { m_colour = colour; }
    /// Its entry in the glossary.
    void setTerm(const QString &id) { m_term = id; }
    const QString &term() const { return m_term; }

  signals:
    /// The mouse is over it, or has left: then the id is empty.
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
