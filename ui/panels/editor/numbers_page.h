// Editor page for numbers: matrix selection, table, the selected number in full, and statistics.
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
    /// Updates the page from the document. `stageChanged`: show the numbers of the selected stage,
    /// unless a matrix is pinned.
    void update(bool stageChanged);
    /// Shows the numbers of the selection's stage, even if another matrix is pinned, and starts
    /// editing the selected cell.
    void editSelected(const core::Selection &selection);
    /// Shows this number of a parameter at the selection. Does nothing if the number is in a
    /// different layer or block.
    void showNumber(const core::ParameterId &id, core::Index row, core::Index column);
    const NumberTable &table() const { return *m_table; }

  signals:
    void failed(const headlight::core::Error &error);
    void statusMessage(const QString &words);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    /// Lists the targets at the selection and, if it is not one of them, the pinned target.
    void fillChoice();
    void choose(int index);
    void showTarget(const EditorTarget &target);
    void showValue();
    void showSummary();
    /// Shows what the next training step will do to the selected parameter.
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
    std::vector<EditorTarget> m_targets; ///< same order as in m_choice
};

} // namespace headlight::ui
