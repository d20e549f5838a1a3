#include "ui/document/recomputed_stages.h"

#include "core/transformer/run/affected_stages.h"

#include <QGuiApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr int kRecomputedTime = 1500; // ms that the marks stay after the last change

} // namespace

RecomputedStages::RecomputedStages(QObject *parent) : QObject(parent) {
    m_time.setObjectName("recomputedTime");
    m_time.setSingleShot(true);
    m_time.setInterval(kRecomputedTime);
    connect(&m_time, &QTimer::timeout, this, &RecomputedStages::end);
}

void RecomputedStages::show(const core::Trace &now, const core::Trace &before) {
    m_time.start();
    set(core::recomputedStages(now, before));
}

void RecomputedStages::clear() {
    m_time.stop();
    set({});
}

void RecomputedStages::end() {
    // The marks remain visible during a drag, even if it pauses.
    if (QGuiApplication::mouseButtons() != Qt::NoButton)
        return m_time.start();
    clear();
}

void RecomputedStages::set(std::vector<core::StageId> stages) {
    if (stages == m_stages)
        return;
    m_stages = std::move(stages);
    emit changed();
}

bool RecomputedStages::contains(core::StageId stage) const {
    return std::ranges::binary_search(m_stages, core::canonicalId(stage));
}

} // namespace headlight::ui
