// The filmstrip of a presentation: the names of the stages in one line. A click selects a stage.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"
#include "ui/panels/filmstrip.h"

namespace headlight::ui {

class PresentedStages : public ItemListWidget {
    Q_OBJECT
  public:
    PresentedStages(Document &document, const Filmstrip &filmstrip, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Reads the names and the current stage.
    void showStages();

    int itemCount() const override { return static_cast<int>(m_names.size()); }
    QString itemName(int index) const override;
    /// Returns an empty rectangle for a name that does not fit.
    QRect itemRect(int index) const override;
    int currentItem() const override { return m_current; }
    void pressItem(int index) override;

    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    QFont font(bool isCurrent = false) const;
    Spans spansOf(int index) const;
    double widthOf(int index) const;
    /// Places as many names as fit, around the current one.
    void place();

    Document &m_document;
    const Filmstrip &m_filmstrip;
    FigureStyle m_style;
    std::vector<Filmstrip::StageName> m_names;
    QString m_layer;
    int m_current = -1;
    std::vector<QRectF> m_rects;           ///< rectangles of the names; empty for those left out
    QRectF m_layerRect, m_before, m_after; ///< rectangles of the layer's name and of both "…"
};

} // namespace headlight::ui
