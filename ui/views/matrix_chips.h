// The settings that a matrix depends on, as small buttons beside its title. A click opens the
// setting's menu; the wheel changes the head.
#pragma once

#include "ui/panels/mechanism_actions.h"

#include <QObject>
#include <QRectF>

#include <vector>

class QToolButton;
class QWidget;

namespace headlight::ui {

class MatrixChips : public QObject {
    Q_OBJECT
  public:
    /// The buttons are children of `view`.
    MatrixChips(MechanismActions &mechanism, QWidget &view);

    /// Shows the settings of this stage and their current values. Returns true if a size changed.
    bool show(core::StageId at);
    /// Sets the size of the buttons' text in px; 0: that of the theme. Returns true if a size
    /// changed.
    bool setTextSize(int pixels);
    /// Returns the sizes of the buttons, in the order of places().
    const std::vector<QSizeF> &sizes() const { return m_sizes; }
    /// Moves the buttons; hides all if there are no places.
    void place(const std::vector<QRectF> &places);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    QToolButton *make(MechanismActions::Setting setting);
    bool measure();

    MechanismActions &m_mechanism;
    QWidget &m_view;
    std::vector<MechanismActions::Setting> m_settings;
    std::vector<QToolButton *> m_buttons;
    std::vector<QSizeF> m_sizes;
    QString m_sheet;  ///< style sheet of each button; empty: the theme's
    int m_turned = 0; ///< wheel movement below one step, in eighths of a degree
};

} // namespace headlight::ui
