// The editor's page of numbers: which matrix, its table, the selected number in full, and what the
// numbers are like.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/panels/editor/editor_target.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace headlight::ui {

class NumberTable;
class NumberTableView;
class UpdateLines;

class NumbersPage : public QWidget {
    Q_OBJECT
  public:
    explicit NumbersPage(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Up to what the document holds; `stageChanged`: another stage was selected, whose numbers are
    /// shown unless a matrix is pinned.
    void update(bool stageChanged);
    /// The numbers of the selection's stage, pinned or not, its cell about to be typed.
    void editSelected(const core::Selection &selection);
    const NumberTable &table() const { return *m_table; }

  signals:
    void failed(const headlight::core::Error &error);
    void said(const QString &words);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fillChoice();
    void choose(int index);
    void showTarget(const EditorTarget &target);
    void showValue();
    void showSummary();
    /// What training will do to the selected weight.
    void showUpdate();
    void addMissing();

    Document &m_document;
    NumberTable *m_table;
    NumberTableView *m_view;
    QComboBox *m_choice;
    QToolButton *m_pin;
    QPushButton *m_presets;
    QLabel *m_place;
    QLineEdit *m_value;
    QLabel *m_missing;
    QPushButton *m_add;
    QLabel *m_summary;
    UpdateLines *m_update;
    std::vector<EditorTarget> m_targets;
};

} // namespace headlight::ui
