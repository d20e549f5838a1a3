#include "ui/widgets/dock_title_bar.h"

#include "ui/widgets/eyebrow.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headlight::ui {

namespace {

struct DockTitleBarText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::DockTitleBar)
};

} // namespace

QWidget *makeDockTitleBar(const DockTitle &title, QWidget *extra) {
    auto *bar = new QWidget;
    auto *name = eyebrow(title.name);
    name->setToolTip(
        DockTitleBarText::tr("Drag the panel to another side of the window, or out of the window"));
    auto *close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(title.hide);
    close->setToolTip(title.hideHint);
    QObject::connect(close, &QToolButton::clicked, bar, [bar] {
        if (auto *dock = qobject_cast<QDockWidget *>(bar->parentWidget()))
            dock->close();
    });
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(16, 12, 10, 4);
    layout->addWidget(name, 1);
    if (extra)
        layout->addWidget(extra);
    layout->addWidget(close);
    return bar;
}

} // namespace headlight::ui
