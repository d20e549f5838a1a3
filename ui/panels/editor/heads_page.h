// The editor's page of interventions: the heads' switches, the scores that stand by hand, and all
// of them taken away.
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
    std::vector<core::ScoreIntervention> m_shown;
};

} // namespace headlight::ui
