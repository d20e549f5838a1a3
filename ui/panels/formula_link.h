// A symbol of the whole formula that links to its matrix. The strip paints it. This widget only
// handles mouse, keys and screen readers.
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
    bool isPointedAt() const { return underMouse() || hasFocus(); }

  signals:
    void pointedAtChanged();
    /// An arrow key was pressed: +1 for the next link, -1 for the previous one.
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
