#include "ui/document/slow_pass.h"

#include "core/transformer/run/affected_stages.h"
#include "ui/document/document.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr int kSlowPassDelay = 300; // ms

} // namespace

SlowPass::SlowPass(Document &document) : QObject(&document), m_document(document) {
    m_delay.setObjectName("slowPassDelay");
    m_delay.setSingleShot(true);
    m_delay.setInterval(kSlowPassDelay);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        if (isComputing())
            become(true);
        else
            setPreparing(m_document.isPreparing());
    });
    connect(&document, &Document::changed, this, &SlowPass::follow);
}

bool SlowPass::isComputing() const {
    return m_document.traceIsStale() && !m_document.failure();
}

void SlowPass::follow(const ChangeEvent &event) {
    if (!isComputing()) {
        become(false);
        if (!m_document.isPreparing()) {
            m_delay.stop();
            setPreparing(false);
        } else if (m_isPreparing) {
            if (is<PreparationStarted>(event))
                emit changed(); // another stage is being computed
        } else if (!m_delay.isActive()) {
            m_delay.start();
        }
        return;
    }
    setPreparing(false);
    if (m_isSlow) {
        if (is<StateChanged>(event) || is<SessionChanged>(event))
            become(true); // another edit may affect other stages
    } else if (!m_delay.isActive()) {
        m_delay.start();
    }
}

void SlowPass::become(bool isSlow) {
    std::vector<core::StageId> before =
        std::exchange(m_unaffected, isSlow ? unaffected() : std::vector<core::StageId>());
    if (std::exchange(m_isSlow, isSlow) != isSlow || before != m_unaffected)
        emit changed();
}

void SlowPass::setPreparing(bool isPreparing) {
    if (std::exchange(m_isPreparing, isPreparing) != isPreparing)
        emit changed();
}

std::vector<core::StageId> SlowPass::unaffected() const {
    const auto &next = m_document.computable();
    if (!next || !m_document.trace())
        return {};
    return core::unaffectedStages(core::planOf(next->model(), next->input()), next->model(),
                                  next->input(), *m_document.trace());
}

bool SlowPass::mayChange(core::StageId stage) const {
    return m_isSlow && !std::ranges::binary_search(m_unaffected, core::canonicalId(stage));
}

} // namespace headlight::ui
