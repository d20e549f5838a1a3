#include "ui/accessibility/combo_lists.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScreen>
#include <QScrollBar>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Widens the list to fit its longest item, as far as the screen allows. The box may be narrower.
void showWhole(QComboBox &box, QWidget &list) {
    QAbstractItemView *view = box.view();
    view->setAccessibleName(box.accessibleName());
    const int scrollBar = view->verticalScrollBar()->sizeHint().width();
    const int wanted = view->sizeHintForColumn(0) + scrollBar + list.width() - view->width() + 8;
    const QRect screen = box.screen()->availableGeometry();
    QRect place = list.geometry();
    place.setWidth(std::min(std::max(place.width(), wanted), screen.width()));
    if (place.right() > screen.right())
        place.moveRight(screen.right());
    list.setGeometry(place);
}

/// Names a combo box's list when it is first opened. Qt creates the list window lazily, so naming
/// all lists up front would create all of them.
class ComboLists : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Show && watched->isWidgetType())
            if (auto *box = qobject_cast<QComboBox *>(watched->parent());
                box && static_cast<QWidget *>(watched)->isWindow())
                showWhole(*box, *static_cast<QWidget *>(watched));
        return false;
    }
};

} // namespace

void nameComboLists() {
    const QString name = QStringLiteral("comboLists");
    if (qApp->findChild<QObject *>(name, Qt::FindDirectChildrenOnly))
        return;
    auto *lists = new ComboLists(qApp);
    lists->setObjectName(name);
    qApp->installEventFilter(lists);
}

} // namespace headlight::ui
