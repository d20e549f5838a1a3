#include "ui/compute/silenced_heads.h"

#include <algorithm>
#include <ranges>

namespace headlight::ui {

namespace {

/// True if `found` has at least the wanted effects on the same sequence. The watched row may
/// differ.
bool includes(const SilencedHeads::Wanted &found, const SilencedHeads::Wanted &wanted) {
    return found.state == wanted.state && found.output.sequence == wanted.output.sequence &&
           found.token == wanted.token && (found.withLoss || !wanted.withLoss);
}

} // namespace

void SilencedHeads::start(const core::Computable &computable, const core::TracePointer &trace,
                          const Wanted &wanted) {
    if (!isOf(*trace))
        forget();
    m_error.reset();
    m_end = End::Finished;
    if (exactly(*trace, wanted)) {
        m_job.cancel();
        return emit changed();
    }
    m_trace = trace->withoutDetails(); // every pass computes its own details
    m_counts = std::make_shared<Counts>();
    m_job.start(
        [computable, trace = m_trace, wanted, counts = m_counts](const std::stop_token &stop) {
            const core::AblationTarget target{.place = wanted.output,
                                              .token = wanted.token,
                                              .state = wanted.state,
                                              .withLoss = wanted.withLoss};
            return core::ablateHeads(computable, trace, target, stop,
                                     [&](core::Index made, core::Index all) {
                                         counts->all = all;
                                         counts->made = made;
                                     });
        },
        [this, wanted](core::Result<core::AblatedHeads> result) {
            if (result) {
                std::erase_if(m_found, [&](const Found &each) {
                    return each.wanted.output == wanted.output && includes(wanted, each.wanted);
                });
                m_found.push_back(
                    {wanted, std::make_shared<const core::AblatedHeads>(*std::move(result))});
            } else {
                m_error = result.error();
                m_end = End::Failed;
            }
            emit changed();
        });
    emit changed();
}

void SilencedHeads::cancel() {
    if (!isBusy())
        return;
    m_job.cancel();
    m_end = End::Cancelled;
    emit changed();
}

void SilencedHeads::stop() {
    if (!isBusy())
        return;
    m_job.cancel();
    emit changed();
}

void SilencedHeads::forget() {
    m_job.cancel();
    m_trace.reset();
    m_found.clear();
    m_error.reset();
    m_end = End::Finished;
}

const SilencedHeads::Found *SilencedHeads::exactly(const core::Trace &trace,
                                                   const Wanted &wanted) const {
    if (!isOf(trace))
        return nullptr;
    const auto found = std::ranges::find_if(m_found, [&](const Found &each) {
        return each.wanted.output == wanted.output && includes(each.wanted, wanted);
    });
    return found == m_found.end() ? nullptr : &*found;
}

const SilencedHeads::Found *SilencedHeads::of(const core::Trace &trace,
                                              const Wanted &wanted) const {
    if (const Found *exact = exactly(trace, wanted); exact || !isOf(trace))
        return exact;
    for (const Found &each : m_found | std::views::reverse)
        if (includes(each.wanted, wanted))
            return &each;
    return nullptr;
}

SilencedHeads::Progress SilencedHeads::progress() const {
    return {m_counts->made, m_counts->all};
}

} // namespace headlight::ui
