#include "ui/compute/output_reader.h"

#include "core/cancelled.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxAsked = 4; // enough for two rows of each of two runs

} // namespace

const OutputReader::Asked *OutputReader::find(const core::TracePointer &trace,
                                              core::OutputRowId place) const {
    const auto found = std::ranges::find_if(m_asked, [&](const Asked &asked) {
        return asked.place == place && asked.trace.lock() == trace;
    });
    return found == m_asked.end() ? nullptr : &*found;
}

void OutputReader::forgetFailures() {
    std::erase_if(m_asked, [](const Asked &asked) { return asked.failure.has_value(); });
}

OutputReader::Asked *OutputReader::find(const core::TracePointer &trace, core::OutputRowId place) {
    return const_cast<Asked *>(std::as_const(*this).find(trace, place));
}

const core::Error *OutputReader::failure(const core::TracePointer &trace,
                                         core::OutputRowId place) const {
    const Asked *const asked = find(trace, place);
    return asked && asked->failure ? &*asked->failure : nullptr;
}

core::OutputRowPointer OutputReader::rowOf(const core::TracePointer &trace,
                                           core::OutputRowId place) {
    if (Asked *known = find(trace, place))
        return known->row;
    if (m_asked.size() == kMaxAsked) {
        if (m_asked.front().isBeingMade)
            m_job.cancel();
        m_asked.erase(m_asked.begin());
    }
    Asked &asked = m_asked.emplace_back(Asked{trace, place, nullptr});
    if (core::isOutputReady(*trace, place)) {
        const core::Result<core::OutputRowPointer> row = core::readOutput(*trace, place);
        if (row)
            asked.row = *row;
        else
            asked.failure = row.error();
        return asked.row;
    }
    makeNext();
    return nullptr;
}

void OutputReader::makeNext() {
    if (m_job.isBusy())
        return;
    const auto next = std::ranges::find_if(m_asked, [](const Asked &asked) {
        return !asked.row && !asked.failure && !asked.trace.expired();
    });
    if (next == m_asked.end())
        return;
    next->isBeingMade = true;
    m_job.start([trace = next->trace.lock(), place = next->place](
                    const std::stop_token &stop) { return core::readOutput(*trace, place, stop); },
                [this, trace = next->trace, place = next->place](
                    const core::Result<core::OutputRowPointer> &row) { take(trace, place, row); });
}

void OutputReader::take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
                        const core::Result<core::OutputRowPointer> &row) {
    const core::TracePointer of = trace.lock();
    Asked *const asked = of ? find(of, place) : nullptr;
    if (!asked)
        return makeNext();
    asked->isBeingMade = false;
    if (row)
        asked->row = *row;
    else
        asked->failure = row.error();
    makeNext();
    if (row)
        emit made();
    else
        emit failed(row.error());
}

} // namespace headlight::ui
