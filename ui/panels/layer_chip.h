// A layer above the filmstrip's frames. Marked if the last edit has recomputed a stage in it.
#pragma once

#include <QColor>
#include <QToolButton>

namespace headlight::ui {

class LayerChip : public QToolButton {
    Q_OBJECT
  public:
    explicit LayerChip(QWidget *parent = nullptr);

    /// `colour`: colour of the mark.
    void setRecomputed(bool isRecomputed, const QColor &colour);
    bool isRecomputed() const { return m_isRecomputed; }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    bool m_isRecomputed = false;
    QColor m_colour;
};

} // namespace headlight::ui
