// The bar "Whole formula": all of an attention in one line, softmax(QKᵀ / √d_k + M) · V and
// Concat(head_0, …) · W_O, as the present model has it. Each symbol leads to its matrix, and those
// of the present stage are lit.
#pragma once

#include "ui/document/document.h"
#include "ui/figures/formula/formula_strip.h"

#include <QToolBar>

#include <optional>

namespace headlight::ui {

class FormulaLink;

/// What stands in the bar.
class FormulaField : public QWidget {
    Q_OBJECT
  public:
    explicit FormulaField(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Its symbols are for the mouse alone: where keys step.
    void leaveFocusAlone();
    const FormulaStrip &strip() const { return m_strip; }
    /// As it is painted now.
    FormulaStripGeometry geometryNow() const;
    /// From left to right.
    const QList<FormulaLink *> &links() const { return m_links; }

  signals:
    /// What the glossary calls the symbol under the mouse; empty: none.
    void termHovered(const QString &id);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    /// The formula of the present trace and selection.
    void read();
    void makeLinks(const core::Trace &trace);
    FormulaLink *newLink();
    void nameLink(const core::Trace &trace, FormulaLink &link) const;
    void placeLinks();
    void follow(const FormulaLink &link);
    core::Selection selectionOf(const core::FormulaPart &part) const;

    Document &m_document;
    FigureStyle m_style;
    FormulaStrip m_strip;
    QList<FormulaLink *> m_links;
    Qt::FocusPolicy m_linkFocus = Qt::TabFocus;
};

class FormulaBar : public QToolBar {
    Q_OBJECT
  public:
    explicit FormulaBar(Document &document, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style) { m_field->setStyle(style); }
    FormulaField &field() { return *m_field; }
    /// Shown or hidden by the person; a lesson's step can ask for it as well.
    QAction *showAction() const { return m_show; }
    /// As it was left.
    void restore();

  private:
    void showOrHide();

    Document &m_document;
    FormulaField *m_field;
    QAction *m_show;
    bool m_isWanted = false;     // by the person
    std::optional<bool> m_asked; // by a lesson's step
    std::optional<bool> m_said;  // by the step last
};

} // namespace headlight::ui
