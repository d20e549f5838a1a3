#include "tests/monkey/places.h"

#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>

namespace headlight::test {

namespace {

QPoint anywhere(const QWidget &widget, Dice &dice) {
    const int x = dice.below(widget.width()), y = dice.below(widget.height());
    return {x, y};
}

} // namespace

QWidget *target(Dice &dice) {
    if (QWidget *popup = QApplication::activePopupWidget())
        return popup;
    if (QWidget *modal = QApplication::activeModalWidget())
        return modal;
    QWidgetList shown;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (widget->isVisible() && widget->windowHandle() && !widget->inherits("QTipLabel"))
            shown << widget;
    std::sort(shown.begin(), shown.end(), [](const QWidget *a, const QWidget *b) {
        return a->winId() < b->winId(); // addresses would make the order random
    });
    for (QWidget *widget : shown) // usually the window itself
        if (widget->inherits("headlight::ui::MainWindow") && !dice.outOf(4))
            return widget;
    return shown.isEmpty() ? nullptr : dice.of(shown);
}

QList<QWidget *> controls(const QWidget &window) {
    QList<QWidget *> found;
    for (QWidget *widget : window.findChildren<QWidget *>())
        if (widget->isVisible() && widget->isEnabled() && widget->window() == &window &&
            (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) ||
             qobject_cast<QLineEdit *>(widget) || qobject_cast<QAbstractSpinBox *>(widget) ||
             qobject_cast<QTabBar *>(widget) || widget->inherits("QAbstractItemView") ||
             widget->inherits("QAbstractSlider")))
            found << widget;
    return found;
}

QPoint somewhere(QWidget &window, Dice &dice) {
    if (auto *main = qobject_cast<ui::MainWindow *>(&window); main && dice.below(5) < 2) {
        ui::FigureView *view = main->currentView();
        return view->mapTo(&window, anywhere(*view, dice));
    }
    if (const QList<QWidget *> all = controls(window); !all.isEmpty() && dice.outOf(3)) {
        QWidget *control = dice.of(all);
        return control->mapTo(&window, anywhere(*control, dice));
    }
    return anywhere(window, dice);
}

QString nameOf(const QWidget &window, QPoint point) {
    const QWidget *widget = window.childAt(point);
    if (!widget)
        widget = &window;
    return QString("%1,%2 %3 %4")
        .arg(point.x())
        .arg(point.y())
        .arg(widget->metaObject()->className(), widget->objectName());
}

} // namespace headlight::test
