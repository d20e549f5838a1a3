#include "core/transformer/model/embeddings.h"

#include "core/random.h"
#include "core/tokenizers/text/unicode.h"

#include <cassert>

namespace headlight::core {

Embeddings::Embeddings(Given given)
    : m_width(given.width), m_ignoreCase(given.ignoreCase), m_given(std::move(given)) {
    note(m_given.words);
}

Embeddings::Embeddings(std::shared_ptr<const Embeddings> below,
                       std::map<std::string, std::vector<float>> words)
    : m_width(below->m_width),
      m_ignoreCase(below->m_ignoreCase),
      m_below(std::move(below)),
      m_over(std::move(words)) {
    note(m_over);
}

void Embeddings::note(const std::map<std::string, std::vector<float>> &words) {
    for (const auto &[word, vector] : words) {
        assert(static_cast<Index>(vector.size()) == m_width);
        m_byKey.emplace(keyOf(word), &vector);
    }
}

std::string Embeddings::keyOf(std::string_view word) const {
    return m_ignoreCase ? foldCase(word) : normalized(word);
}

const std::vector<float> *Embeddings::find(const std::string &key) const {
    for (const Embeddings *layer = this; layer; layer = layer->m_below.get())
        if (const auto found = layer->m_byKey.find(key); found != layer->m_byKey.end())
            return found->second;
    return nullptr;
}

const Embeddings::Given &Embeddings::given() const {
    if (m_below)
        std::call_once(m_together, [this] {
            m_given = m_below->given();
            // Remove other spellings of an overridden word; otherwise it would have two vectors.
            std::erase_if(m_given.words,
                          [this](const auto &word) { return m_byKey.contains(keyOf(word.first)); });
            for (const auto &[word, vector] : m_over)
                m_given.words.insert_or_assign(word, vector);
        });
    return m_given;
}

std::vector<float> Embeddings::vectorOf(std::string_view word) const {
    const std::string key = keyOf(word);
    if (const std::vector<float> *found = find(key))
        return *found;
    const Embeddings *base = this;
    while (base->m_below)
        base = base->m_below.get();
    const Given &rule = base->m_given;
    std::vector<float> vector(static_cast<std::size_t>(m_width));
    Random random(seedFor(rule.seed, key));
    for (float &number : vector)
        number = static_cast<float>(random.normal()) * rule.deviation;
    return vector;
}

bool Embeddings::isGiven(std::string_view word) const {
    return find(keyOf(word)) != nullptr;
}

} // namespace headlight::core
