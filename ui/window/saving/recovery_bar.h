// The bar that offers what a crash left behind.
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

    /// Hidden where there is none.
    void offer(std::vector<RecoverableSession> works);

  signals:
    /// There is an offer, or none any more.
    void offered();
    /// Whoever takes it removes it once it is safe elsewhere.
    void recoverRequested(const headlight::ui::RecoverableSession &work);

  public slots:
    /// It stays where it is, and is offered again by the next start.
    void later() { offer({}); }

  private:
    void show();
    RecoverableSession take();

    std::vector<RecoverableSession> m_works;
    QLabel *m_words;
    QComboBox *m_list;
};

} // namespace headlight::ui
