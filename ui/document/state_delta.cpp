#include "ui/document/state_delta.h"

#include <algorithm>

namespace headlight::ui {

namespace {

bool sameButForEmbeddings(const core::Batch &a, const core::Batch &b) {
    return a.count() == b.count() && a.length() == b.length() &&
           std::equal(a.sequences().begin(), a.sequences().end(), b.sequences().begin(),
                      [](const core::Sequence &left, const core::Sequence &right) {
                          return left.tokens == right.tokens && left.length == right.length &&
                                 left.text == right.text && left.tokenTypes == right.tokenTypes;
                      });
}

bool sameButForWords(const core::Embeddings::Given &a, const core::Embeddings::Given &b) {
    return a.width == b.width && a.seed == b.seed && a.deviation == b.deviation &&
           a.ignoreCase == b.ignoreCase;
}

/// The vector that the word was given under this very spelling, as a matrix of one row; null where
/// it was given none.
core::Parameter vectorOf(const core::Embeddings::Given &given, const std::string &word) {
    const auto found = given.words.find(word);
    if (found == given.words.end())
        return nullptr;
    return core::makeParameter(core::Matrix(1, given.width, found->second));
}

/// Both maps as one; what cancels out is gone.
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
std::size_t bytesOf(const std::map<Key, MatrixDelta> &deltas) {
    std::size_t bytes = 0;
    for (const auto &[key, delta] : deltas)
        bytes += sizeof(Key) + 4 * sizeof(void *) + delta.bytes(); // with the tree's node
    return bytes;
}

/// What the sequences hold that nobody else does: their tokens are as large as the text.
std::size_t bytesOf(const core::BatchPointer &batch) {
    if (!batch)
        return 0;
    std::size_t bytes = sizeof(core::Batch);
    for (const core::Sequence &sequence : batch->sequences()) {
        bytes += sizeof sequence + sequence.text.capacity() +
                 sequence.tokens.capacity() * sizeof(std::string);
        if (sequence.embeddings)
            bytes += sequence.embeddings->values().size() * sizeof(float);
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

} // namespace

StateDelta::BatchDelta::BatchDelta(const core::BatchPointer &before,
                                   const core::BatchPointer &after) {
    if (before == after)
        return;
    if (!before || !after || !sameButForEmbeddings(*before, *after)) {
        whole = {before, after};
        return;
    }
    for (core::Index sequence = 0; sequence < after->count(); ++sequence) {
        MatrixDelta delta((*before)[sequence].embeddings, (*after)[sequence].embeddings);
        if (!delta.empty())
            embeddings.emplace(sequence, std::move(delta));
    }
}

StateDelta::WordsDelta::WordsDelta(const core::EmbeddingsPointer &before,
                                   const core::EmbeddingsPointer &after)
    : knownBefore(before), knownAfter(after) {
    if (before == after)
        return;
    if (!before || !after || !sameButForWords(before->given(), after->given())) {
        whole = {before, after};
        return;
    }
    const auto &old = before->given().words;
    const auto &now = after->given().words;
    const auto compare = [&](const std::string &word) {
        MatrixDelta delta(vectorOf(before->given(), word), vectorOf(after->given(), word));
        if (!delta.empty())
            words.emplace(word, std::move(delta));
    };
    for (const auto &[word, vector] : old)
        if (const auto found = now.find(word); found == now.end() || found->second != vector)
            compare(word);
    for (const auto &[word, vector] : now)
        if (!old.contains(word))
            compare(word);
}

StateDelta::StateDelta(const DocumentState &before, const DocumentState &after)
    : m_config(before.model.config, after.model.config),
      m_masks(masksOf(before.input), masksOf(after.input)),
      m_interventions(before.input.interventions, after.input.interventions),
      m_lessonStep(before.lessonStep, after.lessonStep),
      m_edits(before.edits, after.edits),
      m_batch(before.input.batch, after.input.batch),
      m_source(before.input.source, after.input.source),
      m_words(before.model.embeddings, after.model.embeddings) {
    // A document keeps its number of layers for as long as it is open.
    for (const core::ParameterId &id : core::allParameters(after.model.weights)) {
        const core::Parameter &old = parameterOf(before.model.weights, id);
        const core::Parameter &now = parameterOf(after.model.weights, id);
        if (old == now)
            continue;
        MatrixDelta delta(old, now);
        if (!delta.empty())
            m_parameters.emplace(id, std::move(delta));
    }
}

StateDelta::Masks StateDelta::masksOf(const core::Input &input) {
    return {input.masks, input.encoderMasks, input.crossMasks};
}

DocumentState StateDelta::before(const DocumentState &present) const {
    return patched(present, false);
}

DocumentState StateDelta::after(const DocumentState &present) const {
    return patched(present, true);
}

DocumentState StateDelta::patched(const DocumentState &present, bool forward) const {
    DocumentState state = present;
    const auto lay = [forward](auto &value, const auto &part) {
        if (part.change)
            value = forward ? part.change->after : part.change->before;
    };
    lay(state.model.config, m_config);
    if (m_masks.change) {
        const Masks &masks = forward ? m_masks.change->after : m_masks.change->before;
        state.input.masks = masks.own;
        state.input.encoderMasks = masks.encoder;
        state.input.crossMasks = masks.cross;
    }
    lay(state.input.interventions, m_interventions);
    lay(state.lessonStep, m_lessonStep);
    lay(state.edits, m_edits);
    for (const auto &[id, delta] : m_parameters) {
        core::Parameter &parameter = parameterOf(state.model.weights, id);
        parameter = forward ? delta.after(parameter) : delta.before(parameter);
    }
    state.input.batch = patched(m_batch, present.input.batch, forward);
    state.input.source = patched(m_source, present.input.source, forward);
    state.model.embeddings = patched(m_words, present.model.embeddings, forward);
    return state;
}

core::BatchPointer StateDelta::patched(const BatchDelta &delta, const core::BatchPointer &present,
                                       bool forward) {
    if (delta.whole.change)
        return forward ? delta.whole.change->after : delta.whole.change->before;
    core::BatchPointer batch = present;
    for (const auto &[sequence, change] : delta.embeddings) {
        const core::Parameter &own = (*present)[sequence].embeddings;
        batch = batch->withEmbeddings(sequence, forward ? change.after(own) : change.before(own));
    }
    return batch;
}

core::EmbeddingsPointer StateDelta::patched(const WordsDelta &delta,
                                            const core::EmbeddingsPointer &present, bool forward) {
    if (delta.whole.change)
        return forward ? delta.whole.change->after : delta.whole.change->before;
    if (delta.words.empty())
        return present;
    if (auto known = (forward ? delta.knownAfter : delta.knownBefore).lock())
        return known;
    core::Embeddings::Given given = present->given();
    for (const auto &[word, change] : delta.words) {
        const core::Parameter own = vectorOf(given, word);
        if (const core::Parameter vector = forward ? change.after(own) : change.before(own))
            given.words[word] = vector->values();
        else
            given.words.erase(word);
    }
    return std::make_shared<const core::Embeddings>(std::move(given));
}

StateDelta::BatchDelta StateDelta::then(const BatchDelta &first, const BatchDelta &later) {
    if (first.empty() || later.empty())
        return first.empty() ? later : first;
    if (!first.whole.change && !later.whole.change) {
        BatchDelta both;
        both.embeddings = together(first.embeddings, later.embeddings);
        return both;
    }
    const core::BatchPointer between =
        first.whole.change ? first.whole.change->after : later.whole.change->before;
    return {patched(first, between, false), patched(later, between, true)};
}

StateDelta::WordsDelta StateDelta::then(const WordsDelta &first, const WordsDelta &later) {
    if (first.empty() || later.empty())
        return first.empty() ? later : first;
    if (!first.whole.change && !later.whole.change) {
        WordsDelta both;
        both.words = together(first.words, later.words);
        both.knownBefore = first.knownBefore;
        both.knownAfter = later.knownAfter;
        return both;
    }
    const core::EmbeddingsPointer between =
        first.whole.change ? first.whole.change->after : later.whole.change->before;
    return {patched(first, between, false), patched(later, between, true)};
}

StateDelta StateDelta::then(const StateDelta &later) const {
    StateDelta both;
    both.m_config = m_config.then(later.m_config);
    both.m_masks = m_masks.then(later.m_masks);
    both.m_interventions = m_interventions.then(later.m_interventions);
    both.m_lessonStep = m_lessonStep.then(later.m_lessonStep);
    both.m_edits = m_edits.then(later.m_edits);
    both.m_parameters = together(m_parameters, later.m_parameters);
    both.m_batch = then(m_batch, later.m_batch);
    both.m_source = then(m_source, later.m_source);
    both.m_words = then(m_words, later.m_words);
    return both;
}

bool StateDelta::empty() const {
    return !m_config.change && !m_masks.change && !m_interventions.change && !m_lessonStep.change &&
           !m_edits.change && m_parameters.empty() && m_batch.empty() && m_source.empty() &&
           m_words.empty();
}

std::size_t StateDelta::bytesOf(const Masks &masks) {
    return ui::bytesOf(masks.own) + ui::bytesOf(masks.encoder) + ui::bytesOf(masks.cross);
}

std::size_t StateDelta::bytes() const {
    std::size_t bytes = sizeof(StateDelta) + ui::bytesOf(m_parameters) +
                        ui::bytesOf(m_batch.embeddings) + ui::bytesOf(m_source.embeddings) +
                        ui::bytesOf(m_words.words);
    const auto add = [&bytes](const auto &part, auto beyond) {
        if (part.change)
            bytes += sizeof *part.change + beyond(part.change->before) + beyond(part.change->after);
    };
    const auto nothing = [](const auto &) { return std::size_t(0); };
    add(m_config, nothing);
    add(m_lessonStep, nothing);
    add(m_masks, [](const Masks &masks) { return bytesOf(masks); });
    add(m_edits, [](const PersonsEdits &edits) {
        return edits.parameters.capacity() * sizeof(core::ParameterId);
    });
    const auto beyond = [](const auto &value) { return ui::bytesOf(value); };
    add(m_interventions, beyond);
    add(m_batch.whole, beyond);
    add(m_source.whole, beyond);
    add(m_words.whole, beyond);
    return bytes;
}

} // namespace headlight::ui
