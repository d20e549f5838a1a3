// Builds a condition by clicking. A condition has a cell of the picture, a comparison, and a number
// or another cell.
#pragma once

#include "ui/document/document.h"

#include <QFrame>

class QComboBox;
class QDoubleSpinBox;
class QPushButton;

namespace headlight::ui {

class MessageLabel;

class ConditionBuilder : public QFrame {
    Q_OBJECT
  public:
    /// The kind of condition that is proposed for a selected cell: it holds now (Claim), or does
    /// not hold yet (Goal).
    enum class Proposal { Claim, Goal };
    /// `name` is the prefix of the object names.
    ConditionBuilder(const QString &name, Proposal proposal, Document &document,
                     QWidget *parent = nullptr);

    /// Starts from the condition if it compares a cell with a number, otherwise from the selected
    /// cell.
    void begin(const QString &condition);
    /// Returns the built condition; empty without a selected cell.
    QString condition() const;

  signals:
    /// `joins`: add the condition to the existing one instead of replacing it.
    void used(const QString &condition, bool joins);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    QPushButton *makeButton(const QString &name, const QString &text, const QString &toolTip);
    void documentChanged(const ChangeEvent &event);
    void takeCell();
    bool takeCondition(const QString &condition);
    void keepCell(bool keeps);
    void showCondition();

    Document &m_document;
    Proposal m_proposal;
    bool m_isGiven = false; // m_mark is from a condition; no cell has been selected since
    QString m_mark;         // mark of the selected cell
    QString m_first;        // mark of the first of two compared cells; empty: compare with a number
    MessageLabel *m_cell, *m_words;
    QComboBox *m_comparison;
    QDoubleSpinBox *m_number;
    QPushButton *m_other, *m_use, *m_join;
};

} // namespace headlight::ui
