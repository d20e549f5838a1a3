#include "ui/compute/head_changes.h"

namespace headlight::ui {

namespace {

constexpr core::Index kComparedAtOnce = core::Index(1) << 18; // numbers compared without a worker

/// Returns the number of values that the comparison reads.
core::Index numbersOf(const core::Trace &trace, core::AttentionId attention) {
    return trace.queries(attention).length() * trace.keys(attention).length() *
           trace.model().headsOf(attention);
}

bool isSmall(const core::Trace &trace, core::AttentionId attention) {
    return trace.isWhole() && !trace.source() && numbersOf(trace, attention) <= kComparedAtOnce;
}

HeadChanges::Heads comparedAt(const core::Trace &now, const HeadChanges::Place &place,
                              const std::stop_token &stop) {
    const core::ComparedSide left{now, place.sequence}, right{*place.a, place.sequenceOfA};
    const core::TokenPartnersPointer partners = core::partnersOf(left, right, place.partners, stop);
    auto heads = core::comparedHeads(left, right, partners->texts(), place.attention, stop);
    return std::make_shared<const std::vector<core::ComparedHead>>(
        heads ? *std::move(heads) : std::vector<core::ComparedHead>());
}

} // namespace

bool HeadChanges::isOf(const core::Trace &now, const Place &place) const {
    return m_now && &m_now->plan() == &now.plan() && &m_place.a->plan() == &place.a->plan() &&
           m_place.attention == place.attention && m_place.sequence == place.sequence &&
           m_place.sequenceOfA == place.sequenceOfA && m_place.partners == place.partners;
}

void HeadChanges::follow(const core::TracePointer &now, const Place &place) {
    forget();
    m_now = now->withoutDetails();
    m_place = place;
    m_place.a = place.a->withoutDetails();
}

HeadChanges::Heads HeadChanges::of(const core::TracePointer &now, const Place &place) {
    if (isOf(*now, place))
        return m_heads;
    if (!isSmall(*now, place.attention) || !isSmall(*place.a, place.attention))
        return nullptr;
    follow(now, place);
    m_heads = comparedAt(*now, place, {});
    return m_heads;
}

void HeadChanges::want(const core::TracePointer &now, const Place &place) {
    if (isOf(*now, place) && (m_heads || m_job.isBusy()))
        return;
    follow(now, place);
    m_job.start([now, place](const std::stop_token &stop) { return comparedAt(*now, place, stop); },
                [this](Heads heads) {
                    m_heads = std::move(heads);
                    emit made();
                });
}

void HeadChanges::forget() {
    m_job.cancel();
    m_heads.reset();
    m_now.reset();
    m_place = {};
}

} // namespace headlight::ui
