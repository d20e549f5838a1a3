#include "ui/compute/similar_heads.h"

#include "core/analysis/head_glances.h"

#include <algorithm>

namespace headlight::ui {

void SimilarHeads::want(const core::TracePointer &trace, core::Index sequence,
                        const core::HeadId &chosen) {
    const std::shared_ptr<const Found> found = of(*trace, sequence);
    if (!found || found->chosen != chosen) {
        forget();
        m_trace = trace->withoutDetails();
        m_sequence = sequence;
        m_left = core::attentionsWithWeights(*trace);
        std::ranges::reverse(m_left);
        m_found = std::make_shared<const Found>(Found{chosen, {}});
    }
    if (!m_job.isBusy())
        makeNext();
}

void SimilarHeads::rest() {
    m_job.cancel();
    m_reference.reset(); // its weights may be large
}

void SimilarHeads::forget() {
    rest();
    m_trace.reset();
    m_left.clear();
    m_found.reset();
}

std::shared_ptr<const SimilarHeads::Found> SimilarHeads::of(const core::Trace &trace,
                                                            core::Index sequence) const {
    const bool isOf = m_trace && &m_trace->plan() == &trace.plan() && m_sequence == sequence;
    return isOf ? m_found : nullptr;
}

void SimilarHeads::makeNext() {
    if (!m_found || m_left.empty() || m_found->error)
        return m_reference.reset();
    m_job.start(
        [trace = m_trace, sequence = m_sequence, chosen = m_found->chosen, reference = m_reference,
         attention = m_left.back()](const std::stop_token &stop) -> Layer {
            std::shared_ptr<const Reference> known = reference;
            if (!known) {
                core::Result<core::ChosenHead> head =
                    core::ChosenHead::of(*trace, chosen, sequence, stop);
                if (!head)
                    return {nullptr, head.error()};
                known = std::make_shared<const Reference>(Reference{trace, *std::move(head)});
            }
            return {known, core::similaritiesAt(*trace, attention, sequence, known->head, stop)};
        },
        [this](Layer layer) { take(std::move(layer)); });
}

void SimilarHeads::take(Layer layer) {
    auto more = std::make_shared<Found>(*m_found);
    if (layer.similarities) {
        for (std::size_t head = 0; head < layer.similarities->size(); ++head)
            more->values[{m_left.back(), static_cast<core::Index>(head)}] =
                (*layer.similarities)[head];
        m_left.pop_back();
        m_reference = std::move(layer.reference);
    } else {
        more->error = layer.similarities.error();
    }
    m_found = std::move(more);
    makeNext();
    emit made();
}

} // namespace headlight::ui
