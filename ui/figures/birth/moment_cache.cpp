#include "ui/figures/birth/moment_cache.h"

namespace headlight::ui {

namespace {
constexpr std::size_t kMaxMoments = 64; // a few MB
}

MomentCache::MomentCache(core::RecordedRunPointer run, std::size_t example,
                         std::vector<core::HeadIntervention> silenced)
    : m_run(std::move(run)), m_silenced(std::move(silenced)) {
    m_example = m_run->examples[example % m_run->examples.size()];
}

core::Result<core::RunMoment> MomentCache::at(std::size_t snapshot) {
    if (const auto found = m_moments.find(snapshot); found != m_moments.end())
        return found->second;
    core::Result<core::RunMoment> moment = core::momentOf(*m_run, snapshot, m_example, m_silenced);
    if (!moment)
        return moment;
    if (m_moments.size() >= kMaxMoments)
        m_moments.clear();
    m_moments.emplace(snapshot, *moment);
    return moment;
}

} // namespace headlight::ui
