#include "ui/views/compare_bar.h"

#include "ui/widgets/bar_buttons.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace headlight::ui {

QString titleOf(ComparisonSide shown) {
    switch (shown) {
    case ComparisonSide::Now:
        return CompareBar::tr("Current");
    case ComparisonSide::A:
        return CompareBar::tr("A");
    case ComparisonSide::Difference:
        return CompareBar::tr("Difference");
    }
    return {};
}

CompareBar::CompareBar(Comparison &comparison, QWidget *parent)
    : QWidget(parent), m_comparison(comparison) {
    setObjectName("compareBar");
    setAccessibleName(tr("Side of the comparison"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const ComparisonSide shown : kShown) {
        QToolButton *button = barButton("show-" + nameOf(shown));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setAutoExclusive(true);
        button->setAccessibleName(tr("Show %1").arg(titleOf(shown)));
        connect(button, &QToolButton::clicked, this, [this, shown] { m_comparison.show(shown); });
        m_buttons << button;
        layout->addWidget(button);
    }
    connect(&comparison, &Comparison::changed, this, &CompareBar::showState);
    setShort(false);
    showState();
}

void CompareBar::setView(const ViewInfo &view) {
    m_view = &view;
    showState();
}

void CompareBar::setShort(bool isShort) {
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const ComparisonSide shown = kShown[static_cast<std::size_t>(i)];
        m_buttons[i]->setText(isShort && shown == ComparisonSide::Difference ? QStringLiteral("Δ")
                                                                             : titleOf(shown));
    }
}

void CompareBar::showState() {
    const QString name = m_comparison.compared().name;
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const ComparisonSide shown = kShown[static_cast<std::size_t>(i)];
        QToolButton *button = m_buttons[i];
        button->setChecked(shown == m_comparison.shown());
        const bool hasNone =
            shown == ComparisonSide::Difference && m_view && !m_view->showsDifference;
        button->setEnabled(shown == ComparisonSide::Now || (m_comparison.hasA() && !hasNone));
        button->setToolTip(
            hasNone                        ? tr("%1 shows one run at a time").arg(titleOf(*m_view))
            : !m_comparison.hasA()         ? tr("Nothing to compare with yet. Compare → Pin as A "
                                                        "(Ctrl+Shift+A) keeps the current state as A")
            : shown == ComparisonSide::Now ? tr("The current numbers (Ctrl+1)")
            : shown == ComparisonSide::A
                ? tr("The numbers of A: %1 (Ctrl+2)").arg(name)
                : tr("The difference: current − A, where A is %1 (Ctrl+3)").arg(name));
    }
}

} // namespace headlight::ui
