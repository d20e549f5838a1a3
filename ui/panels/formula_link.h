// A symbol of the whole formula that leads to its matrix. What it looks like is the strip's: this
// is where the mouse, the keys and a screen reader find it.
#pragma once

#include "core/explain/whole_formula.h"

#include <QAbstractButton>

namespace headlight::ui {

class FormulaLink : public QAbstractButton {
    Q_OBJECT
  public:
    explicit FormulaLink(QWidget *parent) : QAbstractButton(parent) {
        setObjectName("formulaLink");
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
    }

    const core::FormulaPart &part() const { return m_part; }
    void setPart(const core::FormulaPart &part) { m_part = part; }
    /// The mouse is over it, or it has the focus.
    bool isPointedAt() const { return underMouse() || hasFocus(); }

  signals:
    void pointedAtChanged();
    /// An arrow key: to the next one, or the one before.
    void left(int way);

  protected:
    void paintEvent(QPaintEvent *) override {}
    void keyPressEvent(QKeyEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    core::FormulaPart m_part;
};

} // namespace headlight::ui
