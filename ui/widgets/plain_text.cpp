#include "ui/widgets/plain_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace headlight::ui {

namespace {

/// Qt sends a label a Polish event before it is first measured or shown. A tooltip is also such a
/// label and gets the event before its text. Labels created before the filter was installed are
/// not shown yet.
class PlainLabels : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Polish || event->type() == QEvent::Show)
            if (auto *label = qobject_cast<QLabel *>(watched);
                label && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        return false;
    }
};

} // namespace

void showTextAsItIs() {
    const QString name = QStringLiteral("plainLabels");
    if (qApp->findChild<QObject *>(name, Qt::FindDirectChildrenOnly))
        return;
    auto *labels = new PlainLabels(qApp);
    labels->setObjectName(name);
    qApp->installEventFilter(labels);
}

QString withAmpersands(QString text) {
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace headlight::ui
