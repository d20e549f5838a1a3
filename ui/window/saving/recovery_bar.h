// Bar that offers to recover sessions after a crash.
#pragma once

#include "ui/window/saving/recovery_folder.h"

#include <QFrame>

class QComboBox;
class QLabel;

namespace headlight::ui {

class RecoveryBar : public QFrame {
    Q_OBJECT
  public:
    explicit RecoveryBar(QWidget *parent = nullptr);

    /// Shows the offer; hides the bar if there are no sessions.
    void offer(std::vector<RecoverableSession> works);

  signals:
    /// The bar was shown or hidden.
    void offered();
    /// The receiver deletes the files after saving the work elsewhere.
    void recoverRequested(const headlight::ui::RecoverableSession &work);

  public slots:
    /// Hides the bar. The files remain, and the next start offers them again.
    void later() { offer({}); }

  private:
    void show();
    RecoverableSession take();

    std::vector<RecoverableSession> m_works;
    QLabel *m_words;
    QComboBox *m_list;
};

} // namespace headlight::ui
