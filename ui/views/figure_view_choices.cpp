// Options of a view: saved under its name, or overridden by a lesson's step.
#include "ui/views/figure_view.h"

#include <QSettings>

namespace headlight::ui {

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
    m_options.range = findRange(saved("range")).value_or(Range::Fixed);
    const auto weights = findColourMap(saved("weights"));
    if (weights && !isDiverging(*weights))
        m_weightsMap = weights;
    const auto values = findColourMap(saved("signed"));
    if (values && isDiverging(*values))
        m_signedMap = values;
    const int order = saved("order").toInt();
    if (order > 0 && order <= static_cast<int>(core::HeadOrder::Induction))
        m_options.order = static_cast<core::HeadOrder>(order);
    const int measure = saved("measure").toInt();
    if (measure > 0 && measure <= static_cast<int>(core::HeadOrder::Induction))
        m_options.measure = static_cast<core::HeadOrder>(measure);
    applyMaps();
    restoreLook();
}

void FigureView::restoreLook() {
    const bool ofOutput = saved("contextual") == QLatin1String("output");
    m_options.contextual = ofOutput ? core::Stage::Output : core::Stage::Context;
    m_options.learned = saved("learned") != QLatin1String("folded");
    m_options.lines = saved("lines") == QLatin1String("shown");
    m_options.plane.spaces = findSpaces(saved("spaces")).value_or(ShownSpaces::All);
    m_options.plane.axes = findAxes(saved("axes")).value_or(PlaneAxes::Principal);
}

void FigureView::showLook(const core::ViewOptions &look) {
    const FigureOptions before = m_options;
    m_options = {};
    m_options.range = before.range;
    m_options.order = before.order;
    m_options.measure = before.measure;
    m_options.granularity = before.granularity; // set by the stepper
    if (m_info.has(Choice::Planes)) {
        m_options.plane.axes = look.axes;
        m_options.plane.spaces = look.spaces;
    }
    if (m_options != before)
        emit optionsChanged();
    fit();
    m_origin.reset();
    m_mustFollow = true;
    m_seeks = Seek::Everything; // for the subject of the step
    remake();
}

void FigureView::choose(const ViewChoices &choices) {
    const Granularity before = m_options.granularity; // set by the stepper
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
}

FigureOptions FigureView::optionsOfFigure() const {
    FigureOptions options = chosenFor(m_info, m_options);
    options.compared = m_document.comparison().compared();
    options.closeUp = m_closeUp;
    return options;
}

void FigureView::setRange(Range range) {
    m_options.range = range;
    save(QStringLiteral("range"), nameOf(range));
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

void FigureView::setHeadOrder(core::HeadOrder order) {
    m_options.order = order;
    save(QStringLiteral("order"), QString::number(static_cast<int>(order)));
    emit optionsChanged();
    remake();
}

void FigureView::setMeasure(core::HeadOrder measure) {
    m_options.measure = measure;
    save(QStringLiteral("measure"), QString::number(static_cast<int>(measure)));
    emit optionsChanged();
    remake();
}

void FigureView::setContextual(core::Stage stage) {
    m_options.contextual = stage;
    save(QStringLiteral("contextual"),
         QString::fromStdString(std::string(core::infoOf(stage).name)));
    emit optionsChanged();
    remake();
}

void FigureView::setPlanes(const PlaneOptions &planes) {
    if (!m_info.has(Choice::Planes))
        return;
    const PlaneOptions before = std::exchange(m_options.plane, planes);
    // Gravity changes many times a second and is not saved.
    if (before.spaces != planes.spaces)
        save(QStringLiteral("spaces"), nameOf(planes.spaces));
    if (before.axes != planes.axes)
        save(QStringLiteral("axes"), nameOf(planes.axes));
    emit optionsChanged();
    remake();
}

void FigureView::setLearned(bool shown) {
    if (!m_info.has(Choice::Learned) || m_options.learned == shown)
        return;
    m_options.learned = shown;
    save(QStringLiteral("learned"), shown ? QStringLiteral("shown") : QStringLiteral("folded"));
    emit optionsChanged();
    remake();
}

void FigureView::setCloseUp(bool on) {
    m_closeUp = on;
    remake();
}

void FigureView::showGradients(core::BackwardPassPointer backwardPass) {
    m_options.backwardPass = std::move(backwardPass);
    remake();
}

void FigureView::setLines(bool shown) {
    if (!m_info.has(Choice::Lines) || m_options.lines == shown)
        return;
    m_options.lines = shown;
    save(QStringLiteral("lines"), shown ? QStringLiteral("shown") : QStringLiteral("hidden"));
    emit optionsChanged();
    remake();
}

void FigureView::setGranularity(Granularity granularity) {
    m_options.granularity = granularity;
    remake();
}

} // namespace headlight::ui
