#include "core/analysis/head_aggregation.h"

#include "core/analysis/special_tokens.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::core {

namespace {

double sizeOf(float weight) {
    return std::abs(static_cast<double>(weight));
}

double sumOfSizes(std::span<const float> row) {
    return std::accumulate(row.begin(), row.end(), 0.0,
                           [](double sum, float weight) { return sum + sizeOf(weight); });
}

Matrix copyOf(MatrixView weights) {
    Matrix copy(weights.rows, weights.columns);
    for (Index i = 0; i < weights.rows; ++i)
        std::ranges::copy(weights.row(i), copy.view().row(i).begin());
    return copy;
}

/// True if the token continues the word of the token before it. `isMarked`: the sequence's
/// tokenizer marks the beginnings of words.
bool continues(const Token &before, const Token &token, bool isMarked) {
    if (isWrittenAsSpecial(before.text) || isWrittenAsSpecial(token.text))
        return false;
    if (token.text.starts_with("##") && token.text.size() > 2)
        return true;
    if (marksBeginning(token.text))
        return false;
    const bool meets = endsWithWord(withoutWordMarks(before.text)) && beginsWithWord(token.text);
    if (token.span && before.span)
        return before.span->end == token.span->begin && meets;
    return isMarked && meets;
}

} // namespace

Matrix combinedHeads(std::span<const MatrixView> heads, HeadSummary summary) {
    assert(!heads.empty());
    Matrix combined(heads.front().rows, heads.front().columns);
    for (Index i = 0; i < combined.rows(); ++i)
        for (Index j = 0; j < combined.columns(); ++j) {
            auto result = static_cast<double>(heads.front()(i, j));
            for (const MatrixView &head : heads.subspan(1)) {
                const auto weight = static_cast<double>(head(i, j));
                result = summary == HeadSummary::Mean ? result + weight : std::max(result, weight);
            }
            if (summary == HeadSummary::Mean)
                result /= static_cast<double>(heads.size());
            combined(i, j) = static_cast<float>(result);
        }
    return combined;
}

std::vector<TokenRange> wordsOf(std::span<const Token> tokens, Index length) {
    tokens = tokens.first(static_cast<std::size_t>(std::min(length, std::ssize(tokens))));
    const bool isMarked = areBeginningsMarked(tokens);
    std::vector<TokenRange> words;
    for (Index i = 0; i < std::ssize(tokens); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (i > 0 && continues(tokens[at - 1], tokens[at], isMarked))
            words.back().end = i + 1;
        else
            words.push_back({i, i + 1});
    }
    return words;
}

Matrix mergedIntoWords(MatrixView weights, std::span<const TokenRange> queries,
                       std::span<const TokenRange> keys) {
    Matrix merged(std::ssize(queries), std::ssize(keys));
    for (Index q = 0; q < merged.rows(); ++q)
        for (Index k = 0; k < merged.columns(); ++k) {
            const TokenRange &rows = queries[static_cast<std::size_t>(q)];
            const TokenRange &columns = keys[static_cast<std::size_t>(k)];
            double sum = 0;
            for (Index i = rows.begin; i < rows.end; ++i)
                for (Index j = columns.begin; j < columns.end; ++j)
                    sum += static_cast<double>(weights(i, j));
            merged(q, k) = static_cast<float>(sum / static_cast<double>(rows.end - rows.begin));
        }
    return merged;
}

std::vector<bool> leftOutKeys(std::span<const Token> keys, const LeftOutKeys &which) {
    std::vector<bool> leftOut;
    for (const Token &key : keys)
        leftOut.push_back((which.firstToken && leftOut.empty()) ||
                          (which.specialTokens && isWrittenAsSpecial(key.text)));
    return leftOut;
}

Matrix withoutKeys(MatrixView weights, const std::vector<bool> &keys) {
    Matrix kept = copyOf(weights);
    for (Index i = 0; i < weights.rows; ++i) {
        const std::span<float> row = kept.view().row(i);
        const double before = sumOfSizes(row);
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = keys[j] ? 0 : row[j];
        const double after = sumOfSizes(row);
        if (after > 0 && std::isfinite(before))
            for (float &weight : row)
                weight = static_cast<float>(static_cast<double>(weight) * before / after);
    }
    return kept;
}

Matrix keptAtLeast(MatrixView weights, float least) {
    Matrix kept = copyOf(weights);
    for (Index i = 0; i < weights.rows; ++i)
        for (float &weight : kept.view().row(i))
            weight = std::abs(weight) >= least ? weight : 0;
    return kept;
}

Matrix keptShare(MatrixView weights, double share) {
    Matrix kept(weights.rows, weights.columns);
    std::vector<Index> order(static_cast<std::size_t>(weights.columns));
    for (Index i = 0; i < weights.rows; ++i) {
        const std::span<const float> row = weights.row(i);
        const double wanted = share * sumOfSizes(row);
        std::iota(order.begin(), order.end(), Index(0));
        std::ranges::stable_sort(order, [row](Index a, Index b) {
            return std::abs(row[static_cast<std::size_t>(a)]) >
                   std::abs(row[static_cast<std::size_t>(b)]);
        });
        double sum = 0;
        for (const Index j : order) {
            // Allows for rounding errors, which could otherwise keep one key too many.
            if (sum >= wanted * (1 - 1e-12))
                break;
            kept(i, j) = row[static_cast<std::size_t>(j)];
            sum += sizeOf(kept(i, j));
        }
    }
    return kept;
}

} // namespace headlight::core
