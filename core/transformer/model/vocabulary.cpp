#include "core/transformer/model/vocabulary.h"

#include "core/in_quotes.h"

namespace headlight::core {

Result<VocabularyPointer> Vocabulary::create(std::vector<std::string> words) {
    auto vocabulary = std::make_shared<Vocabulary>();
    vocabulary->m_words = std::move(words);
    vocabulary->m_ids.reserve(vocabulary->m_words.size());
    for (Index id = 0; id < vocabulary->size(); ++id) {
        const std::string &word = vocabulary->word(id);
        const std::string where = "vocabulary[" + std::to_string(id) + "]";
        if (word.empty())
            return Error{"a word without a letter", where, "give it a name"};
        const auto [first, isNew] = vocabulary->m_ids.emplace(word, id);
        if (!isNew)
            return Error{inQuotes(word) + " is word " + std::to_string(first->second) + " already",
                         where, "keep one of them"};
    }
    for (const char *unknown : {"[UNK]", "<unk>"})
        if (const auto found = vocabulary->m_ids.find(unknown); found != vocabulary->m_ids.end())
            vocabulary->m_unknown = found->second;
    return VocabularyPointer(std::move(vocabulary));
}

std::optional<Index> Vocabulary::idOf(std::string_view token) const {
    const auto found = m_ids.find(token);
    return found == m_ids.end() ? m_unknown : std::optional(found->second);
}

} // namespace headlight::core
