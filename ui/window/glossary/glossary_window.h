// Window with the glossary: a searchable list of terms, and the explanation of the selected one.
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

    /// Shows an entry by its id and clears the search.
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
