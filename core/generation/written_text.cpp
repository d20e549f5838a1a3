#include "core/generation/written_text.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr std::string_view kUnreadableSign = "\uFFFD";

/// Returns the separator of words. Empty if some words of the vocabulary contain spaces, as in
/// subword tokenizers.
std::string_view betweenTextOf(const Vocabulary &vocabulary) {
    const auto bringsSpace = [](const std::string &word) {
        return word.size() > 1 && (word.front() == ' ' || word.back() == ' ');
    };
    return std::ranges::any_of(vocabulary.words(), bringsSpace) ? "" : " ";
}

/// True for byte tokens such as "<0xE2>". Several of them form one character.
bool isByte(std::string_view word) {
    return word.size() == 6 && word.starts_with("<0x") && word.ends_with('>');
}

} // namespace

WrittenText::WrittenText(const Model &model, const Batch &before, Index sequence)
    : m_reader(model.reader), m_words(model.vocabulary), m_stack(model.mainStack()) {
    if (!m_reader) {
        m_between = betweenTextOf(*m_words);
        return;
    }
    for (Index token = 0; token < before[sequence].length; ++token)
        if (const auto id = m_words->idOf(before[sequence][token]))
            m_ids.push_back(*id);
    m_returned = textSoFar();
    while (m_returned.ends_with(kUnreadableSign)) // an incomplete character
        m_returned.resize(m_returned.size() - kUnreadableSign.size());
}

std::string WrittenText::textSoFar() const {
    return m_reader->textOf(m_stack, m_ids);
}

std::string WrittenText::add(Index id) {
    m_ids.push_back(id);
    if (!m_reader)
        return (m_ids.size() > 1 ? m_between : "") + m_words->word(id);
    if (isByte(m_words->word(id)))
        return {};
    std::string text = textSoFar();
    if (text.ends_with(kUnreadableSign) || !text.starts_with(m_returned))
        return {};
    std::string grown = text.substr(m_returned.size());
    m_returned = std::move(text);
    return grown;
}

std::string WrittenText::rest() {
    if (!m_reader)
        return {};
    std::string text = textSoFar();
    // Returned text cannot change any more, so only the text after it is returned.
    auto same =
        static_cast<std::size_t>(std::ranges::mismatch(text, m_returned).in1 - text.begin());
    while (same < text.size() && (static_cast<unsigned char>(text[same]) & 0xC0) == 0x80)
        ++same; // does not start inside a character
    std::string grown = text.substr(same);
    m_returned = std::move(text);
    return grown;
}

} // namespace headlight::core
