#include "ui/window/presenting/presented_names.h"

#include "ui/views/make_view.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace headlight::ui {

namespace {

constexpr int kNameAir = 4 + 4 + 4; // px around a name: its padding, a border, and rounding
constexpr int kBetweenNames = 4;    // px

} // namespace

PresentedNames::PresentedNames(const QList<FigureView *> &views, QWidget *parent)
    : QWidget(parent) {
    // The text size depends on the width.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    for (QHBoxLayout *&line : m_lines) {
        line = new QHBoxLayout;
        line->setSpacing(kBetweenNames);
        line->addStretch();
        lines->addLayout(line);
    }
    for (qsizetype index = 0; index < views.size(); ++index) {
        const FigureView &view = *views[index];
        auto *button = new QToolButton(this);
        button->setObjectName("presentedView");
        button->setText(view.accessibleName());
        if (const QKeySequence key = keyOfTab(static_cast<int>(index)); !key.isEmpty())
            button->setToolTip(
                tr("%1 (%2)").arg(view.accessibleName(), key.toString(QKeySequence::NativeText)));
        button->setAccessibleName(button->text());
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::NoFocus); // Space steps forward
        connect(button, &QToolButton::clicked, this,
                [this, name = view.viewName()] { emit chosen(name); });
        m_names.append({view.info().view, button});
    }
}

void PresentedNames::showOrHide(const Name &name) {
    name.button->setVisible(name.isThere || name.button->isChecked());
}

void PresentedNames::setCurrent(core::View view) {
    for (const Name &name : std::as_const(m_names)) {
        name.button->setChecked(name.view == view);
        showOrHide(name);
    }
}

void PresentedNames::setThere(core::View view, bool isThere) {
    for (Name &name : m_names)
        if (name.view == view) {
            name.isThere = isThere;
            showOrHide(name);
        }
}

int PresentedNames::lengthOf(const Name &name, int pixels) const {
    QFont font = name.button->font();
    font.setPixelSize(pixels);
    return QFontMetrics(font).horizontalAdvance(name.button->text() + "  ") + kNameAir +
           kBetweenNames;
}

QList<PresentedNames::Name> PresentedNames::shown() const {
    QList<Name> there;
    for (const Name &name : m_names)
        if (!name.button->isHidden())
            there << name;
    return there;
}

int PresentedNames::widthOf(int pixels, int lines) const {
    const QList<Name> there = shown();
    const qsizetype perLine = (there.size() + lines - 1) / lines;
    int widest = 0;
    for (qsizetype begin = 0; begin < there.size(); begin += perLine) {
        int width = 0;
        for (const Name &name : there.mid(begin, perLine))
            width += lengthOf(name, pixels);
        widest = std::max(widest, width);
    }
    return widest;
}

void PresentedNames::placeIn(int width, int pixels) {
    const QList<Name> there = shown();
    const qsizetype end = widthOf(pixels) <= width ? there.size() : (there.size() + 1) / 2;
    for (qsizetype i = 0; i < there.size(); ++i) {
        QHBoxLayout *line = m_lines[i < end ? 0 : 1];
        m_lines[0]->removeWidget(there[i].button);
        m_lines[1]->removeWidget(there[i].button);
        line->insertWidget(line->count() - 1, there[i].button); // insert before the stretch
    }
}

} // namespace headlight::ui
