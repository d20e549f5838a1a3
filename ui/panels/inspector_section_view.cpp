#include "ui/panels/inspector_section_view.h"

#include "ui/panels/term_bars.h"
#include "ui/text/glossary/term_html.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kRowsInSight = 6; // visible rows of bars; further rows scroll
constexpr std::size_t kTermsAsText =
    256; // longer series are truncated, but can be copied completely
constexpr std::size_t kAlwaysAsText = 4; // up to this many bars, values are always shown as text

void setTextOrHide(QLabel *label, const QString &text) {
    if (label->text() != text)
        label->setText(text);
    label->setVisible(!text.isEmpty());
}

QString termsText(const TermSeries &series) {
    QStringList lines;
    const std::size_t shown = std::min(series.terms.size(), kTermsAsText);
    for (std::size_t i = 0; i < shown; ++i)
        lines << series.words(i).toHtmlEscaped();
    if (shown < series.terms.size())
        lines << InspectorSectionView::tr("… and %n more: copy them all with the Copy menu",
                                          nullptr, static_cast<int>(series.terms.size() - shown));
    return lines.join(QStringLiteral("<br>"));
}

} // namespace

QLabel *selectableText(const char *name) {
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
    label->setContextMenuPolicy(Qt::NoContextMenu); // the inspector has its own menu
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

void showTermTip(QLabel &label, const QString &link) {
    const auto entry = entryOfTerm(termOfLink(link));
    label.setToolTip(entry ? tipOf(*entry) : QString());
}

InspectorSectionView::InspectorSectionView(QWidget *parent)
    : QWidget(parent),
      m_style(FigureStyle::light()),
      m_heading(selectableText("eyebrow")),
      m_words(selectableText("inspectorText")),
      m_lines(selectableText("arithmetic")),
      m_barsArea(new QScrollArea),
      m_bars(new TermBars),
      m_caption(selectableText("arithmetic")),
      m_terms(selectableText("arithmetic")) {
    m_barsArea->setWidget(m_bars);
    m_barsArea->setWidgetResizable(true);
    m_barsArea->setFrameShape(QFrame::NoFrame);
    m_barsArea->setFocusPolicy(Qt::NoFocus);
    m_barsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    for (QWidget *part : {static_cast<QWidget *>(m_heading), static_cast<QWidget *>(m_words),
                          static_cast<QWidget *>(m_lines), static_cast<QWidget *>(m_barsArea),
                          static_cast<QWidget *>(m_caption), static_cast<QWidget *>(m_terms)})
        layout->addWidget(part);
    for (QLabel *label : {m_heading, m_words, m_lines}) {
        connect(label, &QLabel::linkHovered, this, [this, label](const QString &link) {
            showTermTip(*label, link);
            emit termHovered(termOfLink(link));
        });
        connect(label, &QLabel::linkActivated, this, [this](const QString &link) {
            if (const QString id = termOfLink(link); !id.isEmpty())
                emit termRequested(id);
        });
    }
    connect(m_bars, &TermBars::pointedAt, this, [this](const QString &words) {
        setTextOrHide(m_caption,
                      (words.isEmpty() ? m_section.series.summary() : words).toHtmlEscaped());
    });
}

void InspectorSectionView::show(const InspectorSection &section, const FigureStyle &style,
                                bool terms) {
    m_section = section;
    m_style = style;
    setTextOrHide(m_heading, section.heading);
    setTextOrHide(m_words, section.words);
    const bool hasBars = !section.series.empty();
    m_barsArea->setVisible(hasBars && !section.series.allZero());
    m_bars->setStyle(style);
    m_bars->setSeries(section.series);
    m_bars->setAccessibleName(QTextDocumentFragment::fromHtml(section.heading).toPlainText());
    setTextOrHide(m_caption, hasBars ? section.series.summary().toHtmlEscaped() : QString());
    const bool asText = hasBars && (terms || section.series.terms.size() <= kAlwaysAsText);
    setTextOrHide(m_terms, asText ? termsText(section.series) : QString());
    layOutLines();
    layOutBars();
}

void InspectorSectionView::layOutLines() {
    if (m_section.lines.isEmpty())
        return setTextOrHide(m_lines, {});
    const int character = QFontMetrics(m_style.monospace()).horizontalAdvance(QLatin1Char('0'));
    const bool stacked = lineCharacters(m_section.lines) * character > width();
    setTextOrHide(m_lines, linesHtml(m_section.lines, m_style, stacked));
}

void InspectorSectionView::layOutBars() {
    if (m_section.series.empty())
        return;
    const TermBarsGeometry places = m_bars->geometryAt(width());
    const int rows = std::min(places.rows(), kRowsInSight);
    m_barsArea->setFixedHeight(qCeil(places.rowTop(rows)));
}

void InspectorSectionView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOutLines();
    layOutBars();
}

} // namespace headlight::ui
