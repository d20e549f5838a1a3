#include "ui/panels/formula_bar.h"

#include "core/explain/parameter_matrix_view.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/panels/formula_link.h"
#include "ui/text/attention_names.h"
#include "ui/text/glossary/glossary.h"
#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"
#include "ui/text/symbol_text.h"

#include <QPainter>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kShownKey[] = "formula/shown";

/// Returns the sizes of a stage's matrix by name, for example "T, d_k".
QString sizesOf(const core::Trace &trace, const core::StageId &at) {
    const core::StageInfo &info = core::infoOf(at.stage);
    const bool isCross = at.attention.block == core::Block::CrossAttention;
    const QString keys = isCross ? QStringLiteral("S") : QStringLiteral("T");
    const QString rows = info.rowsAreDistances() ? QStringLiteral("2k")
                         : info.ofKeys()         ? keys
                                                 : QStringLiteral("T");
    if (info.overDistances())
        return QStringLiteral("%1, 2k").arg(rows);
    if (info.overKeys())
        return QStringLiteral("%1, %2").arg(rows, keys);
    const bool ofValues = info.role == core::Role::Value || info.role == core::Role::Context;
    const bool ofOthers = ofValues && trace.model().config.valueSize > 0;
    QString columns = ofOthers ? QStringLiteral("d_v") : QStringLiteral("d_k");
    if (at.stage == core::Stage::Concatenated)
        columns = QStringLiteral("h·%1").arg(columns);
    else if (!info.perHead)
        columns = QStringLiteral("C");
    return QStringLiteral("%1, %2").arg(rows, columns);
}

QString sizeText(const QString &sizes, core::Index rows, core::Index columns) {
    return FormulaField::tr("[%1] = %2").arg(plainSymbols(sizes), shapeText(rows, columns));
}

} // namespace

FormulaField::FormulaField(Document &document, QWidget *parent)
    : QWidget(parent), m_document(document), m_style(FigureStyle::light()) {
    setObjectName("formula");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumWidth(160);
    connect(&document, &Document::changed, this, &FormulaField::documentChanged);
}

void FormulaField::setStyle(const FigureStyle &style) {
    m_style = style;
    read();
}

void FormulaField::leaveFocusAlone() {
    m_linkFocus = Qt::NoFocus;
    for (FormulaLink *link : std::as_const(m_links))
        link->setFocusPolicy(m_linkFocus);
}

void FormulaField::documentChanged(const ChangeEvent &event) {
    if (is<TraceChanged>(event) || is<SelectionChanged>(event))
        read();
}

FormulaStripGeometry FormulaField::geometryNow() const {
    return m_strip.geometry(width());
}

void FormulaField::read() {
    const core::TracePointer &trace = m_document.trace();
    if (!trace)
        return;
    core::WholeFormula formula = core::wholeFormulaOf(*trace, m_document.selectionInTrace());
    const QString place = attentionName(trace->model(), formula.attention);
    m_strip = FormulaStrip(std::move(formula), place, m_style);
    makeLinks(*trace);
    placeLinks();
    setAccessibleName(tr("Whole formula"));
    setAccessibleDescription(m_strip.description());
    update();
}

/// Reuses existing links so that they keep the focus.
void FormulaField::makeLinks(const core::Trace &trace) {
    std::vector<core::FormulaPart> parts;
    for (const core::FormulaPart &part : m_strip.formula().parts)
        if (part.isThere && !part.link.isEmpty())
            parts.push_back(part);
    std::ranges::sort(parts, {}, [](const core::FormulaPart &part) { return part.link.first; });
    while (m_links.size() > std::ssize(parts)) {
        FormulaLink *last = m_links.takeLast();
        last->hide();
        last->setObjectName({});
        last->deleteLater(); // later, because the link may be handling a click
    }
    while (m_links.size() < std::ssize(parts))
        m_links.append(newLink());
    for (qsizetype i = 0; i < m_links.size(); ++i) {
        m_links[i]->setPart(parts[static_cast<std::size_t>(i)]);
        nameLink(trace, *m_links[i]);
    }
}

FormulaLink *FormulaField::newLink() {
    auto *link = new FormulaLink(this);
    link->setFocusPolicy(m_linkFocus);
    connect(link, &FormulaLink::pointedAtChanged, this, [this, link] {
        emit termHovered(link->underMouse() ? entryOf(link->part().at.stage).id : QString());
        update();
    });
    connect(link, &FormulaLink::clicked, this, [this, link] { follow(*link); });
    connect(link, &FormulaLink::left, this, [this, link](int way) {
        const qsizetype at = m_links.indexOf(link) + way;
        if (at >= 0 && at < m_links.size())
            m_links[at]->setFocus(Qt::TabFocusReason);
    });
    link->show();
    return link;
}

core::Selection FormulaField::selectionOf(const core::FormulaPart &part) const {
    core::Selection selection = atStage(m_document.selection(), part.at);
    if (core::infoOf(part.at.stage).perHead)
        selection.head = part.head;
    return selection;
}

void FormulaField::follow(const FormulaLink &link) {
    m_document.select(selectionOf(link.part()));
}

/// Names a link, for example "Q: queries". The tooltip adds the matrix's size, its position and how
/// it is computed.
void FormulaField::nameLink(const core::Trace &trace, FormulaLink &link) const {
    const core::FormulaPart &part = link.part();
    const core::Selection place = selectionOf(part);
    const bool isWeight = m_strip.text(part.link).startsWith(QLatin1Char('W'));
    const core::StageInfo &info = core::infoOf(part.at.stage);
    const QString symbol = m_strip.text(isWeight ? part.link : part.whole);
    const QString title = isWeight ? tr("parameters") : titleOf(trace.model(), part.at.stage);
    QStringList facts;
    if (const auto learned = core::parameterMatrixView(trace, place); isWeight && learned)
        facts << sizeText(QStringLiteral("h·d_v, C"), learned->block.rows, learned->block.columns);
    else if (const core::MatrixSize size = core::sizeAt(trace, place); !isWeight && size.rows > 0)
        facts << sizeText(sizesOf(trace, part.at), size.rows, size.columns);
    if (const QString where = attentionName(trace.model(), part.at.attention); !where.isEmpty())
        facts << where;
    if (info.perHead)
        facts << tr("head %1").arg(place.head);
    QStringList lines{labelled(symbol, title), enumerated(facts),
                      plainText(formulaSpans(trace, place, m_style)).simplified()};
    const core::Scale &scale = trace.model().config.scale;
    if (part.at.stage == core::Stage::ScaledScores && !trace.model().isCaptured() &&
        scale.kind == core::Scale::Kind::SquareRoot)
        lines
            << plainSymbols(tr("d_k = %1, the width of a head")).arg(trace.model().config.headSize);
    lines.removeAll(QString());
    link.setAccessibleName(labelled(symbol, title));
    link.setToolTip(lines.join(QLatin1Char('\n')));
    lines.removeFirst();
    link.setAccessibleDescription(sentences(lines));
}

void FormulaField::placeLinks() {
    const FormulaStripGeometry places = geometryNow();
    if (const int high = static_cast<int>(places.height); height() != high)
        setFixedHeight(high);
    for (FormulaLink *link : std::as_const(m_links))
        link->setGeometry(places.rectsOf(link->part().link).front().toAlignedRect());
}

void FormulaField::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    placeLinks();
}

void FormulaField::paintEvent(QPaintEvent *) {
    if (!m_document.trace())
        return;
    QPainter painter(this);
    std::vector<core::FormulaPart> pointedAt;
    for (const FormulaLink *link : std::as_const(m_links))
        if (link->isPointedAt())
            pointedAt.push_back(link->part());
    m_strip.paint(painter, geometryNow(), m_strip.formula().partsAt(m_document.selectionInTrace()),
                  pointedAt);
}

FormulaBar::FormulaBar(Document &document, QWidget *parent)
    : QToolBar(tr("Whole formula"), parent),
      m_document(document),
      m_field(new FormulaField(document)),
      m_show(toggleViewAction()) {
    setObjectName("formulaBar");
    setMovable(false);
    addWidget(m_field);
    m_show->setText(tr("Whole &formula"));
    m_show->setShortcut(Qt::Key_F);
    m_show->setToolTip(tr("Show the whole attention formula in one line. Each symbol leads to its "
                          "matrix; symbols of the current stage are highlighted (F)"));
    connect(m_show, &QAction::triggered, this, [this](bool on) {
        m_isWanted = on;
        m_asked.reset();
        QSettings().setValue(kShownKey, on);
        showOrHide();
    });
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) && !m_document.session().lesson)
            m_asked.reset();
        const auto *state = std::get_if<StateChanged>(&event);
        if (is<StepShown>(event) || (state && state->lesson && m_document.lessonStep())) {
            const std::optional<bool> setting =
                m_document.lessonStep()->panels[static_cast<std::size_t>(core::Panel::Formula)];
            if (std::exchange(m_stepSetting, setting) != setting || is<StepShown>(event))
                m_asked = setting;
        }
        showOrHide();
    });
    hide();
}

void FormulaBar::restore() {
    m_isWanted = QSettings().value(kShownKey, false).toBool();
    showOrHide();
}

void FormulaBar::showOrHide() {
    const bool isShown = m_asked.value_or(m_isWanted);
    if (isShown == isHidden())
        setVisible(isShown);
}

} // namespace headlight::ui
