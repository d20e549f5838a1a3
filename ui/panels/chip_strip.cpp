#include "ui/panels/chip_strip.h"

#include <QScrollBar>
#include <QToolButton>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kChipAir = 8; // px between an end button and a chip that was scrolled to

} // namespace

ChipStrip::ChipStrip(QWidget *chips, QWidget *parent)
    : QScrollArea(parent),
      m_back(makeButton(QStringLiteral("‹"), tr("Stages to the left"), &ChipStrip::goBack)),
      m_on(makeButton(QStringLiteral("›"), tr("Stages to the right"), &ChipStrip::goOn)) {
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

QToolButton *ChipStrip::makeButton(const QString &text, const QString &name,
                                   void (ChipStrip::*slot)()) {
    auto *button = new QToolButton(this);
    button->setObjectName(QStringLiteral("chipArrow"));
    button->setText(text);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::NoFocus); // keyboard users move between the chips instead
    button->setAutoFillBackground(true);
    button->hide();
    connect(button, &QToolButton::clicked, this, slot);
    return button;
}

void ChipStrip::nameButtons(const QString &back, const QString &on) {
    for (const auto &[button, name] : {std::pair(m_back, back), std::pair(m_on, on)}) {
        button->setToolTip(name);
        button->setAccessibleName(name);
    }
}

int ChipStrip::buttonWidth() const {
    return m_on->sizeHint().width();
}

std::vector<QRect> ChipStrip::places() const {
    std::vector<QRect> places;
    for (const QWidget *chip :
         widget()->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        if (!chip->isHidden())
            places.emplace_back(chip->mapTo(viewport(), QPoint()), chip->size());
    std::ranges::sort(places, {}, &QRect::left);
    return places;
}

/// Scrolls back until the last chip that was hidden on the left is the last visible one.
void ChipStrip::goBack() {
    QScrollBar *bar = horizontalScrollBar();
    const int edge = m_back->geometry().right();
    int way = -bar->pageStep();
    for (const QRect &place : places())
        if (place.left() <= edge)
            way = place.right() + buttonWidth() + kChipAir - viewport()->width();
    bar->setValue(bar->value() + std::min(way, -1));
}

/// Scrolls forward until the first chip that was hidden on the right is the first visible one.
void ChipStrip::goOn() {
    QScrollBar *bar = horizontalScrollBar();
    const int edge = m_on->geometry().left();
    const std::vector<QRect> all = places();
    const auto hidden =
        std::ranges::find_if(all, [edge](const QRect &place) { return place.right() >= edge; });
    const int way =
        hidden == all.end() ? bar->pageStep() : hidden->left() - buttonWidth() - kChipAir;
    bar->setValue(bar->value() + std::max(way, 1));
}

void ChipStrip::placeButtons() {
    const QScrollBar *bar = horizontalScrollBar();
    int left = buttonWidth(), right = width() - buttonWidth();
    for (const QRect &place : places()) {
        if (place.left() < left && place.right() >= left)
            left = place.right() + 1;
        if (place.right() >= right && place.left() < right)
            right = place.left();
    }
    m_back->setGeometry(0, 0, left, height());
    m_on->setGeometry(right, 0, width() - right, height());
    m_back->setVisible(bar->value() > bar->minimum());
    m_on->setVisible(bar->value() < bar->maximum());
    m_back->raise();
    m_on->raise();
}

void ChipStrip::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    placeButtons();
}

/// Places the buttons later, because the chips are laid out after the scroll bar's range changes.
bool ChipStrip::eventFilter(QObject *object, QEvent *event) {
    if (object == widget() &&
        (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        QMetaObject::invokeMethod(this, &ChipStrip::placeButtons, Qt::QueuedConnection);
    return QScrollArea::eventFilter(object, event);
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
