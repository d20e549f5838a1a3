#include "core/formats/tokenizer/sentence_piece.h"

#include "core/formats/tokenizer/sentence_piece_model.h"
#include "core/formats/tokenizer/vocabulary_files.h"
#include "core/tokenizers/pipeline.h"

#include <algorithm>
#include <unordered_map>

namespace headlight::core {

namespace {

using What = TemplatePart::What;

/// How a family numbers the pieces; the offset is added to their own numbers.
struct Numbering {
    Index offset = 0;
    /// Ids that do not follow from the offset.
    std::vector<std::pair<std::string, Index>> own{};
};

Numbering numberingOf(const SentencePieceSettings &settings, const SentencePieceLibrary &library) {
    const Index count = pieceCountOf(library);
    Numbering numbering;
    switch (settings.family) {
    case SentencePieceFamily::XlmRoberta: // fairseq's dictionary adds four words
        numbering = {1,
                     {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}, {"<mask>", count + 1}}};
        break;
    case SentencePieceFamily::Camembert: // the same, before all of the model's pieces
        numbering = {4,
                     {{"<s>NOTUSED", 0},
                      {"<pad>", 1},
                      {"</s>NOTUSED", 2},
                      {"<unk>", 3},
                      {"<unk>NOTUSED", 4},
                      {"<mask>", count + 4}}};
        break;
    case SentencePieceFamily::T5: // sentinel tokens, numbered down from the last id
        for (Index i = 0; i < settings.extraIds; ++i)
            numbering.own.emplace_back("<extra_id_" + std::to_string(i) + ">",
                                       count + settings.extraIds - 1 - i);
        break;
    case SentencePieceFamily::Albert:
    case SentencePieceFamily::Llama:
    case SentencePieceFamily::None:
        break;
    }
    return numbering;
}

struct Numbered {
    TokenList tokens;
    std::vector<Index> ids; ///< id of each piece
};

Result<Numbered> numbered(const SentencePieceLibrary &library, const Numbering &numbering) {
    Numbered made;
    std::vector<std::pair<std::string, Index>> all = numbering.own;
    const std::unordered_map<std::string_view, Index> own(numbering.own.begin(),
                                                          numbering.own.end());
    for (Index piece = 0; piece < pieceCountOf(library); ++piece) {
        std::string text = textOfPiece(library, piece);
        if (const auto found = own.find(text); found != own.end()) {
            made.ids.push_back(found->second);
        } else {
            made.ids.push_back(piece + numbering.offset);
            all.emplace_back(std::move(text), made.ids.back());
        }
    }
    auto tokens = TokenList::from(std::move(all));
    if (!tokens)
        return tokens.error();
    made.tokens = std::move(*tokens);
    return made;
}

/// Returns the tokens that the family finds in texts.
std::vector<AddedToken> addedTo(const TokenList &tokens, const Numbering &numbering,
                                SentencePieceFamily family) {
    std::vector<AddedToken> added;
    if (family == SentencePieceFamily::None)
        return added;
    const auto add = [&](const std::string &text) {
        const auto id = tokens.idOf(text);
        if (!id || std::ranges::find(added, *id, &AddedToken::id) != added.end())
            return;
        AddedToken token{text, *id};
        token.stripsLeft = text == "<mask>" || text == "[MASK]";
        added.push_back(std::move(token));
    };
    for (const char *text : {"<s>", "</s>", "<pad>", "<unk>", "<mask>"})
        add(text);
    if (family == SentencePieceFamily::Albert)
        for (const char *text : {"[CLS]", "[SEP]", "[MASK]"})
            add(text);
    for (const auto &own : numbering.own)
        add(own.first);
    return added;
}

/// Llama puts <s> before each of two texts.
PostProcessing beginning(Index first, std::optional<Index> last) {
    PostProcessing post = surrounding(first, last, {1, 1});
    const auto second = std::ranges::find(post.pair, What::Second, &TemplatePart::what);
    post.pair.insert(second, {What::Special, 1, first});
    return post;
}

PostProcessing postProcessingOf(const TokenList &tokens, const SentencePieceSettings &settings) {
    const auto cls = tokens.idOf("[CLS]"), sep = tokens.idOf("[SEP]");
    const auto start = tokens.idOf("<s>"), end = tokens.idOf("</s>");
    const auto where = [](std::optional<bool> isAsked, bool otherwise, std::optional<Index> id) {
        return isAsked.value_or(otherwise) ? id : std::nullopt;
    };
    switch (settings.family) {
    case SentencePieceFamily::XlmRoberta:
    case SentencePieceFamily::Camembert:
        return surrounding(start, end, {2, 0});
    case SentencePieceFamily::T5:
        return surrounding(std::nullopt, end, {1, 0});
    case SentencePieceFamily::Llama:
        if (const auto first = where(settings.begins, true, start))
            return beginning(*first, where(settings.ends, false, end));
        return surrounding(std::nullopt, where(settings.ends, false, end), {1, 1});
    case SentencePieceFamily::Albert:
    case SentencePieceFamily::None:
        break;
    }
    if (cls && sep)
        return surrounding(cls, sep, {1, 1});
    return surrounding(where(settings.begins, false, start), where(settings.ends, false, end),
                       {1, 1});
}

/// Returns ALBERT's own preprocessing of texts.
NormalizerPointer albertNormalizer(const SentencePieceSettings &settings) {
    std::vector<NormalizerPointer> parts{replaceNormalizer(Pattern::literal("``"), "\""),
                                         replaceNormalizer(Pattern::literal("''"), "\"")};
    if (!settings.keepsAccents) {
        parts.push_back(unicodeNormalizer(UnicodeForm::Nfkd));
        parts.push_back(stripAccentsNormalizer());
    }
    if (settings.lowers)
        parts.push_back(lowercaseNormalizer());
    return sequenceOf(std::move(parts));
}

} // namespace

Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings) {
    const auto library = loadSentencePiece(model);
    if (!library)
        return library.error();
    const Numbering numbering = numberingOf(settings, *library);
    auto pieces = numbered(*library, numbering);
    if (!pieces)
        return pieces.error();
    PipelineParts parts;
    parts.added = withDeclared(addedTo(pieces->tokens, numbering, settings.family), settings.added);
    parts.post = postProcessingOf(pieces->tokens, settings);
    if (settings.family == SentencePieceFamily::Albert)
        parts.normalizer = albertNormalizer(settings);
    for (Index piece = 0; piece < pieceCountOf(*library); ++piece)
        if (isControlPiece(*library, piece))
            parts.special.push_back(pieces->ids[static_cast<std::size_t>(piece)]);
    parts.decoder = sentencePieceDecoder(*library);
    parts.model = sentencePieceModel(*library, std::move(pieces->tokens), std::move(pieces->ids));
    return makeTokenizer(std::move(parts));
}

Result<TokenizerPointer> readMarian(std::string_view vocabulary, std::string_view source,
                                    std::string_view target, std::stop_token stop) {
    auto tokens = readTokenList(vocabulary, std::move(stop));
    if (!tokens)
        return tokens.error();
    const auto unknown = tokens->idOf("<unk>");
    if (!unknown)
        return Error{"it has no token <unk>", "", "get the file again"};
    const auto reads = loadSentencePiece(source);
    if (!reads)
        return reads.error();
    const auto writes = loadSentencePiece(target);
    if (!writes)
        return writes.error();
    std::vector<Index> ids;
    for (Index piece = 0; piece < pieceCountOf(*reads); ++piece)
        ids.push_back(tokens->idOf(textOfPiece(*reads, piece)).value_or(*unknown));
    PipelineParts parts;
    for (const char *text : {"</s>", "<pad>", "<unk>"})
        if (const auto id = tokens->idOf(text))
            parts.added.push_back({text, *id});
    parts.post = surrounding(std::nullopt, tokens->idOf("</s>"), {0, 0});
    parts.decoder = sentencePieceDecoder(*writes);
    parts.model = sentencePieceModel(*reads, std::move(*tokens), std::move(ids));
    return makeTokenizer(std::move(parts));
}

} // namespace headlight::core
