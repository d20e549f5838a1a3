#include "ui/document/field_delta.h"

#include <algorithm>
#include <tuple>

namespace headlight::ui {

namespace {

// The two functions below name every member, so a new member does not compile until someone decides
// whether undo keeps it.

auto allButEmbeddings(const core::Sequence &sequence) {
    const auto &[tokens, length, text, isSplit, embeddings, tokenTypes] = sequence;
    return std::tie(tokens, length, text, isSplit, tokenTypes);
}

auto allButWords(const core::Embeddings::Given &given) {
    const auto &[width, words, seed, deviation, ignoreCase] = given;
    return std::tie(width, seed, deviation, ignoreCase);
}

bool sameButForEmbeddings(const core::Batch &a, const core::Batch &b) {
    return a.length() == b.length() &&
           std::equal(a.sequences().begin(), a.sequences().end(), b.sequences().begin(),
                      b.sequences().end(),
                      [](const core::Sequence &left, const core::Sequence &right) {
                          return allButEmbeddings(left) == allButEmbeddings(right);
                      });
}

/// Returns the vector set for exactly this spelling, as a matrix of one row. Null if none is set.
core::Parameter vectorOf(const core::Embeddings::Given &given, const std::string &word) {
    const auto found = given.words.find(word);
    if (found == given.words.end())
        return nullptr;
    return core::makeParameter(core::Matrix(1, given.width, found->second));
}

core::Parameter laid(const MatrixDelta &delta, const core::Parameter &present, Way way) {
    return way == Way::Forward ? delta.after(present) : delta.before(present);
}

/// Merges both maps and drops changes that cancel out.
template <typename Key>
std::map<Key, MatrixDelta> together(std::map<Key, MatrixDelta> first,
                                    const std::map<Key, MatrixDelta> &later) {
    for (const auto &[key, delta] : later) {
        MatrixDelta &mine = first[key];
        mine = mine.empty() ? delta : mine.then(delta);
    }
    std::erase_if(first, [](const auto &entry) { return entry.second.empty(); });
    return first;
}

template <typename Key>
std::size_t bytesOfAll(const std::map<Key, MatrixDelta> &deltas) {
    std::size_t bytes = 0;
    for (const auto &[key, delta] : deltas)
        bytes += sizeof(Key) + 4 * sizeof(void *) + delta.bytes(); // including the tree node
    return bytes;
}

template <typename Whole>
std::size_t bytesOfWhole(const std::shared_ptr<const Whole> &whole) {
    return whole ? sizeof(Whole) + bytesOf(whole->before) + bytesOf(whole->after) : 0;
}

/// Combines two consecutive edits if either replaced the whole value.
template <typename Delta, typename Whole, typename Value>
Delta throughWholes(const Delta &first, const std::shared_ptr<const Whole> &firstWhole,
                    const Delta &later, const std::shared_ptr<const Whole> &laterWhole) {
    const Value between = firstWhole ? firstWhole->after : laterWhole->before;
    Value before = between, after = between;
    first.lay(before, Way::Back);
    later.lay(after, Way::Forward);
    return {before, after};
}

} // namespace

std::size_t bytesOf(const core::BatchPointer &batch) {
    if (!batch)
        return 0;
    // Counts only memory that other batches do not share. The tokens count, because they take about
    // as much memory as the text.
    std::size_t bytes = sizeof(core::Batch);
    for (const core::Sequence &sequence : batch->sequences()) {
        bytes += sizeof sequence + sequence.text.capacity() +
                 sequence.tokens.capacity() * sizeof(core::Token);
        if (sequence.embeddings)
            bytes += sequence.embeddings->memory();
    }
    return bytes;
}

std::size_t bytesOf(const core::MaskLayers &layers) {
    std::size_t bytes = layers.capacity() * sizeof(core::MaskLayer);
    for (const core::MaskLayer &layer : layers)
        if (const auto *cells = std::get_if<core::CellMask>(&layer))
            bytes += cells->cells.capacity() * sizeof(core::MaskCell);
    return bytes;
}

std::size_t bytesOf(const core::EmbeddingsPointer &embeddings) {
    std::size_t bytes = 0;
    if (!embeddings)
        return bytes;
    for (const auto &[word, vector] : embeddings->given().words)
        bytes += 2 * (sizeof word + word.capacity() + vector.capacity() * sizeof(float));
    return bytes;
}

std::size_t bytesOf(const core::Interventions &interventions) {
    return interventions.heads.capacity() * sizeof(core::HeadIntervention) +
           interventions.scores.capacity() * sizeof(core::ScoreIntervention);
}

std::size_t bytesOf(const core::SoftmaxLook &look) {
    return look.logits.capacity() * sizeof(float);
}

std::size_t bytesOf(const core::OwnPairsPointer &pairs) {
    std::size_t bytes = 0;
    if (!pairs)
        return bytes;
    for (const core::AlignedText &text : *pairs) {
        bytes += sizeof text + text.pairs.capacity() * sizeof(core::AlignedPair);
        for (const std::vector<std::string> *side : {&text.now, &text.a})
            for (const std::string &token : *side)
                bytes += sizeof token + token.capacity();
    }
    return bytes;
}

std::size_t bytesOf(const LessonDraftPointer &draft) {
    if (!draft)
        return 0;
    std::size_t bytes = sizeof(LessonDraft);
    for (const core::LessonStep &step : draft->lesson.steps) {
        bytes += sizeof(step) + step.title.size() + step.tryIt.size() + step.mistake.size();
        for (const std::string &text : step.text)
            bytes += text.size();
    }
    return bytes;
}

std::size_t bytesOf(const core::TrainingRunPointer &run) {
    if (!run)
        return 0;
    const auto numbers = [](const core::ModelParameters &weights) {
        std::size_t count = 0;
        for (const core::ParameterId &id : core::allParameters(weights))
            if (const core::Parameter &parameter = parameterOf(weights, id))
                count += static_cast<std::size_t>(parameter->rows() * parameter->columns());
        return count * sizeof(float);
    };
    const auto learned = [&numbers](const auto &one) {
        return numbers(one.firstMoment) + numbers(one.secondMoment) +
               one.history.size() * sizeof(core::HistoryPoint);
    };
    std::size_t bytes = sizeof(core::TrainingRun) + learned(*run);
    if (run->ablated)
        bytes += learned(run->ablated->state) + numbers(run->ablated->state.model.parameters);
    return bytes;
}

std::size_t bytesOf(const ChangedParts &parts) {
    return parts.parameters().capacity() * sizeof(core::ParameterId);
}

FieldDelta<core::ModelParameters>::FieldDelta(const core::ModelParameters &before,
                                              const core::ModelParameters &after) {
    // The number of layers never changes while a document is open.
    for (const core::ParameterId &id : core::allParameters(after)) {
        const core::Parameter &old = parameterOf(before, id);
        const core::Parameter &now = parameterOf(after, id);
        if (old == now)
            continue;
        MatrixDelta delta(old, now);
        if (!delta.empty())
            m_parameters.emplace(id, std::move(delta));
    }
}

void FieldDelta<core::ModelParameters>::lay(core::ModelParameters &present, Way way) const {
    for (const auto &[id, delta] : m_parameters) {
        core::Parameter &parameter = parameterOf(present, id);
        parameter = laid(delta, parameter, way);
    }
}

FieldDelta<core::ModelParameters>
FieldDelta<core::ModelParameters>::then(const FieldDelta &later) const {
    FieldDelta both;
    both.m_parameters = together(m_parameters, later.m_parameters);
    return both;
}

std::size_t FieldDelta<core::ModelParameters>::bytes() const {
    return bytesOfAll(m_parameters);
}

void FieldDelta<core::ModelParameters>::addTo(ChangedParts &parts) const {
    for (const auto &[id, delta] : m_parameters)
        parts.add(id);
}

FieldDelta<core::BatchPointer>::FieldDelta(const core::BatchPointer &before,
                                           const core::BatchPointer &after) {
    if (before == after)
        return;
    if (!before || !after || !sameButForEmbeddings(*before, *after)) {
        m_whole = std::make_shared<const Whole>(Whole{before, after});
        return;
    }
    for (core::Index sequence = 0; sequence < after->count(); ++sequence) {
        MatrixDelta delta((*before)[sequence].embeddings, (*after)[sequence].embeddings);
        if (!delta.empty())
            m_embeddings.emplace(sequence, std::move(delta));
    }
}

void FieldDelta<core::BatchPointer>::lay(core::BatchPointer &present, Way way) const {
    if (m_whole)
        present = way == Way::Forward ? m_whole->after : m_whole->before;
    for (const auto &[sequence, delta] : m_embeddings)
        present =
            present->withEmbeddings(sequence, laid(delta, (*present)[sequence].embeddings, way));
}

FieldDelta<core::BatchPointer> FieldDelta<core::BatchPointer>::then(const FieldDelta &later) const {
    if (empty() || later.empty())
        return empty() ? later : *this;
    if (m_whole || later.m_whole)
        return throughWholes<FieldDelta, Whole, core::BatchPointer>(*this, m_whole, later,
                                                                    later.m_whole);
    FieldDelta both;
    both.m_embeddings = together(m_embeddings, later.m_embeddings);
    return both;
}

std::size_t FieldDelta<core::BatchPointer>::bytes() const {
    return bytesOfWhole(m_whole) + bytesOfAll(m_embeddings);
}

FieldDelta<core::EmbeddingsPointer>::FieldDelta(const core::EmbeddingsPointer &before,
                                                const core::EmbeddingsPointer &after)
    : m_knownBefore(before), m_knownAfter(after) {
    if (before == after)
        return;
    if (!before || !after || allButWords(before->given()) != allButWords(after->given())) {
        m_whole = std::make_shared<const Whole>(Whole{before, after});
        return;
    }
    const auto &old = before->given().words;
    const auto &now = after->given().words;
    const auto compare = [&](const std::string &word) {
        MatrixDelta delta(vectorOf(before->given(), word), vectorOf(after->given(), word));
        if (!delta.empty())
            m_words.emplace(word, std::move(delta));
    };
    for (const auto &[word, vector] : old)
        if (const auto found = now.find(word); found == now.end() || found->second != vector)
            compare(word);
    for (const auto &[word, vector] : now)
        if (!old.contains(word))
            compare(word);
}

void FieldDelta<core::EmbeddingsPointer>::lay(core::EmbeddingsPointer &present, Way way) const {
    const bool forward = way == Way::Forward;
    if (m_whole)
        present = forward ? m_whole->after : m_whole->before;
    if (m_words.empty())
        return;
    if (auto known = (forward ? m_knownAfter : m_knownBefore).lock()) {
        present = std::move(known);
        return;
    }
    core::Embeddings::Given given = present->given();
    for (const auto &[word, delta] : m_words)
        if (const core::Parameter vector = laid(delta, vectorOf(given, word), way))
            given.words[word] = core::ParameterBlock(vector).row(0);
        else
            given.words.erase(word);
    present = std::make_shared<const core::Embeddings>(std::move(given));
}

FieldDelta<core::EmbeddingsPointer>
FieldDelta<core::EmbeddingsPointer>::then(const FieldDelta &later) const {
    if (empty() || later.empty())
        return empty() ? later : *this;
    if (m_whole || later.m_whole)
        return throughWholes<FieldDelta, Whole, core::EmbeddingsPointer>(*this, m_whole, later,
                                                                         later.m_whole);
    FieldDelta both;
    both.m_words = together(m_words, later.m_words);
    both.m_knownBefore = m_knownBefore;
    both.m_knownAfter = later.m_knownAfter;
    return both;
}

std::size_t FieldDelta<core::EmbeddingsPointer>::bytes() const {
    return bytesOfWhole(m_whole) + bytesOfAll(m_words);
}

} // namespace headlight::ui
