// Dialog that compares every stage of the open document with the same computation in float64, in
// the background, and lists the differences.
#pragma once

#include "core/checks/verification.h"
#include "ui/window/computed_table/computed_table_dialog.h"
#include "ui/window/verification/verification_table.h"

namespace headlight::ui {

class VerificationDialog : public ComputedTableDialog {
    Q_OBJECT
  public:
    /// Starts immediately, or as soon as the document's trace is up to date.
    VerificationDialog(Document &document, QWidget *parent);

  signals:
    /// The user requests to see a stage and its cell.
    void chosen(const headlight::core::Selection &selection);

  protected:
    void start() override;
    void clear() override { m_table.clear(); }
    QString copied(const QList<int> &rows) const override { return m_table.text(rows); }
    void choose(int row) override;

  private:
    void take(const core::Verification &verification);
    void fitColumns();
    QString resultText(const core::Verification &verification) const;

    VerificationTable m_table;
};

} // namespace headlight::ui
