#include "ui/accessibility/combo_lists.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>

namespace headlight::ui {

namespace {

/// A box makes its list, in a window of its own, when it is opened for the first time: to name all
/// of them beforehand would make all of them.
class ComboLists : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Show && watched->isWidgetType())
            if (auto *box = qobject_cast<QComboBox *>(watched->parent());
                box && static_cast<QWidget *>(watched)->isWindow())
                box->view()->setAccessibleName(box->accessibleName());
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
