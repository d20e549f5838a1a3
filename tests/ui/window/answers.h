// Answers modal dialogs by clicking a button, as a user would.
#pragma once

#include "tests/support/test_main.h"

namespace headlight::test {

/// During its lifetime, clicks the button with this text in every dialog with this object name.
class Answer {
  public:
    Answer(const QString &dialog, const QString &button) {
        QObject::connect(&m_timer, &QTimer::timeout, [this, dialog, button] {
            QWidget *modal = QApplication::activeModalWidget();
            if (!modal || modal->objectName() != dialog)
                return;
            for (QAbstractButton *each : modal->findChildren<QAbstractButton *>())
                if (each->text().remove('&') == button) {
                    ++m_times;
                    QTest::mouseClick(each, Qt::LeftButton);
                    return;
                }
            qFatal("no button %s", qPrintable(button));
        });
        m_timer.start(10);
    }
    int times() const { return m_times; }

  private:
    QTimer m_timer;
    int m_times = 0;
};

} // namespace headlight::test
