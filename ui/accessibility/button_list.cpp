#include "ui/accessibility/button_list.h"

#include <QAbstractButton>
#include <QAccessibleWidget>

namespace headlight::ui {

namespace {

class ListedButton : public QAccessibleWidget {
  public:
    explicit ListedButton(QAbstractButton *button)
        : QAccessibleWidget(button, QAccessible::ListItem) {}

    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.selectable = true;
        state.selected = button()->isChecked();
        return state;
    }
    QStringList actionNames() const override {
        return QStringList(pressAction()) + QAccessibleWidget::actionNames();
    }
    void doAction(const QString &name) override {
        if (name == pressAction())
            button()->click();
        else
            QAccessibleWidget::doAction(name);
    }

  private:
    QAbstractButton *button() const { return static_cast<QAbstractButton *>(object()); }
};

QAccessibleInterface *makeButtonList(const QString &, QObject *object) {
    if (auto *list = qobject_cast<ButtonList *>(object))
        return new QAccessibleWidget(list, QAccessible::List);
    auto *button = qobject_cast<QAbstractButton *>(object);
    return button && qobject_cast<ButtonList *>(button->parentWidget()) ? new ListedButton(button)
                                                                        : nullptr;
}

} // namespace

ButtonList::ButtonList(const QString &name, QWidget *parent) : QWidget(parent) {
    QAccessible::installFactory(makeButtonList); // Qt ignores a factory that is already installed
    setAccessibleName(name);
}

} // namespace headlight::ui
