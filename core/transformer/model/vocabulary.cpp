#include "core/transformer/model/vocabulary.h"

namespace headlight::core {

Result<VocabularyPointer> Vocabulary::create(std::vector<std::string> words) {
    auto vocabulary = std::make_shared<Vocabulary>();
    vocabulary->m_words = std::move(words);
    vocabulary->m_ids.reserve(vocabulary->m_words.size());
    for (Index id = 0; id < vocabulary->size(); ++id) {
        const std::string &word = vocabulary->word(id);
        const std::string where = "vocabulary[" + std::to_string(id) + "]";
        if (word.empty())
            return Error{"an empty word", where, "give it a name"};
        if (!vocabulary->m_ids.emplace(word, id).second)
            vocabulary->m_alike.insert(word);
    }
    for (const char *unknown : {"[UNK]", "<unk>"})
        if (const auto found = vocabulary->m_ids.find(unknown); found != vocabulary->m_ids.end())
            vocabulary->m_unknown = found->second;
    return VocabularyPointer(std::move(vocabulary));
}

Token Vocabulary::token(Index id) const {
    const std::string &text = word(id);
    return {text, idOf(text) == id ? std::nullopt : std::optional(id)};
}

std::optional<Index> Vocabulary::idOf(std::string_view text) const {
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? m_unknown : std::optional(found->second);
}

} // namespace headlight::core
