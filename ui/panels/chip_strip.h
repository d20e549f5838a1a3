// Row of the filmstrip's frames or layers. If they do not fit, a button at each end scrolls to the
// hidden ones.
#pragma once

#include <QScrollArea>

class QToolButton;

namespace headlight::ui {

class ChipStrip : public QScrollArea {
    Q_OBJECT
  public:
    explicit ChipStrip(QWidget *chips, QWidget *parent = nullptr);
    ~ChipStrip() override;
    /// Scrolls until the whole chip is visible between the end buttons.
    void show(const QWidget &chip);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    QToolButton *makeButton(const QString &text, const QString &name, int way);
    void placeButtons();
    int buttonWidth() const;

    QToolButton *m_back, *m_on;
};

} // namespace headlight::ui
