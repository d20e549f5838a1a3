#include "core/transformer/embeddings.h"

#include "core/random.h"
#include "core/tokenizers/unicode.h"

#include <cassert>

namespace headlight::core {

Embeddings::Embeddings(Given given) : m_given(std::move(given)) {
    for (const auto &[word, vector] : m_given.words) {
        assert(static_cast<Index>(vector.size()) == m_given.width);
        m_byKey.emplace(keyOf(word), vector);
    }
}

std::string Embeddings::keyOf(std::string_view word) const {
    return m_given.ignoreCase ? foldCase(word) : normalized(word);
}

std::vector<float> Embeddings::vectorOf(std::string_view word) const {
    const std::string key = keyOf(word);
    if (const auto found = m_byKey.find(key); found != m_byKey.end())
        return found->second;
    std::vector<float> vector(static_cast<std::size_t>(m_given.width));
    Random random(seedFor(m_given.seed, key));
    for (float &number : vector)
        number = static_cast<float>(random.normal()) * m_given.deviation;
    return vector;
}

bool Embeddings::isGiven(std::string_view word) const {
    return m_byKey.contains(keyOf(word));
}

} // namespace headlight::core
