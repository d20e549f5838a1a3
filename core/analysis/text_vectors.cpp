#include "core/analysis/text_vectors.h"

#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace headlight::core {

namespace {

/// Maps the words of a vocabulary to their columns.
class Places {
  public:
    explicit Places(std::span<const std::string> vocabulary) {
        m_places.reserve(vocabulary.size());
        for (std::size_t place = 0; place < vocabulary.size(); ++place)
            m_places.emplace(vocabulary[place], place);
        m_places.erase(kPadToken);
    }

    std::optional<std::size_t> of(std::string_view word) const {
        const auto found = m_places.find(word);
        return found == m_places.end() ? std::nullopt : std::optional(found->second);
    }

    /// Counts the tokens that are in the vocabulary.
    void count(std::span<const std::string> tokens, std::span<float> counts) const {
        for (const std::string &token : tokens)
            if (const auto place = of(token))
                ++counts[*place];
    }

  private:
    std::unordered_map<std::string_view, std::size_t> m_places;
};

Matrix countsOf(std::span<const Sequence> texts, std::span<const std::string> vocabulary) {
    const Places places(vocabulary);
    Matrix counts(static_cast<Index>(texts.size()), static_cast<Index>(vocabulary.size()));
    for (std::size_t text = 0; text < texts.size(); ++text)
        places.count(textsOf(texts[text].tokens), counts.view().row(static_cast<Index>(text)));
    return counts;
}

std::vector<double> inverseDocumentFrequency(MatrixView counts) {
    std::vector<double> result;
    for (Index word = 0; word < counts.columns; ++word) {
        Index texts = 0;
        for (Index text = 0; text < counts.rows; ++text)
            texts += counts(text, word) > 0 ? 1 : 0;
        result.push_back(
            std::log(static_cast<double>(1 + counts.rows) / static_cast<double>(1 + texts)) + 1);
    }
    return result;
}

} // namespace

std::vector<std::string> vocabularyOf(std::span<const Sequence> texts) {
    std::vector<std::string> words;
    std::unordered_set<std::string_view> seen{kPadToken};
    for (const Sequence &text : texts)
        for (const Token &token : text.tokens)
            if (seen.insert(token.text).second)
                words.push_back(token.text);
    return words;
}

Matrix oneHot(std::span<const std::string> tokens, std::span<const std::string> vocabulary) {
    const Places places(vocabulary);
    Matrix result(static_cast<Index>(tokens.size()), static_cast<Index>(vocabulary.size()));
    for (std::size_t t = 0; t < tokens.size(); ++t)
        if (const auto place = places.of(tokens[t]))
            result(static_cast<Index>(t), static_cast<Index>(*place)) = 1;
    return result;
}

std::vector<float> bagOfWords(std::span<const std::string> tokens,
                              std::span<const std::string> vocabulary) {
    std::vector<float> counts(vocabulary.size());
    Places(vocabulary).count(tokens, counts);
    return counts;
}

std::vector<double> inverseDocumentFrequency(std::span<const Sequence> texts,
                                             std::span<const std::string> vocabulary) {
    const Matrix counts = countsOf(texts, vocabulary);
    return inverseDocumentFrequency(counts.view());
}

Matrix tfIdf(std::span<const Sequence> texts, std::span<const std::string> vocabulary,
             TextVectorLength length) {
    Matrix result = countsOf(texts, vocabulary);
    const std::vector<double> idf = inverseDocumentFrequency(result.view());
    std::vector<double> products(idf.size());
    for (Index text = 0; text < result.rows(); ++text) {
        const std::span<float> row = result.view().row(text);
        double squares = 0;
        for (std::size_t word = 0; word < idf.size(); ++word) {
            products[word] = static_cast<double>(row[word]) * idf[word];
            squares += products[word] * products[word];
        }
        const double divisor =
            length == TextVectorLength::Unit && squares > 0 ? std::sqrt(squares) : 1;
        std::ranges::transform(products, row.begin(), [divisor](double product) {
            return static_cast<float>(product / divisor);
        });
    }
    return result;
}

} // namespace headlight::core
