#include "core/formats/gguf/token_keys.h"

#include "core/tokenizers/text/unicode.h"

namespace headlight::core {

namespace {

constexpr const char *kTokenizerKeys = "tokenizer.ggml.";

std::string keyOf(const char *name) {
    return std::string(kTokenizerKeys) + name;
}

} // namespace

void TokenKeys::fail(const char *name, Message what, Message remedy) const {
    throw GgufReadError{{std::move(what), m_file.path() + ": " + keyOf(name), std::move(remedy)}};
}

void TokenKeys::checkKind(const char *name, bool isRead) const {
    if (const GgufValue *value = m_file.metadata().find(keyOf(name)); value && !isRead)
        fail(name, {"it has the wrong type: %1", Message(nameOf(value->kind))});
}

TokenKeys::TokenKeys(const GgufFile &file) : m_file(file) {
    const auto texts = file.metadata().texts(keyOf("tokens"));
    checkKind("tokens", texts.has_value());
    if (!texts || texts->empty())
        fail("tokens", "it has no tokens");
    if (std::ssize(*texts) > kMaxTokens)
        fail("tokens", {"it has %1 tokens; at most %2 are read", texts->size(), kMaxTokens});
    for (const std::string_view text : *texts)
        m_texts.push_back(asUtf8(std::string(text)));
    const auto kinds = file.metadata().wholes(keyOf("token_type"));
    checkKind("token_type", kinds.has_value());
    if (!kinds)
        return;
    if (kinds->size() != m_texts.size())
        fail("token_type",
             {"it has %1 entries, but there are %2 tokens", kinds->size(), m_texts.size()});
    for (const double kind : *kinds)
        m_kinds.push_back(kind >= 1 && kind <= 6 ? static_cast<PieceKind>(static_cast<int>(kind))
                                                 : PieceKind::Normal);
}

std::optional<Index> TokenKeys::id(const char *name) const {
    const auto id = m_file.metadata().whole(keyOf(name));
    checkKind(name, id.has_value());
    if (!id)
        return std::nullopt;
    if (*id < 0 || *id >= static_cast<double>(m_texts.size()))
        fail(name, {"it is outside the %1 tokens", m_texts.size()});
    return static_cast<Index>(*id);
}

std::optional<bool> TokenKeys::flag(const char *name) const {
    const auto flag = m_file.metadata().flag(keyOf(name));
    checkKind(name, flag.has_value());
    return flag;
}

std::vector<float> TokenKeys::scores() const {
    auto scores = m_file.metadata().reals(keyOf("scores"));
    checkKind("scores", scores.has_value());
    if (!scores || scores->size() != m_texts.size())
        fail("scores", {"it has %1 entries, but there are %2 tokens", scores ? scores->size() : 0,
                        m_texts.size()});
    return *std::move(scores);
}

std::vector<std::string_view> TokenKeys::merges() const {
    auto merges = m_file.metadata().texts(keyOf("merges"));
    checkKind("merges", merges.has_value());
    if (!merges)
        fail("merges", "it is missing");
    return *std::move(merges);
}

std::string TokenKeys::text(const char *name) const {
    const auto text = m_file.metadata().text(keyOf(name));
    checkKind(name, text.has_value());
    return asUtf8(std::string(text.value_or("")));
}

std::vector<AddedToken> TokenKeys::added(OfUser ofUser) const {
    std::vector<AddedToken> added;
    for (Index id = 0; id < count(); ++id) {
        const PieceKind kind = kindOf(id);
        const std::string &text = m_texts[static_cast<std::size_t>(id)];
        const bool isFound = kind == PieceKind::Control || kind == PieceKind::Unknown ||
                             (kind == PieceKind::UserDefined && ofUser == OfUser::Added);
        if (text.empty() || !isFound)
            continue;
        added.push_back({text, id});
        added.back().isSpecial = kind != PieceKind::UserDefined;
    }
    return added;
}

TokenList TokenKeys::list(const std::vector<std::string> &texts) const {
    std::vector<std::pair<std::string, Index>> all;
    all.reserve(texts.size());
    for (const std::string &text : texts)
        all.emplace_back(text, static_cast<Index>(all.size()));
    auto tokens = TokenList::from(std::move(all));
    if (!tokens)
        fail("tokens", tokens.error().what, tokens.error().remedy);
    return std::move(*tokens);
}

} // namespace headlight::core
