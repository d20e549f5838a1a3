#include "core/transformer/run/gradient_store.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace headlight::core {

namespace {

/// Has no branches, so that the compiler can vectorise it.
bool isFinite(std::span<const float> values) {
    constexpr float largest = std::numeric_limits<float>::max();
    bool finite = true;
    for (const float value : values)
        finite &= (value <= largest) & (value >= -largest);
    return finite;
}

} // namespace

void GradientStore::addSeeds(const std::string &name, Adjoint &adjoint) const {
    for (const Seed &seed : m_seeds)
        if (seed.stage == name)
            adjoint.add(seed.gradient, m_stop);
}

void GradientStore::addSeeds(const StageNames &names, Index sequence, Index head, Rows rows,
                             MutableMatrixView gradient) const {
    for (const auto &[stage, attention] : names)
        for (const Seed &seed : m_seeds)
            if (seed.stage == stageName(stage, attention))
                for (Index row = 0; row < rows.count; ++row)
                    std::ranges::transform(gradient.row(row),
                                           seed.gradient.view(sequence, head).row(rows.first + row),
                                           gradient.row(row).begin(), std::plus());
}

bool GradientStore::hasSeeds(const StageNames &names) const {
    return std::ranges::any_of(m_seeds, [&](const Seed &seed) {
        return std::ranges::any_of(names, [&](const StageId &at) {
            return seed.stage == stageName(at.stage, at.attention);
        });
    });
}

void GradientStore::check(const std::string &name, std::span<const float> gradient) {
    constexpr std::size_t piece = std::size_t(1) << 20; // takes a fraction of a millisecond
    while (!gradient.empty() && !stopped()) {
        const auto next = gradient.first(std::min(piece, gradient.size()));
        if (!isFinite(next))
            fail({"the gradients overflow 32-bit floats", name,
                  "use smaller weights, or a smaller gradient to start from"});
        gradient = gradient.subspan(next.size());
    }
}

void GradientStore::fail(const Error &error) {
    const std::scoped_lock lock(m_failing);
    if (!m_error)
        m_error = error;
    m_failed = true;
}

void GradientStore::arrive(const StageNames &names, Adjoint &adjoint) {
    if (stopped())
        return;
    std::vector<std::string> known;
    for (const auto &[stage, attention] : names)
        if (std::string name = stageName(stage, attention); m_trace.has(name))
            known.push_back(std::move(name));
    for (const std::string &name : known)
        addSeeds(name, adjoint);
    if (adjoint.isNull() || known.empty())
        return;
    check(known.front(), adjoint.values);
    const bool inTiles = m_trace.isByHead(*m_trace.plan().find(names.front()));
    if (!m_keeps || inTiles)
        return;
    const Tensor kept(adjoint.shape, adjoint.values);
    for (const std::string &name : known)
        m_stages.insert_or_assign(name, kept);
}

} // namespace headlight::core
