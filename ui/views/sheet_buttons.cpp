#include "ui/views/sheet_buttons.h"

#include "ui/document/document.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QPainter>

#include <utility>

namespace headlight::ui {

namespace {

struct SheetButtonText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SheetButtons)
};

constexpr int kHoverAlpha = 90;

/// A transparent button, which is tinted while the mouse is over it.
class EdgeOfSheet : public QAbstractButton {
  public:
    using QAbstractButton::QAbstractButton;

  protected:
    void paintEvent(QPaintEvent *) override {
        if (!underMouse())
            return;
        QColor tint = palette().color(QPalette::Highlight);
        tint.setAlpha(kHoverAlpha);
        QPainter(this).fillRect(rect(), tint);
    }
};

} // namespace

SheetButtons::SheetButtons(Document &document, QWidget &view)
    : QObject(&view), m_document(document), m_view(view) {}

QAbstractButton *SheetButtons::make() {
    auto *button = new EdgeOfSheet(&m_view);
    button->setObjectName("sheet");
    // No focus is needed, because "Previous sentence" and "Next sentence" have keys.
    button->setFocusPolicy(Qt::NoFocus);
    button->setAttribute(Qt::WA_Hover);
    button->setCursor(Qt::PointingHandCursor);
    connect(button, &QAbstractButton::clicked, this, [this, index = m_buttons.size()] {
        core::Selection selection = m_document.selection();
        selection.sequence = m_shown.sequences[index];
        m_document.select(selection);
    });
    return button;
}

void SheetButtons::place(const std::vector<CloseUpSheet> &sheets, const std::vector<QRect> &places,
                         const QRect &card) {
    Shown shown{{}, {}, places, card};
    for (std::size_t i = 0; i < places.size(); ++i) {
        shown.sequences.push_back(sheets[i].sequence);
        shown.names << sheets[i].name;
    }
    if (shown == m_shown)
        return;
    m_shown = std::move(shown);
    while (m_buttons.size() < places.size())
        m_buttons.push_back(make());
    QRegion covered(card);
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QAbstractButton *button = m_buttons[i];
        if (i >= places.size()) {
            button->hide();
            continue;
        }
        button->setAccessibleName(sheets[i].name);
        button->setToolTip(SheetButtonText::tr("%1 (click to show it)").arg(sheets[i].name));
        const QRect &sheet = places[i];
        button->setGeometry(sheet);
        // Only the part that nearer sheets and the card leave visible reacts to the mouse.
        button->setMask((QRegion(sheet) - covered).translated(-sheet.topLeft()));
        button->show(); // once it is placed, because Qt checks whether the mouse is over it
        covered += sheet;
    }
}

} // namespace headlight::ui
