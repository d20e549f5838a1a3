// Options of a view: saved under its name, or overridden by a lesson's step.
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/views/colour_bar_button.h"
#include "ui/views/figure_view.h"
#include "ui/views/option_choices.h"
#include "ui/views/token_finder.h"

#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kCombinedHeads[] = "combinedHeads"; // key in the settings

} // namespace

FigureStyle FigureView::withMaps(FigureStyle style) const {
    const FigureStyle plain;
    style.weightsMap = m_weightsMap.value_or(plain.weightsMap);
    style.signedMap = m_signedMap.value_or(plain.signedMap);
    return style;
}

void FigureView::applyMaps() {
    m_style = withMaps(m_style);
}

void FigureView::save(const QString &key, const QString &value) const {
    QSettings().setValue(QStringLiteral("views/%1/%2").arg(viewName(), key), value);
}

QString FigureView::saved(const char *key) const {
    return QSettings()
        .value(QStringLiteral("views/%1/%2").arg(viewName(), QLatin1String(key)))
        .toString();
}

void FigureView::restoreOptions() {
    for (const OptionChoice &each : optionChoices())
        if (!each.isLook)
            each.restore(saved(each.key), m_options);
    const auto weights = findColourMap(saved("weights"));
    if (weights && !isDiverging(*weights))
        m_weightsMap = weights;
    const auto values = findColourMap(saved("signed"));
    if (values && isDiverging(*values))
        m_signedMap = values;
    applyMaps();
    restoreLook();
}

void FigureView::restoreLook() {
    for (const OptionChoice &each : optionChoices())
        if (each.isLook)
            each.restore(saved(each.key), m_options);
    if (m_info.has(Choice::Combination))
        m_options.headLines.heads = {false, headsOfSetting(saved(kCombinedHeads))};
}

void FigureView::showLook(const core::ViewOptions &look) {
    const FigureOptions before = m_options;
    m_options = {};
    m_options.range = before.range;
    m_options.scaling = before.scaling;
    m_options.blocks = before.blocks;
    m_options.order = before.order;
    m_options.measure = before.measure;
    m_options.granularity = before.granularity; // the filmstrip sets the granularity
    if (m_info.has(Choice::Planes)) {
        m_options.plane.axes = look.axes;
        m_options.plane.spaces = look.spaces;
    }
    if (m_options != before)
        emit optionsChanged();
    fit();
    m_origin.reset();
    m_mustFollow = true;
    m_seeks = Seek::Everything; // scroll until the subject of the step is visible
    remake();
}

void FigureView::choose(const ViewChoices &choices) {
    const Granularity before = m_options.granularity; // the filmstrip sets the granularity
    FigureStyle unused;
    apply(choices, m_options, unused);
    m_options = chosenFor(m_info, m_options);
    m_options.granularity = before;
    if (m_info.has(Choice::Colours)) {
        m_weightsMap = choices.weightsMap ? choices.weightsMap : m_weightsMap;
        m_signedMap = choices.signedMap ? choices.signedMap : m_signedMap;
    }
    applyMaps();
    emit optionsChanged();
    remake();
    if (choices.gradients && m_info.has(Choice::BackwardPass))
        setShowGradients(*choices.gradients);
}

FigureOptions FigureView::optionsOfFigure() const {
    FigureOptions options = chosenFor(m_info, m_options);
    options.compared = m_document.comparison().compared();
    options.closeUp = m_closeUp;
    return options;
}

void FigureView::setOptions(FigureOptions options) {
    const FigureOptions before = m_options;
    if (!m_info.has(Choice::Planes))
        options.plane = before.plane;
    if (!m_info.has(Choice::ChosenHeads))
        options.headLines.heads = before.headLines.heads;
    if (!m_info.has(Choice::HeadLines))
        options.headLines.threshold = before.headLines.threshold;
    for (const OptionChoice &each : optionChoices()) {
        const OptionValue &now = each.valueIn(options);
        const OptionValue &then = each.valueIn(before);
        if (!m_info.has(each.choice))
            then.set(options);
        else if (&now != &then)
            save(QLatin1String(each.key), now.word);
    }
    if (options == before)
        return;
    if (m_info.has(Choice::Combination) && options.headLines.heads != before.headLines.heads)
        save(QLatin1String(kCombinedHeads), settingOf(options.headLines.heads.heads));
    m_options = std::move(options);
    emit optionsChanged();
    remake();
}

void FigureView::setColours(ColourMap map) {
    if (!m_info.has(Choice::Colours))
        return;
    (isDiverging(map) ? m_signedMap : m_weightsMap) = map;
    save(isDiverging(map) ? QStringLiteral("signed") : QStringLiteral("weights"), nameOf(map));
    applyMaps();
    emit optionsChanged();
    remake();
}

bool FigureView::hasColourBar() const {
    return m_colourBar && m_colourBar->isVisibleTo(this);
}

void FigureView::openLookMenu() {
    if (!m_info.has(Choice::Colours))
        return;
    if (hasColourBar())
        return m_colourBar->showMenu();
    QMenu menu(this);
    fillLookMenu(menu, *this);
    menu.exec(mapToGlobal(rect().center()));
}

void FigureView::findTokens() {
    if (!showsText(m_info.view))
        return;
    if (!m_finder)
        m_finder = new TokenFinder(*this);
    m_finder->open();
}

QRectF FigureView::colourBarRect() const {
    const std::optional<HeatmapGeometry> large = m_figure ? largeGeometry() : std::nullopt;
    return large ? large->colourBar : QRectF();
}

void FigureView::placeControls() {
    if (!m_colourBar)
        return;
    QRectF bar = colourBarRect();
    const ShownHeatmap shown = bar.isEmpty() ? ShownHeatmap() : shownHeatmap();
    if (!shown.content || !sight().contains(bar.center()))
        return m_colourBar->place({});
    bar.setWidth(std::min(bar.width(), colourBarLength(bar, shown.content->scale, m_style)));
    m_colourBar->place(onScreen(bar));
}

void FigureView::setCloseUp(bool on) {
    m_closeUp = on;
    remake();
}

void FigureView::showGradients(core::BackwardPassPointer backwardPass) {
    m_options.backwardPass = std::move(backwardPass);
    remake();
}

void FigureView::setGranularity(Granularity granularity) {
    m_options.granularity = granularity;
    remake();
}

} // namespace headlight::ui
