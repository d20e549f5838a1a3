// Buttons on the visible edges of a close-up's sheets. Each selects the sentence of its sheet.
#pragma once

#include "ui/figures/close_up/close_up_sheets.h"

#include <QObject>
#include <QRect>
#include <QStringList>

#include <vector>

class QAbstractButton;
class QWidget;

namespace headlight::ui {

class Document;

class SheetButtons : public QObject {
  public:
    /// The buttons are children of `view`.
    SheetButtons(Document &document, QWidget &view);

    /// Shows a button for each rectangle, the nearest sheet first. `card` covers all of them. All
    /// rectangles are in widget pixels.
    void place(const std::vector<CloseUpSheet> &sheets, const std::vector<QRect> &places,
               const QRect &card);

  private:
    QAbstractButton *make();

    Document &m_document;
    QWidget &m_view;
    std::vector<QAbstractButton *> m_buttons;
    /// The current state of the buttons. Setting a mask again would repaint the view.
    struct Shown {
        std::vector<core::Index> sequences; ///< selected by the buttons
        QStringList names;
        std::vector<QRect> places;
        QRect card;
        bool operator==(const Shown &) const = default;
    };
    Shown m_shown;
};

} // namespace headlight::ui
