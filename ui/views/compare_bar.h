// Current · A · Difference: selects the side of a comparison that the views show. Without an A,
// only Current is enabled.
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

    /// Sets the current view, because not every view can show a difference.
    void setView(const ViewInfo &view);
    /// Shows symbols instead of words to save space.
    void setShort(bool isShort);

  private:
    void showState();

    Comparison &m_comparison;
    const ViewInfo *m_view = nullptr;
    QList<QToolButton *> m_buttons; // same order as kShown
};

QString titleOf(ComparisonSide shown);

} // namespace headlight::ui
