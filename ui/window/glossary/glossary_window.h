// The glossary: all terms, searched as one types, and what the chosen one means.
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace headlight::ui {

class GlossaryWindow : public QDialog {
    Q_OBJECT
  public:
    explicit GlossaryWindow(QWidget *parent);

    /// By its id; all terms are listed again.
    void showEntry(const QString &id);
    QString shownEntry() const;

  private:
    void find(const QString &words);
    void showCurrent();

    QLineEdit *m_search;
    QListWidget *m_terms;
    QTextBrowser *m_text;
};

} // namespace headlight::ui
