#include "core/transformer/stage_recorder.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

/// No NaN and nothing infinite but, where a mask may hide, its −∞. Without a branch, so that the
/// compiler does many at once.
bool isSound(std::span<const float> values, bool mayHide) {
    constexpr float largest = std::numeric_limits<float>::max();
    const float smallest = mayHide ? -std::numeric_limits<float>::infinity() : -largest;
    bool sound = true;
    for (const float value : values)
        sound &= (value <= largest) & (value >= smallest);
    return sound;
}

/// The numbers of one matrix of a tensor, which are in one piece.
std::span<const float> numbersOf(MatrixView matrix) {
    return {matrix.data, static_cast<std::size_t>(matrix.rows * matrix.columns)};
}

bool sameNumbers(MatrixView a, MatrixView b) {
    return std::memcmp(a.data, b.data, numbersOf(a).size_bytes()) == 0;
}

bool allOf(const std::vector<bool> &flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
}

Index headsOf(const Shape &shape) {
    return shape.rank() == 4 ? shape[1] : 1;
}

/// Calls `work` with the sequence, the head, and its place in Computed::same.
template <typename Work>
void forEachMatrix(const Shape &shape, Work work) {
    std::size_t place = 0;
    for (Index b = 0; b < shape[0]; ++b)
        for (Index h = 0; h < headsOf(shape); ++h)
            work(b, h, place++);
}

} // namespace

bool Computed::isSameInAllHeads(Index sequence) const {
    const auto first = same.begin() + sequence * headsOf(tensor.shape());
    return std::find(first, first + headsOf(tensor.shape()), false) ==
           first + headsOf(tensor.shape());
}

Computed StageRecorder::compute(const Place &place, const Tensor &before, const Shape &shape,
                                const SameSources &same, const Fill &fill) {
    const bool comparable = !before.isNull() && before.shape() == shape;
    Computed result;
    result.same.assign(static_cast<std::size_t>(shape[0] * headsOf(shape)), false);
    if (comparable)
        forEachMatrix(shape,
                      [&](Index b, Index h, std::size_t at) { result.same[at] = same(b, h); });
    if (comparable && allOf(result.same)) {
        result.tensor = before;
        return result;
    }
    const std::string name = stageName(place.stage, place.site);
    if (m_recomputed.empty() || m_recomputed.back() != name)
        m_recomputed.push_back(name);
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    forEachMatrix(shape, [&](Index b, Index h, std::size_t at) {
        if (cancelled())
            return;
        const MutableMatrixView out = matrixOf(values, shape, b, h);
        if (result.same[at]) {
            const auto kept = numbersOf(before.matrix(b, h));
            std::copy(kept.begin(), kept.end(), out.data);
            return;
        }
        fill(b, h, out);
        if (shape.rank() == 4)
            m_heads.emplace(place.site, h);
        if (m_overflowed.empty() && !isSound(numbersOf(out), place.mayHide))
            m_overflowed = name;
        result.same[at] = comparable && sameNumbers(out, before.matrix(b, h));
    });
    result.tensor = allOf(result.same) ? before : Tensor(shape, std::move(values));
    return result;
}

Computed StageRecorder::stage(Stage which, Site site, const Shape &shape, const SameSources &same,
                              const Fill &fill, bool mayHide) {
    const std::string name = stageName(which, site);
    const TraceEntry *entry = before(name);
    Computed result =
        compute({which, site, mayHide}, entry ? entry->tensor : Tensor(), shape, same, fill);
    m_entries.push_back({name, result.tensor, std::exchange(m_headOutputs, {})});
    return result;
}

Computed StageRecorder::headOutputs(Site site, const Shape &shape, const SameSources &same,
                                    const Fill &fill) {
    const TraceEntry *entry = before(stageName(Stage::Output, site));
    Computed result = compute({Stage::Output, site, false}, entry ? entry->headOutputs : Tensor(),
                              shape, same, fill);
    m_headOutputs = result.tensor;
    return result;
}

Computed StageRecorder::alias(const std::string &name, const Computed &computed) {
    Computed result = computed;
    // Compared by numbers: what went by this name may have been another stage.
    const TraceEntry *entry = before(name);
    const bool comparable = entry && entry->tensor.shape() == computed.tensor.shape();
    const bool identical = comparable && entry->tensor.identity() == computed.tensor.identity();
    forEachMatrix(computed.tensor.shape(), [&](Index b, Index h, std::size_t at) {
        result.same[at] = identical || (comparable && sameNumbers(entry->tensor.matrix(b, h),
                                                                  computed.matrix(b, h)));
    });
    m_entries.push_back({name, computed.tensor, {}});
    return result;
}

Work StageRecorder::takeWork() {
    return {std::move(m_recomputed), static_cast<Index>(m_heads.size()), 0};
}

} // namespace headlight::core
