// Three things to try for new users. One click closes the hints for good.
#pragma once

#include <QFrame>

class QLabel;

namespace headlight::ui {

class FirstHints : public QFrame {
    Q_OBJECT
  public:
    explicit FirstHints(QWidget *parent = nullptr);

    /// Shows the hints unless the user has closed them.
    void offer();

  protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void chooseWords();

    QLabel *m_words;
};

} // namespace headlight::ui
