// Editor page for interventions: the states of the heads, the overridden scores, and a button that
// removes all interventions.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QTableView;

namespace headlight::ui {

class HeadTable;

class HeadsPage : public QWidget {
    Q_OBJECT
  public:
    explicit HeadsPage(Document &document, QWidget *parent = nullptr);
    void update();

  signals:
    void failed(const headlight::core::Error &error);

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    /// Updates the list of overridden scores if they have changed.
    void showScores();
    void removeSelected();
    void apply(const core::Result<Change> &change);

    Document &m_document;
    HeadTable *m_heads;
    QTableView *m_table;
    QLabel *m_title;
    QListWidget *m_scores;
    QPushButton *m_remove;
    QPushButton *m_clear;
    std::vector<core::ScoreIntervention> m_shown; ///< listed overrides, from top to bottom
};

} // namespace headlight::ui
