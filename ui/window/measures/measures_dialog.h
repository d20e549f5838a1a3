// Dialog with the measures of all heads of the open document, computed in the background.
#pragma once

#include "core/analysis/heads_of_trace.h"
#include "ui/window/computed_table/computed_table_dialog.h"
#include "ui/window/measures/measures_table.h"

class QCheckBox;
class QLineEdit;

namespace headlight::ui {

class MeasuresDialog : public ComputedTableDialog {
    Q_OBJECT
  public:
    /// Starts immediately, or as soon as the document's trace is up to date.
    MeasuresDialog(Document &document, QWidget *parent);

    /// Writes the bytes of `headlight measures --csv` or, for a name that ends with .json, --json.
    /// Shows an error in the dialog.
    core::Outcome saveTo(const QString &path);

  signals:
    /// The user requests to see a head.
    void chosen(const headlight::core::HeadId &head);

  protected:
    bool canStart() const override;
    void start() override;
    void clear() override { m_table.clear(); }
    QString copied(const QList<int> &rows) const override { return m_table.text(rows); }
    void choose(int row) override;
    bool isCurrent() const override;
    void showState() override;

  private:
    void addChoices();
    void take(core::Result<std::vector<core::HeadOfTrace>> heads);
    void choosePath();

    MeasuresTable m_table;
    /// True if the table shows changes between the two sides of a comparison.
    bool isChange() const;
    bool isOfShownSide() const;

    Compared m_compared{};                   ///< the comparison whose changes are shown, if any
    core::Index m_sequence = 0;              ///< sequence of the result, or of the running job
    std::optional<core::HeadId> m_similarTo; ///< head of the similarity, if it is measured
    QLineEdit *m_filter;
    QCheckBox *m_similarity;
    QPushButton *m_save;
};

} // namespace headlight::ui
