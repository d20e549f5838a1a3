#include "ui/compute/output_reader.h"

#include "core/cancelled.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

constexpr std::size_t kMostAsked = 4; // two runs, each with its present row and its last one

} // namespace

OutputReader::OutputReader(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

OutputReader::~OutputReader() {
    for (Asked &asked : m_asked)
        asked.stop.request_stop();
    m_pool.waitForDone();
}

bool OutputReader::isBusy() const {
    return std::ranges::any_of(m_asked, &Asked::isBeingMade);
}

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
    if (m_asked.size() == kMostAsked) {
        m_asked.front().stop.request_stop();
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
    asked.isBeingMade = true;
    m_pool.start([this, trace, place, stop = asked.stop.get_token()] {
        core::Result<core::OutputRowPointer> row = core::readOutput(*trace, place, stop);
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this,
            [this, of = std::weak_ptr(trace), place, result = std::move(row)] {
                take(of, place, result);
            },
            Qt::QueuedConnection);
    });
    return nullptr;
}

void OutputReader::take(const std::weak_ptr<const core::Trace> &trace, core::OutputRowId place,
                        const core::Result<core::OutputRowPointer> &row) {
    const core::TracePointer of = trace.lock();
    Asked *const asked = of ? find(of, place) : nullptr;
    if (!asked)
        return;
    asked->isBeingMade = false;
    if (!row) {
        asked->failure = row.error();
        return emit failed(row.error());
    }
    asked->row = *row;
    emit made();
}

} // namespace headlight::ui
