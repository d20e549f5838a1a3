#include "ui/compute/word_ends.h"

#include "core/generation/end_token.h"

#include <utility>

namespace headlight::ui {

namespace {

constexpr int kDelay = 200; // ms

/// Returns the rest of the word for each token; empty if one of them cannot be computed.
std::vector<core::RestOfWord> computed(const core::Computable &text,
                                       const core::TracePointer &trace, core::Index sequence,
                                       const std::vector<core::Index> &tokens,
                                       const std::stop_token &stop) {
    core::GenerationOptions options;
    options.sequence = sequence;
    options.end = core::endTokenOf(*text.model().vocabulary);
    const auto generator = core::Generator::create(text, options, trace);
    if (!generator)
        return {};
    std::vector<core::RestOfWord> rests;
    for (const core::Index token : tokens) {
        core::Result<core::RestOfWord> rest = core::restOfWord(*generator, token, stop);
        if (!rest)
            return {};
        rests.push_back(*std::move(rest));
    }
    return rests;
}

} // namespace

WordEnds::WordEnds(QObject *parent) : QObject(parent) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &WordEnds::start);
}

std::vector<core::RestOfWord> WordEnds::restsOf(const core::Computable &text,
                                                const core::TracePointer &trace,
                                                core::Index sequence,
                                                const std::vector<core::Index> &tokens) {
    if (m_asked.trace.lock() == trace && m_asked.sequence == sequence && m_asked.tokens == tokens)
        return m_rests;
    m_job.cancel();
    m_asked = {trace, sequence, tokens};
    m_text = text;
    m_rests.clear();
    m_delay.start();
    return {};
}

void WordEnds::start() {
    const core::TracePointer trace = m_asked.trace.lock();
    if (!trace || !m_text)
        return;
    m_job.start(
        [text = *std::exchange(m_text, std::nullopt), trace,
         asked = m_asked](const std::stop_token &stop) {
            return computed(text, trace, asked.sequence, asked.tokens, stop);
        },
        [this](std::vector<core::RestOfWord> rests) {
            m_rests = std::move(rests);
            if (!m_rests.empty())
                emit made();
        });
}

} // namespace headlight::ui
