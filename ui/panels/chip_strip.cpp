#include "ui/panels/chip_strip.h"

#include <QScrollBar>
#include <QToolButton>

namespace headlight::ui {

namespace {

constexpr int kChipAir = 8; // px beside a chip that was scrolled to

} // namespace

ChipStrip::ChipStrip(QWidget *chips, QWidget *parent)
    : QScrollArea(parent),
      m_back(makeButton(QStringLiteral("‹"), tr("Stages to the left"), -1)),
      m_on(makeButton(QStringLiteral("›"), tr("Stages to the right"), 1)) {
    setWidget(chips);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, &ChipStrip::placeButtons);
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, &ChipStrip::placeButtons);
}

ChipStrip::~ChipStrip() {
    horizontalScrollBar()->disconnect(this); // scroll bar emits rangeChanged during destruction
}

QToolButton *ChipStrip::makeButton(const QString &text, const QString &name, int way) {
    auto *button = new QToolButton(this);
    button->setObjectName(QStringLiteral("chipArrow"));
    button->setText(text);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::NoFocus); // keys move between stages
    button->setAutoFillBackground(true);
    button->hide();
    connect(button, &QToolButton::clicked, this, [this, way] {
        QScrollBar *bar = horizontalScrollBar();
        bar->setValue(bar->value() + way * std::max(1, bar->pageStep() - 2 * buttonWidth()));
    });
    return button;
}

int ChipStrip::buttonWidth() const {
    return m_on->sizeHint().width();
}

void ChipStrip::placeButtons() {
    const QScrollBar *bar = horizontalScrollBar();
    const int wide = buttonWidth();
    m_back->setGeometry(0, 0, wide, height());
    m_on->setGeometry(width() - wide, 0, wide, height());
    m_back->setVisible(bar->value() > bar->minimum());
    m_on->setVisible(bar->value() < bar->maximum());
    m_back->raise();
    m_on->raise();
}

void ChipStrip::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    placeButtons();
}

void ChipStrip::show(const QWidget &chip) {
    const QRect place(chip.mapTo(widget(), QPoint()), chip.size());
    const int around = buttonWidth() + kChipAir;
    const int value = horizontalScrollBar()->value(), page = viewport()->width();
    if (place.left() - around < value)
        horizontalScrollBar()->setValue(place.left() - around);
    else if (place.right() + around > value + page)
        horizontalScrollBar()->setValue(place.right() + around - page);
}

} // namespace headlight::ui
