#include "ui/panels/history_panel.h"

#include "ui/widgets/dock_title_bar.h"

#include <QEvent>
#include <QIcon>
#include <QStyledItemDelegate>
#include <QUndoView>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

/// Aligns all texts, with or without a check mark.
class StepDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(16, 16);
    }
};

} // namespace

HistoryPanel::HistoryPanel(QUndoStack &stack, QWidget *parent)
    : QWidget(parent), m_list(new QUndoView(&stack)) {
    setObjectName("historyPanel");
    m_list->setObjectName("history");
    m_list->setAccessibleName(tr("History"));
    m_list->setToolTip(tr("Every step since the file was opened. Click one to go to it; a check "
                          "mark shows the opened or saved state"));
    m_list->setEmptyLabel(tr("Opened state"));
    m_list->setItemDelegate(new StepDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setUniformItemSizes(true);
    m_list->setMinimumWidth(120);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    layout->addWidget(m_list);
    markSaved();
}

QWidget *HistoryPanel::makeTitleBar() {
    return makeDockTitleBar({tr("HISTORY"), tr("Hide the history"),
                             tr("Hide the history (View → Panels → History brings it back)")});
}

void HistoryPanel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange)
        markSaved();
    QWidget::changeEvent(event);
}

void HistoryPanel::markSaved() {
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    m_list->setCleanIcon(QIcon(dark ? ":/icons/check-light.svg" : ":/icons/check-dark.svg"));
}

} // namespace headlight::ui
