#include "ui/compute/head_combinations.h"

#include <limits>

namespace headlight::ui {

namespace {

constexpr double kAtOnce = 1 << 18; // numbers combined without a worker; takes a few milliseconds

/// Returns the number of values that are read and added.
double workOf(const core::Trace &trace, const HeadCombinations::Place &place) {
    const auto rows = static_cast<double>(trace.queries(place.attention).length());
    const auto columns = static_cast<double>(trace.keys(place.attention).length());
    if (place.request.combination == core::Combination::Flow) // solves one flow problem per cell
        return std::numeric_limits<double>::infinity();
    if (place.request.combination == core::Combination::Rollout)
        return rows * rows * rows *
               static_cast<double>(trace.model().layerCount(place.attention.stack));
    return rows * columns * static_cast<double>(place.request.heads.size());
}

HeadCombinations::Combined computed(const core::Trace &trace, const HeadCombinations::Place &place,
                                    const std::stop_token &stop) {
    core::Result<core::CombinedAttention> made =
        core::combinedAttention(trace, place.attention, place.sequence, place.request, stop);
    if (!made)
        return made.error();
    return std::make_shared<const core::CombinedAttention>(*std::move(made));
}

} // namespace

bool HeadCombinations::isOf(const core::Trace &trace, const Place &place) const {
    return m_trace && &m_trace->plan() == &trace.plan() && m_place == place;
}

void HeadCombinations::follow(const core::TracePointer &trace, const Place &place) {
    forget();
    m_trace = trace->withoutDetails();
    m_place = place;
}

std::optional<HeadCombinations::Combined> HeadCombinations::of(const core::TracePointer &trace,
                                                               const Place &place) {
    if (isOf(*trace, place))
        return m_combined;
    if (!trace->isWhole() || trace->source() || workOf(*trace, place) > kAtOnce)
        return std::nullopt;
    follow(trace, place);
    m_combined = computed(*trace, place, {});
    return m_combined;
}

void HeadCombinations::want(const core::TracePointer &trace, const Place &place) {
    if (isOf(*trace, place) && (m_combined || m_job.isBusy()))
        return;
    follow(trace, place);
    m_job.start(
        [trace, place](const std::stop_token &stop) { return computed(*trace, place, stop); },
        [this](Combined combined) {
            m_combined = std::move(combined);
            emit made();
        });
}

void HeadCombinations::keepOnly(const core::TracePointer &now, const core::TracePointer &a) {
    const auto isOfRun = [this](const core::TracePointer &run) {
        return run && &run->plan() == &m_trace->plan();
    };
    if (m_trace && !isOfRun(now) && !isOfRun(a))
        forget();
}

void HeadCombinations::forget() {
    m_job.cancel();
    m_combined.reset();
    m_trace.reset();
}

} // namespace headlight::ui
