#include "core/analysis/token_partners.h"

#include "core/analysis/special_tokens.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

AlignedPairs pairsByPosition(std::size_t count) {
    AlignedPairs pairs(count);
    for (std::size_t i = 0; i < count; ++i)
        pairs[i] = {static_cast<Index>(i), static_cast<Index>(i)};
    return pairs;
}

/// Returns the tokens without the marks that begin words. The first word of a text may lack its
/// mark, and tokenizers write the mark in different ways.
std::vector<std::string> withoutMarks(const std::vector<std::string> &tokens) {
    std::vector<std::string> words;
    for (const std::string &token : tokens)
        words.emplace_back(withoutWordMarks(token));
    return words;
}

AlignedPairs foundPairs(const AlignedText &text, const std::stop_token &stop = {}) {
    return text.now.size() == text.a.size()
               ? pairsByPosition(text.now.size())
               : alignedTokens(withoutMarks(text.now), withoutMarks(text.a), stop);
}

std::vector<std::string> wordsIn(const Sequence &sequence) {
    return textsOf(std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.length)));
}

std::optional<Index> partnerAt(const std::vector<Index> &partners, Index token) {
    if (token < 0 || token >= std::ssize(partners) || partners[static_cast<std::size_t>(token)] < 0)
        return std::nullopt;
    return partners[static_cast<std::size_t>(token)];
}

} // namespace

TokenPartners::TokenPartners(std::vector<AlignedText> texts, bool isByPosition)
    : m_texts(std::move(texts)), m_isByPosition(isByPosition) {
    for (const AlignedText &text : m_texts) {
        Partners partners{std::vector<Index>(text.now.size(), -1),
                          std::vector<Index>(text.a.size(), -1)};
        for (const AlignedPair &pair : text.pairs) {
            partners.inA[static_cast<std::size_t>(pair.now)] = pair.a;
            partners.inNow[static_cast<std::size_t>(pair.a)] = pair.now;
        }
        m_partners.push_back(std::move(partners));
    }
}

std::optional<Index> TokenPartners::inA(std::size_t text, Index now) const {
    return text < m_partners.size() ? partnerAt(m_partners[text].inA, now) : std::nullopt;
}

std::optional<Index> TokenPartners::inNow(std::size_t text, Index a) const {
    return text < m_partners.size() ? partnerAt(m_partners[text].inNow, a) : std::nullopt;
}

TokenPartnersPointer partnersOf(const Input &now, Index nowSequence, const Input &a,
                                Index aSequence, const Model &model, const OwnPairsPointer &own,
                                const std::stop_token &stop) {
    std::vector<AlignedText> texts;
    bool isByPosition = true;
    const auto add = [&](Stack stack, const Batch &left, const Batch &right) {
        AlignedText text{stack, wordsIn(left[nowSequence]), wordsIn(right[aSequence])};
        const AlignedText *wanted = nullptr;
        if (own)
            for (const AlignedText &each : *own)
                if (each.stack == stack && each.now == text.now && each.a == text.a)
                    wanted = &each;
        text.pairs = wanted ? wanted->pairs : foundPairs(text, stop);
        isByPosition = isByPosition && left.length() == right.length() &&
                       text.now.size() == text.a.size() &&
                       text.pairs == pairsByPosition(text.now.size());
        texts.push_back(std::move(text));
    };
    add(model.mainStack(), *now.batch, *a.batch);
    if (now.source && a.source)
        add(model.sourceStack(), *now.source, *a.source);
    return std::make_shared<const TokenPartners>(std::move(texts), isByPosition);
}

TokenPartnersPointer partnersOf(const ComparedSide &now, const ComparedSide &a,
                                const TokenPartnersPointer &known, const std::stop_token &stop) {
    return known ? known
                 : partnersOf(now.trace.input(), now.sequence, a.trace.input(), a.sequence,
                              now.trace.model(), nullptr, stop);
}

const Batch &batchOfRows(const Trace &trace, StageId stage) {
    const StageInfo &info = infoOf(stage.stage);
    if (info.part == Part::OutputLayer)
        return trace.batch();
    return info.ofKeys() ? trace.keys(stage.attention) : trace.queries(stage.attention);
}

StageTexts stageTexts(const Trace &trace, StageId stage) {
    const auto textOf = [&trace](const Batch &batch) {
        return &batch == trace.input().batch.get() ? TokenPartners::kMainText
                                                   : TokenPartners::kSourceText;
    };
    const StageInfo &info = infoOf(stage.stage);
    StageTexts texts;
    if (!info.rowsAreSequences())
        texts.rows = textOf(batchOfRows(trace, stage));
    if (info.overKeys())
        texts.columns = textOf(trace.keys(stage.attention));
    return texts;
}

Matrix inOrderOfNow(MatrixView a, const TokenPartners &partners, const StageTexts &texts,
                    Index rows, Index columns) {
    const auto placesOf = [&partners](std::optional<std::size_t> text, Index count,
                                      Index countOfA) {
        std::vector<Index> places(static_cast<std::size_t>(count), -1);
        for (Index i = 0; i < count; ++i) {
            const Index place = partners.has(text) ? partners.inA(*text, i).value_or(-1) : i;
            places[static_cast<std::size_t>(i)] = place < countOfA ? place : -1;
        }
        return places;
    };
    const std::vector<Index> rowsOfA = placesOf(texts.rows, rows, a.rows),
                             columnsOfA = placesOf(texts.columns, columns, a.columns);
    Matrix ordered(rows, columns);
    for (Index row = 0; row < rows; ++row) {
        const Index rowOfA = rowsOfA[static_cast<std::size_t>(row)];
        for (Index column = 0; column < columns; ++column) {
            const Index columnOfA = columnsOfA[static_cast<std::size_t>(column)];
            ordered(row, column) = rowOfA < 0 || columnOfA < 0
                                       ? std::numeric_limits<float>::quiet_NaN()
                                       : a(rowOfA, columnOfA);
        }
    }
    return ordered;
}

Result<Difference> difference(MatrixView now, MatrixView a, const TokenPartners *partners,
                              const StageTexts &texts, Index words) {
    if (!partners)
        return difference(now, a, words);
    const Matrix ordered = inOrderOfNow(a, *partners, texts, now.rows, now.columns);
    return difference(now, ordered.view(), words);
}

Result<AlignedText> withPairEdits(AlignedText text, const std::vector<PairEdit> &edits) {
    for (const PairEdit &edit : edits) {
        const auto missing = [](Index token, std::ptrdiff_t count) -> std::optional<Error> {
            if (token >= 0 && token < count)
                return std::nullopt;
            return Error{{"there is no token %1", token}, "--align", {"use 0 to %1", count - 1}};
        };
        if (const auto error = missing(edit.now, std::ssize(text.now)))
            return *error;
        if (edit.a)
            if (const auto error = missing(*edit.a, std::ssize(text.a)))
                return *error;
        text.pairs = edit.a ? withPair(std::move(text.pairs), {edit.now, *edit.a})
                            : withoutPairOf(std::move(text.pairs), edit.now);
    }
    return text;
}

std::vector<PairEdit> pairEditsOf(const AlignedText &text) {
    const AlignedPairs found = foundPairs(text);
    const auto has = [](const AlignedPairs &pairs, const AlignedPair &pair) {
        const auto place = std::ranges::lower_bound(pairs, pair.now, {}, &AlignedPair::now);
        return place != pairs.end() && *place == pair;
    };
    const auto hasPartner = [&text](Index now) {
        const auto place = std::ranges::lower_bound(text.pairs, now, {}, &AlignedPair::now);
        return place != text.pairs.end() && place->now == now;
    };
    std::vector<PairEdit> edits; // setting a pair also removes the old pair of its token
    for (const AlignedPair &pair : found)
        if (!hasPartner(pair.now))
            edits.push_back({pair.now, {}});
    for (const AlignedPair &pair : text.pairs)
        if (!has(found, pair))
            edits.push_back({pair.now, pair.a});
    return edits;
}

} // namespace headlight::core
