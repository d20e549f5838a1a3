// Fits the tab names next to the corner widget: first reduces the padding, then the text size,
// before a name is cut. Large text becomes smaller than 70 % only if the corner widget cannot
// become narrower. A menu of the hidden tabs comes after the tabs.
#pragma once

#include <QObject>

class QTabWidget;
class QToolButton;

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
    void listHidden();
    void placeMore();

    QTabWidget &m_tabs;
    QToolButton *m_more;      ///< menu of the hidden tabs; hidden if there are none
    bool m_isPlacing = false; ///< the menu will be placed when the bar has laid out its tabs
};

} // namespace headlight::ui
