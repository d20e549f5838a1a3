#include "core/analysis/text_comparison.h"

#include "core/analysis/divergence.h"
#include "core/analysis/output_row_id.h"
#include "core/analysis/weight_changes.h"
#include "core/cancelled.h"
#include "core/transformer/model/vocabulary.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// Returns the pairs of the main text if `batch` is the side's main batch, otherwise those of the
/// source.
const AlignedPairs &pairsOf(const Batch &batch, const ComparedSide &side,
                            const std::vector<AlignedText> &texts) {
    const bool isMain = &batch == side.trace.input().batch.get();
    return isMain || texts.size() < 2 ? texts.front().pairs : texts[1].pairs;
}

Result<SharedMatrix> weightsOf(const ComparedSide &side, AttentionId attention, Index head,
                               const std::stop_token &stop) {
    return side.trace.madeMatrix(*side.trace.plan().find({Stage::AttentionWeights, attention}),
                                 side.sequence, head, stop);
}

bool hasWeights(const ComparedSide &side, AttentionId attention) {
    const Model &model = side.trace.model();
    return model.hasAttention(attention) &&
           side.trace.plan().find({Stage::AttentionWeights, attention}).has_value();
}

/// Returns the mean share of the queries' weights on keys without a partner.
std::optional<double> unpairedShare(MatrixView weights, const AlignedPairs &queries,
                                    const AlignedPairs &keys, Index AlignedPair::*side) {
    double sum = 0;
    Index rows = 0;
    for (const AlignedPair &query : queries) {
        double all = 0, paired = 0;
        for (const float weight : weights.row(query.*side))
            all += std::abs(static_cast<double>(weight));
        if (!(all > 0) || !std::isfinite(all))
            continue;
        for (const AlignedPair &key : keys)
            paired += std::abs(static_cast<double>(weights(query.*side, key.*side)));
        sum += std::max(0.0, 1 - paired / all);
        ++rows;
    }
    return rows > 0 ? std::optional(sum / static_cast<double>(rows)) : std::nullopt;
}

/// Measures a head over the paired queries only.
HeadMeasures measuresOver(MatrixView weights, const AlignedPairs &queries, Index AlignedPair::*side,
                          const MeasuredText &text) {
    std::vector<Index> own;
    for (const AlignedPair &query : queries)
        own.push_back(query.*side);
    return headMeasures(weights, text, own);
}

Result<ComparedPrediction> comparedAt(const ComparedSide &now, const ComparedSide &a,
                                      std::optional<AlignedPair> at, const std::stop_token &stop) {
    const auto rowOf = [&](const ComparedSide &side, Index token) {
        return readOutput(side.trace, {side.sequence, at ? token : side.sequence}, stop);
    };
    const Result<OutputRowPointer> nowRow = rowOf(now, at ? at->now : 0);
    if (!nowRow)
        return nowRow.error();
    const Result<OutputRowPointer> aRow = rowOf(a, at ? at->a : 0);
    if (!aRow)
        return aRow.error();
    const OutputRow &left = **nowRow, &right = **aRow;
    const auto topOf = [](const OutputRow &own, const OutputRow &other) {
        const auto top = std::ranges::max_element(own.probabilities) - own.probabilities.begin();
        const auto place = static_cast<std::size_t>(top);
        return ComparedPrediction::Top{top, static_cast<double>(own.probabilities[place]),
                                       static_cast<double>(other.probabilities[place])};
    };
    ComparedPrediction compared{at, topOf(left, right), topOf(right, left)};
    const auto top = static_cast<std::size_t>(compared.now.token);
    compared.logitDifference =
        static_cast<double>(left.logits[top]) - static_cast<double>(right.logits[top]);
    compared.divergence = jensenShannon(left.probabilities, right.probabilities);
    return compared;
}

Error noCommonHead() {
    return {"the two sides have no head in common", "", "compare models of the same family"};
}

/// Returns the number of columns of the logits; 0 if there is no output layer.
Result<std::size_t> choicesOf(const ComparedSide &side, const std::stop_token &stop) {
    if (!hasOutput(side.trace))
        return std::size_t(0);
    const Index row = side.trace.has(Stage::ClassLogits) ? side.sequence : 0;
    const Result<OutputRowPointer> output = readOutput(side.trace, {side.sequence, row}, stop);
    if (!output)
        return output.error();
    return (*output)->logits.size();
}

/// False if both sides have vocabularies that differ.
bool haveSameWords(const ComparedSide &now, const ComparedSide &a) {
    const auto wordsOf = [](const ComparedSide &side) {
        const Model &model = side.trace.model();
        return model.vocabularyOf(model.mainStack());
    };
    const Vocabulary *const left = wordsOf(now), *const right = wordsOf(a);
    return !left || !right || left == right || *left == *right;
}

/// Returns the heads of a side that have weights and no counterpart on the other side.
std::vector<HeadId> headsOnlyIn(const ComparedSide &side, const ComparedSide &other) {
    std::vector<HeadId> heads;
    for (const AttentionId attention : side.trace.model().attentions()) {
        if (!hasWeights(side, attention))
            continue;
        const Index common =
            hasWeights(other, attention) ? other.trace.model().headsOf(attention) : 0;
        for (Index head = common; head < side.trace.model().headsOf(attention); ++head)
            heads.push_back({attention, head});
    }
    return heads;
}

} // namespace

LeftOut leftOutOf(const ComparedSide &now, const ComparedSide &a) {
    LeftOut left{headsOnlyIn(now, a), headsOnlyIn(a, now)};
    const bool isOfText = now.trace.has(Stage::ClassLogits);
    if (hasOutput(now.trace) != hasOutput(a.trace))
        left.predictions = PredictionsLeftOut::OneSideHasNone;
    else if (hasOutput(now.trace) &&
             (isOfText != a.trace.has(Stage::ClassLogits) || !haveSameWords(now, a)))
        left.predictions = PredictionsLeftOut::DifferentWords;
    return left;
}

HeadMeasures changeOf(const ComparedHead &head) {
    HeadMeasures change;
    for (const NamedMeasure &measure : kEveryMeasure)
        if (head.now.*measure.measure && head.a.*measure.measure)
            change.*measure.measure = *(head.now.*measure.measure) - *(head.a.*measure.measure);
    return change;
}

Result<std::vector<ComparedHead>> comparedHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                AttentionId attention,
                                                const std::stop_token &stop) {
    std::vector<ComparedHead> heads;
    if (!hasWeights(now, attention) || !hasWeights(a, attention))
        return heads;
    const AlignedPairs &queries = pairsOf(now.trace.queries(attention), now, texts);
    const AlignedPairs &keys = pairsOf(now.trace.keys(attention), now, texts);
    const MeasuredText nowText = measuredTextOf(now.trace, attention, now.sequence);
    const MeasuredText aText = measuredTextOf(a.trace, attention, a.sequence);
    const Index count =
        std::min(now.trace.model().headsOf(attention), a.trace.model().headsOf(attention));
    for (Index head = 0; head < count; ++head) {
        if (stop.stop_requested())
            return cancelled();
        const Result<SharedMatrix> left = weightsOf(now, attention, head, stop);
        if (!left)
            return left.error();
        const Result<SharedMatrix> right = weightsOf(a, attention, head, stop);
        if (!right)
            return right.error();
        ComparedHead compared{attention, head};
        const WeightChanges changes = weightChanges(left->view(), right->view(), queries, keys);
        compared.largest = changes.largest;
        compared.meanDifference = changes.mean;
        compared.unpairedNow = unpairedShare(left->view(), queries, keys, &AlignedPair::now);
        compared.unpairedA = unpairedShare(right->view(), queries, keys, &AlignedPair::a);
        compared.now = measuresOver(left->view(), queries, &AlignedPair::now, nowText);
        compared.a = measuresOver(right->view(), queries, &AlignedPair::a, aText);
        heads.push_back(std::move(compared));
    }
    return heads;
}

Result<std::vector<ComparedHead>> comparedHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                const std::stop_token &stop) {
    std::vector<ComparedHead> heads;
    for (const AttentionId attention : now.trace.model().attentions()) {
        Result<std::vector<ComparedHead>> own = comparedHeads(now, a, texts, attention, stop);
        if (!own)
            return own.error();
        std::ranges::move(*own, std::back_inserter(heads));
    }
    if (heads.empty())
        return noCommonHead();
    return heads;
}

Result<std::vector<HeadOfTrace>> changesOfHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                const std::stop_token &stop, Progress *progress) {
    std::vector<HeadOfTrace> changes;
    const std::vector<AttentionId> attentions = now.trace.model().attentions();
    Progress::Layers done{0, static_cast<std::uint32_t>(attentions.size())};
    for (const AttentionId attention : attentions) {
        if (progress)
            progress->set(done);
        ++done.computed;
        const Result<std::vector<ComparedHead>> heads =
            comparedHeads(now, a, texts, attention, stop);
        if (!heads)
            return heads.error();
        for (const ComparedHead &head : *heads)
            changes.push_back({head.attention, head.head, changeOf(head)});
    }
    if (changes.empty())
        return noCommonHead();
    return changes;
}

Result<std::vector<ComparedPrediction>> comparedPredictions(const ComparedSide &now,
                                                            const ComparedSide &a,
                                                            const std::vector<AlignedText> &texts,
                                                            const std::stop_token &stop) {
    std::vector<ComparedPrediction> predictions;
    const bool isOfText = now.trace.has(Stage::ClassLogits);
    if (isOfText != a.trace.has(Stage::ClassLogits) || !haveSameWords(now, a))
        return predictions;
    const Result<std::size_t> choices = choicesOf(now, stop), others = choicesOf(a, stop);
    if (!choices)
        return choices.error();
    if (!others)
        return others.error();
    if (*choices == 0 || *choices != *others)
        return predictions;
    std::vector<std::optional<AlignedPair>> places;
    if (isOfText)
        places.emplace_back();
    else
        places.assign(texts.front().pairs.begin(), texts.front().pairs.end());
    for (const std::optional<AlignedPair> &place : places) {
        if (stop.stop_requested())
            return cancelled();
        const Result<ComparedPrediction> compared = comparedAt(now, a, place, stop);
        if (!compared)
            return compared.error();
        predictions.push_back(*compared);
    }
    return predictions;
}

double jensenShannon(std::span<const float> first, std::span<const float> second) {
    const auto shareIn = [](std::span<const float> shares) {
        return
            [shares](Index i) { return static_cast<double>(shares[static_cast<std::size_t>(i)]); };
    };
    return jensenShannonOf(std::ssize(first), shareIn(first), shareIn(second));
}

} // namespace headlight::core
