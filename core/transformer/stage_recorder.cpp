#include "core/transformer/stage_recorder.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

constexpr std::size_t kNumbersAtOnce = std::size_t(1) << 20; // a millisecond's work

/// No NaN and nothing infinite but, where a mask may hide, its −∞. Without a branch, so that the
/// compiler does many at once.
bool areSound(std::span<const float> values, bool mayHide) {
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

/// A stage [B, K] is one matrix, whose rows are the sequences.
Index sequencesOf(const Shape &shape) {
    return shape.rank() == 2 ? 1 : shape[0];
}

std::size_t matricesOf(const Shape &shape) {
    return static_cast<std::size_t>(sequencesOf(shape) * headsOf(shape));
}

/// Calls `work` with the sequence, the head, and its place in Computed::same.
template <typename Work>
void forEachMatrix(const Shape &shape, Work work) {
    std::size_t place = 0;
    for (Index b = 0; b < sequencesOf(shape); ++b)
        for (Index h = 0; h < headsOf(shape); ++h)
            work(b, h, place++);
}

} // namespace

MatrixView VirtualStage::matrix(Index sequence, Index head) {
    const Index b = m_shape[0] == 1 ? 0 : sequence;
    const Index rows = m_shape.last(1), columns = m_shape.last(0);
    const MatrixView view{m_numbers.data(), rows, columns, columns};
    if (m_place == std::pair(b, head))
        return view;
    m_numbers.assign(static_cast<std::size_t>(rows * columns), 0.0f);
    m_fill(b, head, {m_numbers.data(), rows, columns, columns});
    m_place = {b, head};
    return {m_numbers.data(), rows, columns, columns};
}

bool Computed::isSame(Index sequence, Index head) const {
    const Index heads = headsOf(shape());
    const Index b = sequencesOf(shape()) == 1 ? 0 : sequence;
    return same[static_cast<std::size_t>(b * heads + head)];
}

bool Computed::isSameInAllHeads(Index sequence) const {
    for (Index h = 0; h < headsOf(shape()); ++h)
        if (!isSame(sequence, h))
            return false;
    return true;
}

bool Computed::isSameInAllSequences() const {
    return allOf(same);
}

Computed Computed::asNew() const {
    return {tensor, std::vector<bool>(same.size(), false), onDemand};
}

bool StageRecorder::keeps(Stage which) const {
    const Part part = infoOf(which).part;
    return keepsEverything() ||
           (part != Part::Attention && part != Part::FeedForward && part != Part::Head);
}

void StageRecorder::note(const std::string &name) {
    if (m_recomputed.empty() || m_recomputed.back() != name)
        m_recomputed.push_back(name);
}

void StageRecorder::grow(std::vector<float> &values, std::size_t count) const {
    for (const std::size_t end = values.size() + count; values.size() < end;) {
        throwIfCancelled();
        values.resize(std::min(end, values.size() + kNumbersAtOnce));
    }
}

bool StageRecorder::isSound(std::span<const float> numbers, bool mayHide) const {
    for (; !numbers.empty(); numbers = numbers.subspan(std::min(kNumbersAtOnce, numbers.size()))) {
        throwIfCancelled();
        if (!areSound(numbers.first(std::min(kNumbersAtOnce, numbers.size())), mayHide))
            return false;
    }
    return true;
}

void StageRecorder::fillMatrix(const Place &place, Index b, Index h, const Fill &fill,
                               MutableMatrixView out) {
    throwIfCancelled();
    fill(b, h, out);
    throwIfCancelled();
    if (m_overflowed.empty() && !isSound(numbersOf(out), place.mayHide))
        m_overflowed = stageName(place.stage, place.site);
}

Computed StageRecorder::compute(const Place &place, const Tensor &before, const Shape &shape,
                                const SameSources &same, const Fill &fill) {
    const bool comparable = !before.isNull() && before.shape() == shape;
    Computed result;
    result.same.assign(matricesOf(shape), false);
    if (comparable)
        forEachMatrix(shape,
                      [&](Index b, Index h, std::size_t at) { result.same[at] = same(b, h); });
    if (comparable && allOf(result.same)) {
        result.tensor = before;
        return result;
    }
    note(stageName(place.stage, place.site));
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(shape.count()));
    const std::size_t size = static_cast<std::size_t>(shape.count()) / matricesOf(shape);
    forEachMatrix(shape, [&](Index b, Index h, std::size_t at) {
        grow(values, size);
        const MutableMatrixView out = matrixOf(values, shape, b, h);
        if (result.same[at]) {
            const auto kept = numbersOf(before.view(b, h));
            std::copy(kept.begin(), kept.end(), out.data);
            return;
        }
        fillMatrix(place, b, h, fill, out);
        // Keys and values are a group's; of which heads they change the scores or contexts, those
        // say.
        if (shape.rank() == 4 && !infoOf(place.stage).ofKeys())
            m_heads.emplace(place.site, h);
        result.same[at] = comparable && sameNumbers(out, before.view(b, h));
    });
    result.tensor = allOf(result.same) ? before : Tensor(shape, std::move(values));
    return result;
}

Computed StageRecorder::stage(Stage which, Site site, const Shape &shape, const SameSources &same,
                              const Fill &fill, bool mayHide) {
    const Place place{which, site, mayHide};
    const std::string name = stageName(which, site);
    if (!keepsEverything() && infoOf(which).overKeys()) {
        note(name);
        Computed result;
        result.same.assign(matricesOf(shape), false);
        result.onDemand = std::make_shared<VirtualStage>(
            shape, [this, place, fill](Index b, Index h, MutableMatrixView out) {
                fillMatrix(place, b, h, fill, out);
            });
        return result;
    }
    const TraceEntry *entry = before(name);
    Computed result = compute(place, entry ? entry->tensor : Tensor(), shape, same, fill);
    if (keeps(which))
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

Computed StageRecorder::alias(Stage which, Site site, const Computed &computed) {
    Computed result = computed;
    if (computed.onDemand)
        return result;
    const std::string name = stageName(which, site);
    // Compared by numbers: what went by this name may have been another stage.
    const TraceEntry *entry = before(name);
    const bool comparable = entry && entry->tensor.shape() == computed.tensor.shape();
    const bool identical = comparable && entry->tensor.identity() == computed.tensor.identity();
    forEachMatrix(computed.tensor.shape(), [&](Index b, Index h, std::size_t at) {
        result.same[at] = identical || (comparable && sameNumbers(entry->tensor.view(b, h),
                                                                  computed.matrix(b, h)));
    });
    if (keeps(which))
        m_entries.push_back({name, computed.tensor, {}});
    return result;
}

Computed StageRecorder::takeOver(Stage which, Site site) {
    const TraceEntry *entry = before(stageName(which, site));
    assert(entry);
    m_entries.push_back(*entry);
    return {entry->tensor, std::vector<bool>(matricesOf(entry->tensor.shape()), true)};
}

std::optional<Computed> StageRecorder::recorded(Stage which, Site site) const {
    const std::string name = stageName(which, site);
    for (const TraceEntry &entry : m_entries)
        if (entry.name == name)
            return Computed{entry.tensor,
                            std::vector<bool>(matricesOf(entry.tensor.shape()), false)};
    return std::nullopt;
}

Work StageRecorder::takeWork() {
    return {std::move(m_recomputed), static_cast<Index>(m_heads.size()), 0};
}

} // namespace headlight::core
