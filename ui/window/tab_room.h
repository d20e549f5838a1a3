// Fits all tab names beside the corner widget: first reduces the padding, then the text size,
// before a name is cut.
#pragma once

#include <QObject>

class QTabWidget;

namespace headlight::ui {

class TabRoom : public QObject {
    Q_OBJECT
  public:
    /// The theme needs a rule for tabs of a widget with the property "narrow".
    explicit TabRoom(QTabWidget &tabs);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void look();

    QTabWidget &m_tabs;
};

} // namespace headlight::ui
