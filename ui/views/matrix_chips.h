// Small buttons beside a matrix's title for the settings that it depends on, and a head button
// beside the titles of the other matrices. A click opens the setting's menu. The wheel changes the
// head.
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
    /// Sets the size of the buttons' text in px; 0: the theme's size. Returns true if a size
    /// changed.
    bool setTextSize(int pixels);
    /// Returns the sizes of the buttons, in the order that place() expects.
    const std::vector<QSizeF> &sizes() const { return m_sizes; }
    /// True if the first button is for the head.
    bool beginsWithHead() const;
    /// Returns the sizes of the head's button at other titles: with its word, and with only its
    /// number.
    const std::vector<QSizeF> &headSizes() const { return m_headSizes; }
    /// The head's button at the title of another matrix.
    struct OperandHead {
        QString matrix; ///< name of that matrix
        QRectF rect;    ///< its size is one of headSizes()
    };
    /// Moves the buttons; hides all if there are no places.
    void place(const std::vector<QRectF> &places, const std::vector<OperandHead> &heads);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    QToolButton *make(MechanismActions::Setting setting);
    bool measure();
    void hide(QToolButton &button);
    void placeHeads(const std::vector<OperandHead> &heads);

    MechanismActions &m_mechanism;
    QWidget &m_view;
    std::vector<MechanismActions::Setting> m_settings;
    std::vector<QToolButton *> m_buttons;
    std::vector<QSizeF> m_sizes;
    std::vector<QToolButton *> m_heads; ///< at other titles; some may be hidden
    QToolButton *m_measured;            ///< always hidden; has the head's texts to measure them
    std::vector<QSizeF> m_headSizes;
    QString m_sheet;  ///< style sheet of each button; empty: the theme's
    int m_turned = 0; ///< wheel movement below one step, in eighths of a degree
};

} // namespace headlight::ui
