// Editor page for tokens: insert, remove, move or rename a token.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QPushButton;

namespace headlight::ui {

class TokenList;

class TokensPage : public QWidget {
    Q_OBJECT
  public:
    explicit TokensPage(Document &document, QWidget *parent = nullptr);
    void update();

  signals:
    void failed(const headlight::core::Error &error);

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    /// Returns the index of the selected token, or −1 if there is none.
    int current() const;
    void select(int token);
    /// Inserts the typed word before the selected token, or at the end.
    void insert();
    void remove();
    /// Moves the selected token by this number of positions, but not beyond the ends.
    void move(int by);
    void updateButtons();
    void fitList();

    Document &m_document;
    TokenList *m_tokens;
    QListView *m_list;
    QLineEdit *m_word;
    QPushButton *m_insert, *m_delete, *m_left, *m_right;
};

} // namespace headlight::ui
