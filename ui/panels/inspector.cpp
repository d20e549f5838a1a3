#include "ui/panels/inspector.h"

#include "ui/panels/inspector_section_view.h"
#include "ui/widgets/dock_title_bar.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTimer>
#include <QVBoxLayout>

namespace headlight::ui {

Inspector::Inspector(Document &document, QWidget *parent)
    : QScrollArea(parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_headline(selectableText("inspectorHeadline")),
      m_place(selectableText("inspectorPlace")),
      m_stale(new QLabel(tr("out of date, recomputing…"))),
      m_staleDelay(new QTimer(this)) {
    setObjectName("inspector");
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::StyledPanel); // shows the focus
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *page = new QWidget;
    m_layout = new QVBoxLayout(page);
    m_layout->setContentsMargins(16, 4, 16, 16);
    m_layout->setSpacing(4);
    m_stale->setObjectName("inspectorStale");
    m_stale->hide();
    m_layout->addWidget(m_headline);
    m_layout->addWidget(m_place);
    m_layout->addWidget(m_stale);
    m_layout->addStretch(1);
    setWidget(page);
    makeActions();

    // Avoids flicker when a computation finishes quickly.
    m_staleDelay->setSingleShot(true);
    m_staleDelay->setInterval(300);
    connect(m_staleDelay, &QTimer::timeout, this, &Inspector::showStale);
    connect(&document, &Document::changed, this, &Inspector::documentChanged);
    setStyle(m_style);
}

QWidget *Inspector::makeTitleBar() {
    auto *copy = new QPushButton(tr("Copy ▾"));
    copy->setObjectName("inspectorCopy");
    copy->setStyleSheet(QStringLiteral("QPushButton::menu-indicator { image: none; width: 0; }"
                                       "QPushButton { padding: 2px 8px; }"));
    copy->setAccessibleName(tr("Copy from the inspector"));
    copy->setToolTip(tr("Copy the value, its terms or the matrix"));
    auto *menu = new QMenu(copy);
    menu->addActions(inspectActions());
    copy->setMenu(menu);
    return makeDockTitleBar({tr("INSPECTOR"), tr("Hide the inspector"),
                             tr("Hide the inspector (View → Panels → Inspector brings it back)")},
                            copy);
}

void Inspector::setStyle(const FigureStyle &style) {
    m_style = style;
    setStyleSheet(QStringLiteral("QLabel#arithmetic { font-family: \"%1\"; font-size: %2px; }"
                                 "QLabel#inspectorHeadline { font-size: %3px; }"
                                 "QLabel#inspectorPlace, QLabel#inspectorText { color: %4; }"
                                 "QLabel#inspectorStale { color: %5; }"
                                 "QScrollBar:vertical { background: transparent; width: 10px; }"
                                 "QScrollBar::handle:vertical { background: %6; border-radius: 4px;"
                                 " min-height: 24px; margin: 1px; }"
                                 "QScrollBar::handle:vertical:hover { background: %4; }"
                                 "QScrollBar::add-line, QScrollBar::sub-line { height: 0; }"
                                 "QScrollBar::add-page, QScrollBar::sub-page { background: none; }")
                      .arg(style.monospace().family())
                      .arg(style.monospace().pixelSize())
                      .arg(style.font(FigureStyle::Text::Title).pixelSize())
                      .arg(style.mutedText.name(), style.selection.name(),
                           mixed(style.mutedText, style.surface, 0.45).name()));
    updateGeometry();
    m_outdated = true;
    if (inSight())
        refresh();
}

void Inspector::setInSight(bool isInSight) {
    m_inSight = isInSight;
    if (m_outdated && inSight())
        refresh();
}

QSize Inspector::sizeHint() const {
    return {qRound(300 * std::min(m_style.textScale, 1.5)), 480};
}

QSize Inspector::minimumSizeHint() const {
    return {qRound(220 * std::min(m_style.textScale, 1.5)), 120};
}

const InspectorContent &Inspector::content() {
    if (m_outdated)
        refresh();
    return m_content;
}

void Inspector::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event)))
        m_staleDelay->start();
    if (is<TraceChanged>(event)) {
        m_staleDelay->stop();
        showStale();
    }
    if (is<FilesChanged>(event)) {
        showStale();
        m_outdated = true; // values that were not read yet are no longer available
        if (inSight())
            refresh();
    }
    if (is<SessionChanged>(event) || is<TraceChanged>(event) || is<SelectionChanged>(event) ||
        is<ComparisonChanged>(event)) {
        m_outdated = true;
        updateActions();
        if (inSight())
            refresh();
    }
}

/// Shows whether the values are out of date, and why.
void Inspector::showStale() {
    const bool isOfFile = m_document.changedFile().has_value();
    m_stale->setText(isOfFile ? tr("out of date: a file was changed on disk")
                              : tr("out of date, recomputing…"));
    m_stale->setVisible(m_document.trace() && (isOfFile || m_document.traceIsStale()));
}

void Inspector::showEvent(QShowEvent *event) {
    if (m_outdated && inSight())
        refresh();
    QScrollArea::showEvent(event);
}

void Inspector::refresh() {
    m_outdated = false;
    const core::Selection selection = m_document.selectionInTrace();
    m_content = inspect(m_document.trace().get(), selection, m_style);
    const Compared compared = m_document.comparison().compared();
    if (!m_content.isEmpty)
        if (auto section = inspectComparison(*m_document.trace(), selection, compared))
            m_content.sections.insert(std::min<qsizetype>(1, m_content.sections.size()),
                                      *std::move(section));
    if (!m_showText->isChecked())
        m_content.sections.removeIf([](const InspectorSection &each) { return each.isOfText; });
    showContent();
}

void Inspector::showContent() {
    m_headline->setText(m_content.headline);
    m_headline->setToolTip(m_content.isEmpty ? QString() : m_content.title.toHtmlEscaped());
    m_headline->setAccessibleName(m_content.title);
    m_place->setText(m_content.place);
    m_place->setVisible(!m_content.place.isEmpty());
    while (m_sections.size() < m_content.sections.size()) {
        auto *section = new InspectorSectionView;
        section->setContentsMargins(0, 12, 0, 0);
        connect(section, &InspectorSectionView::termHovered, this, &Inspector::termHovered);
        connect(section, &InspectorSectionView::termRequested, this, &Inspector::termRequested);
        m_layout->insertWidget(m_layout->count() - 1, section); // insert before the stretch
        m_sections.append(section);
    }
    for (qsizetype i = 0; i < m_sections.size(); ++i) {
        const bool used = i < m_content.sections.size();
        if (used)
            m_sections[i]->show(m_content.sections[i], m_style, m_showTerms->isChecked());
        m_sections[i]->setVisible(used);
    }
    updateActions();
}

void Inspector::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    if (const auto *label = qobject_cast<QLabel *>(childAt(event->pos()));
        label && label->hasSelectedText()) {
        menu.addAction(tr("Copy selected text"), this, [this, text = label->selectedText()] {
            toClipboard(text, tr("the selected text"));
        });
        menu.addSeparator();
    }
    menu.addActions(inspectActions());
    menu.exec(event->globalPos());
}

QList<QAction *> Inspector::inspectActions() const {
    return {m_copyValue, m_copyTerms, m_copyCsv,   m_copyTabs,
            m_saveCsv,   m_copyNumpy, m_showTerms, m_showText};
}

} // namespace headlight::ui
