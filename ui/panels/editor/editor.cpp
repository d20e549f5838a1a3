#include "ui/panels/editor/editor.h"

#include "ui/panels/editor/heads_page.h"
#include "ui/panels/editor/mask_page.h"
#include "ui/panels/editor/numbers_page.h"
#include "ui/panels/editor/tokens_page.h"
#include "ui/text/capture_text.h"
#include "ui/widgets/dock_title_bar.h"
#include "ui/widgets/scrolling_page.h"

#include <QLabel>
#include <QScrollArea>
#include <QTabBar>

#include <algorithm>

namespace headlight::ui {

Editor::Editor(Document &document, QAction &painting, QWidget *parent)
    : QTabWidget(parent),
      m_document(document),
      m_style(FigureStyle::light()),
      m_numbers(new NumbersPage(document)),
      m_mask(new MaskPage(document, painting)),
      m_heads(new HeadsPage(document)),
      m_tokens(new TokensPage(document)),
      m_nothing(new QLabel(readOnlyReason())) {
    setObjectName("editor");
    setAccessibleName(tr("Editor"));
    setDocumentMode(true);
    tabBar()->setAccessibleName(tr("Part to edit"));
    tabBar()->setExpanding(true);
    // In a narrow dock the names are elided, because arrows would hide pages.
    setUsesScrollButtons(false);
    tabBar()->setElideMode(Qt::ElideRight);
    addTab(scrollingPage(m_numbers), tr("Numbers"));
    addTab(scrollingPage(m_mask), tr("Mask"));
    addTab(scrollingPage(m_heads), tr("Heads"));
    addTab(scrollingPage(m_tokens), tr("Tokens"));
    m_nothing->setObjectName("explanation");
    m_nothing->setWordWrap(true);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_nothing->setContentsMargins(16, 16, 16, 16);
    addTab(m_nothing, tr("Nothing to edit"));
    setTabVisible(indexOf(m_nothing), false);
    connect(m_numbers, &NumbersPage::failed, this, &Editor::failed);
    connect(m_numbers, &NumbersPage::statusMessage, this, &Editor::statusMessage);
    connect(m_mask, &MaskPage::failed, this, &Editor::failed);
    connect(m_heads, &HeadsPage::failed, this, &Editor::failed);
    connect(m_tokens, &TokensPage::failed, this, &Editor::failed);
    connect(this, &QTabWidget::currentChanged, this, &Editor::refresh);
    connect(&document, &Document::changed, this, &Editor::documentChanged);
}

QWidget *Editor::makeTitleBar() {
    return makeDockTitleBar({tr("EDITOR"), tr("Hide the editor"),
                             tr("Hide the editor (View → Panels → Editor brings it back)")});
}

void Editor::setStyle(const FigureStyle &style) {
    m_style = style;
    m_numbers->setStyle(style);
    updateGeometry();
    refresh();
}

void Editor::setInSight(bool isInSight) {
    m_inSight = isInSight;
    refresh();
}

void Editor::showWhatCanBeEdited() {
    const bool isNothing = m_document.isCapture();
    const int nothing = indexOf(m_nothing);
    if (isTabVisible(nothing) == isNothing)
        return;
    setTabVisible(nothing, isNothing);
    for (int page = 0; page < count(); ++page)
        if (page != nothing)
            setTabVisible(page, !isNothing);
    setCurrentIndex(isNothing ? nothing : 0);
}

void Editor::showPage(const QString &name) {
    if (const auto index = QStringList{"numbers", "mask", "heads", "tokens"}.indexOf(name);
        index >= 0)
        setCurrentIndex(static_cast<int>(index));
}

void Editor::showMask() {
    setCurrentIndex(1);
}

void Editor::showHeads() {
    setCurrentIndex(2);
}

void Editor::showNumbers() {
    setCurrentIndex(0);
}

void Editor::editSelectedScore() {
    showNumbers();
    m_numbers->editSelected(m_document.selection());
}

void Editor::showNumber(const core::ParameterId &id, core::Index row, core::Index column) {
    showNumbers();
    m_numbers->showNumber(id, row, column);
}

QSize Editor::sizeHint() const {
    return {qRound(300 * std::min(m_style.textScale, 1.5)), 480};
}

QSize Editor::minimumSizeHint() const {
    return {qRound(260 * std::min(m_style.textScale, 1.5)), 160};
}

void Editor::showEvent(QShowEvent *event) {
    QTabWidget::showEvent(event);
    refresh();
}

void Editor::documentChanged(const ChangeEvent &event) {
    if (is<SessionChanged>(event)) {
        m_stageChanged = true;
        showWhatCanBeEdited();
    }
    if (const auto *selected = std::get_if<SelectionChanged>(&event))
        if (selected->before.stage != m_document.selection().stage) {
            m_stageChanged = true;
            followStage();
        }
    refresh();
}

/// Shows the numbers or the mask from which the selected stage is computed. Other pages stay open.
void Editor::followStage() {
    if (m_document.isCapture())
        return;
    const core::Stage stage = m_document.selection().stage;
    const bool masked = stage == core::Stage::MaskedScores ||
                        stage == core::Stage::UnmaskedWeights ||
                        stage == core::Stage::AttentionWeights;
    if (currentIndex() == 0 && masked)
        showMask();
    else if (currentIndex() == 1 && targetFor(m_document.state(), m_document.selection()))
        showNumbers();
}

void Editor::refresh() {
    if (!m_inSight || !isVisible() || !m_document.state().input.batch || m_document.isCapture())
        return;
    switch (currentIndex()) {
    case 0:
        m_numbers->update(std::exchange(m_stageChanged, false));
        break;
    case 1:
        m_mask->update();
        break;
    case 2:
        m_heads->update();
        break;
    default:
        m_tokens->update();
    }
}

} // namespace headlight::ui
