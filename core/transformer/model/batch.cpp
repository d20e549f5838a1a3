#include "core/transformer/model/batch.h"

#include "core/tokenizers/word_tokenizer.h"
#include "core/transformer/model/vocabulary.h"

#include <algorithm>

namespace headlight::core {

TokenizedText Sequence::tokenized() const {
    return {{tokens.begin(), tokens.begin() + length}, text, isSplit};
}

Result<BatchPointer> Batch::create(std::vector<TokenizedText> sequences, Index atLeast) {
    auto batch = std::make_shared<Batch>();
    batch->m_length = atLeast;
    for (TokenizedText &given : sequences) {
        Sequence sequence;
        sequence.tokens = std::move(given.tokens);
        const auto lastReal =
            std::find_if(sequence.tokens.rbegin(), sequence.tokens.rend(),
                         [](const Token &token) { return token.text != kPadToken; });
        sequence.length = sequence.tokens.rend() - lastReal;
        if (sequence.length == 0)
            return Error{"the sequence contains only padding",
                         "sequence " + std::to_string(batch->count()), "give it at least one word"};
        sequence.text = std::move(given.text);
        sequence.isSplit = given.isSplit && !sequence.text.empty();
        sequence.tokenTypes = std::move(given.types);
        batch->m_length = std::max(batch->m_length, static_cast<Index>(sequence.tokens.size()));
        batch->m_sequences.push_back(std::move(sequence));
    }
    if (batch->m_sequences.empty())
        return Error{"there is no sequence", "batch", "give at least one"};
    for (Sequence &sequence : batch->m_sequences) {
        sequence.tokens.resize(static_cast<std::size_t>(batch->m_length),
                               Token{std::string(kPadToken)});
        if (!sequence.tokenTypes.empty())
            sequence.tokenTypes.resize(static_cast<std::size_t>(batch->m_length));
    }
    return BatchPointer(std::move(batch));
}

Result<BatchPointer> Batch::ofWords(const std::vector<std::vector<std::string>> &tokens,
                                    Index atLeast, std::vector<std::string> texts) {
    assert(texts.empty() || texts.size() == tokens.size());
    texts.resize(tokens.size());
    std::vector<TokenizedText> sequences;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool isSplit = !texts[i].empty();
        sequences.push_back({tokensOf(tokens[i]), std::move(texts[i]), isSplit});
    }
    return create(std::move(sequences), atLeast);
}

BatchPointer Batch::withEmbeddings(Index sequence, Parameter embeddings) const {
    auto copy = std::make_shared<Batch>(*this);
    copy->m_sequences[static_cast<std::size_t>(sequence)].embeddings = std::move(embeddings);
    return copy;
}

BatchPointer Batch::withTokenTypes(Index sequence, std::vector<Index> types) const {
    auto copy = std::make_shared<Batch>(*this);
    types.resize(static_cast<std::size_t>(m_length));
    copy->m_sequences[static_cast<std::size_t>(sequence)].tokenTypes = std::move(types);
    return copy;
}

BatchPointer Batch::withEach(std::vector<Parameter> embeddings,
                             std::vector<std::vector<Index>> types) const {
    auto copy = std::make_shared<Batch>(*this);
    for (std::size_t i = 0; i < copy->m_sequences.size(); ++i) {
        Sequence &sequence = copy->m_sequences[i];
        if (embeddings[i])
            sequence.embeddings = std::move(embeddings[i]);
        if (!types[i].empty()) {
            sequence.tokenTypes = std::move(types[i]);
            sequence.tokenTypes.resize(static_cast<std::size_t>(m_length));
        }
    }
    return copy;
}

BatchPointer Batch::withNeededIds(const Vocabulary &vocabulary) const {
    auto copy = std::make_shared<Batch>(*this);
    for (Sequence &sequence : copy->m_sequences)
        for (Token &token : sequence.tokens)
            if (token.id && token.id == vocabulary.idOf(token.text))
                token.id.reset();
    return copy;
}

BatchPointer Batch::only(Index sequence) const {
    auto one = std::make_shared<Batch>();
    Sequence &own = one->m_sequences.emplace_back((*this)[sequence]);
    one->m_length = own.length;
    const auto length = static_cast<std::size_t>(own.length);
    own.tokens.resize(length);
    if (!own.tokenTypes.empty())
        own.tokenTypes.resize(length);
    if (own.embeddings) {
        Matrix rows(own.length, own.embeddings->columns());
        for (Index token = 0; token < own.length; ++token)
            std::ranges::copy(ParameterBlock(own.embeddings).row(token),
                              rows.view().row(token).begin());
        own.embeddings = makeParameter(std::move(rows));
    }
    return one;
}

BatchPointer Batch::repeated(Index sequence, Index times) const {
    auto copies = std::make_shared<Batch>();
    copies->m_sequences.assign(static_cast<std::size_t>(times), (*this)[sequence]);
    copies->m_length = m_length;
    return copies;
}

BatchPointer Batch::withAppended(Token token) const {
    assert(count() == 1 && (*this)[0].length == m_length && !(*this)[0].embeddings);
    auto copy = std::make_shared<Batch>(*this);
    Sequence &sequence = copy->m_sequences[0];
    sequence.tokens.push_back(std::move(token));
    sequence.length = ++copy->m_length;
    sequence.text.clear();
    sequence.isSplit = false;
    for (Token &each : sequence.tokens)
        each.span.reset();
    if (!sequence.tokenTypes.empty())
        sequence.tokenTypes.push_back(sequence.tokenTypes.back());
    return copy;
}

namespace {

bool sameNumbers(const Sequence &a, const Sequence &b) {
    // Name all members, so that a new member does not compile until it is compared here.
    const auto &[tokens, length, text, isSplit, embeddings, tokenTypes] = a;
    return tokens == b.tokens && length == b.length && text == b.text && isSplit == b.isSplit &&
           tokenTypes == b.tokenTypes && sameNumbers(embeddings, b.embeddings);
}

} // namespace

bool sameNumbers(const BatchPointer &a, const BatchPointer &b) {
    return a == b ||
           (a && b &&
            std::equal(a->sequences().begin(), a->sequences().end(), b->sequences().begin(),
                       b->sequences().end(), [](const Sequence &left, const Sequence &right) {
                           return sameNumbers(left, right);
                       }));
}

bool sameLengths(const Batch &a, const Batch &b) {
    return std::ranges::equal(a.sequences(), b.sequences(), {}, &Sequence::length,
                              &Sequence::length);
}

BatchPointer withEmbeddingsOf(BatchPointer batch, const Batch &before, Index retyped) {
    assert(batch->count() >= before.count());
    std::vector<Parameter> embeddings(batch->sequences().size());
    std::vector<std::vector<Index>> types(batch->sequences().size());
    for (Index sequence = 0; sequence < before.count(); ++sequence) {
        if (sequence == retyped)
            continue;
        const auto place = static_cast<std::size_t>(sequence);
        types[place] = before[sequence].tokenTypes;
        const Parameter &own = before[sequence].embeddings;
        if (!own)
            continue;
        Matrix resized(batch->length(), own->columns());
        const ParameterBlock vectors(own);
        for (Index token = 0; token < std::min(resized.rows(), own->rows()); ++token)
            std::ranges::copy(vectors.row(token), resized.view().row(token).begin());
        embeddings[place] = makeParameter(std::move(resized));
    }
    return batch->withEach(std::move(embeddings), std::move(types));
}

} // namespace headlight::core
