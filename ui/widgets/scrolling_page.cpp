#include "ui/widgets/scrolling_page.h"

#include <QAbstractSpinBox>
#include <QChildEvent>
#include <QComboBox>
#include <QScrollArea>
#include <QSlider>

namespace headlight::ui {

namespace {

bool turnsWithTheWheel(const QObject *object) {
    return qobject_cast<const QComboBox *>(object) ||
           qobject_cast<const QAbstractSpinBox *>(object) || qobject_cast<const QSlider *>(object);
}

/// Passes the wheel on to the page, unless the field under the mouse has the focus.
class WheelForThePage : public QObject {
  public:
    using QObject::QObject;

    void watch(QWidget &widget) {
        widget.installEventFilter(this);
        leaveTheFocus(widget);
        for (QObject *child : widget.children())
            if (child->isWidgetType())
                watch(static_cast<QWidget &>(*child));
    }

    bool eventFilter(QObject *object, QEvent *event) override {
        switch (event->type()) {
        case QEvent::ChildAdded:
            if (QObject *child = static_cast<QChildEvent *>(event)->child(); child->isWidgetType())
                watch(static_cast<QWidget &>(*child));
            break;
        case QEvent::Polish: // a child that was added before its constructor had finished
            leaveTheFocus(static_cast<QWidget &>(*object));
            break;
        case QEvent::Wheel:
            if (turnsWithTheWheel(object) && !static_cast<QWidget *>(object)->hasFocus()) {
                event->ignore(); // Qt then sends it to the parent
                return true;
            }
            break;
        default:
            break;
        }
        return false;
    }

  private:
    /// A turn of the wheel does not move the focus to the field.
    static void leaveTheFocus(QWidget &widget) {
        if (turnsWithTheWheel(&widget) && widget.focusPolicy() == Qt::WheelFocus)
            widget.setFocusPolicy(Qt::StrongFocus);
    }
};

} // namespace

QScrollArea *scrollingPage(QWidget *page) {
    auto *area = new QScrollArea;
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    scrollByWheel(*page);
    return area;
}

void scrollByWheel(QWidget &page) {
    (new WheelForThePage(&page))->watch(page);
}

} // namespace headlight::ui
