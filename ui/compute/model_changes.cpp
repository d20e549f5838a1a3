#include "ui/compute/model_changes.h"

namespace headlight::ui {

bool ModelChanges::isOf(const Sides &sides) const {
    return m_found && sides.now && sides.a && &m_sides.now->plan() == &sides.now->plan() &&
           &m_sides.a->plan() == &sides.a->plan() && m_sides.sequence == sides.sequence &&
           m_sides.sequenceOfA == sides.sequenceOfA && m_sides.partners == sides.partners;
}

void ModelChanges::want(const Sides &sides) {
    if (!isOf(sides)) {
        forget();
        m_sides = sides;
        m_sides.now = sides.now->withoutDetails();
        m_sides.a = sides.a->withoutDetails();
        m_found = std::make_shared<const Found>();
    }
    if (!m_job.isBusy() && !m_found->isComplete && !m_found->error)
        makeNext();
}

void ModelChanges::forget() {
    m_job.cancel();
    m_found.reset();
    m_sides = {};
    m_next = 0;
}

void ModelChanges::makeNext() {
    using Heads = core::Result<std::vector<core::ComparedHead>>;
    const std::vector<core::AttentionId> attentions = m_sides.now->model().attentions();
    if (m_next == attentions.size()) {
        auto whole = std::make_shared<Found>(*m_found);
        whole->isComplete = true;
        m_found = std::move(whole);
        return;
    }
    m_job.start(
        [sides = m_sides, attention = attentions[m_next]](const std::stop_token &stop) -> Heads {
            const core::ComparedSide now{*sides.now, sides.sequence},
                a{*sides.a, sides.sequenceOfA};
            const core::TokenPartnersPointer partners =
                core::partnersOf(now, a, sides.partners, stop);
            return core::comparedHeads(now, a, partners->texts(), attention, stop);
        },
        [this](Heads heads) {
            auto more = std::make_shared<Found>(*m_found);
            if (heads)
                more->heads.insert(more->heads.end(), heads->begin(), heads->end());
            else
                more->error = heads.error();
            m_found = std::move(more);
            ++m_next;
            if (heads)
                makeNext();
            emit made();
        });
}

} // namespace headlight::ui
