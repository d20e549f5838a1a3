// Now · A · Difference: which of two runs the views show. Without an A, only the first can be
// chosen.
#pragma once

#include "ui/document/comparison.h"
#include "ui/figures/table/views.h"

#include <QWidget>

class QToolButton;

namespace headlight::ui {

class CompareBar : public QWidget {
    Q_OBJECT
  public:
    explicit CompareBar(Comparison &comparison, QWidget *parent = nullptr);

    /// Of which view it is: not every one shows a difference.
    void setView(const ViewInfo &view);
    /// Signs instead of words, where there is little room.
    void setShort(bool isShort);

  private:
    void showState();

    Comparison &m_comparison;
    const ViewInfo *m_view = nullptr;
    QList<QToolButton *> m_buttons; // in the order of kShown
};

/// "Now", "A", "Difference".
QString titleOf(ComparisonSide shown);

} // namespace headlight::ui
