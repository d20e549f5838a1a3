#include "core/formats/tokenizer/sentence_piece.h"

#include "core/formats/tokenizer/sentence_piece_model.h"
#include "core/formats/tokenizer/vocabulary_files.h"
#include "core/in_quotes.h"
#include "core/tokenizers/pipeline.h"

#include <algorithm>
#include <unordered_map>

namespace headlight::core {

namespace {

using What = TemplatePart::What;

constexpr Index kPegasusOffset = 103;

/// A family's numbering of the pieces: the model's own number plus `offset`.
struct Numbering {
    Index offset = 0;
    /// Tokens whose ids do not follow from the offset.
    std::vector<std::pair<std::string, Index>> own{};
};

Numbering numberingOf(const SentencePieceSettings &settings, const SentencePieceLibrary &library) {
    const Index count = pieceCountOf(library);
    Numbering numbering;
    switch (settings.family) {
    case SentencePieceFamily::XlmRoberta: // fairseq's dictionary adds four tokens
        numbering = {1,
                     {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}, {"<mask>", count + 1}}};
        break;
    case SentencePieceFamily::Camembert: // those four tokens come before all pieces of the model
        numbering = {4,
                     {{"<s>NOTUSED", 0},
                      {"<pad>", 1},
                      {"</s>NOTUSED", 2},
                      {"<unk>", 3},
                      {"<unk>NOTUSED", 4},
                      {"<mask>", count + 4}}};
        break;
    case SentencePieceFamily::Pegasus: // training tokens come before all pieces of the model
        numbering = {kPegasusOffset, {{"<pad>", 0}, {"</s>", 1}, {"<mask_1>", 2}, {"<mask_2>", 3}}};
        for (Index i = 2; i < kPegasusOffset; ++i)
            numbering.own.emplace_back("<unk_" + std::to_string(i) + ">", i + 2);
        break;
    case SentencePieceFamily::T5: // sentinel tokens have the last ids, in reverse order
        for (Index i = 0; i < settings.extraIds; ++i)
            numbering.own.emplace_back("<extra_id_" + std::to_string(i) + ">",
                                       count + settings.extraIds - 1 - i);
        break;
    case SentencePieceFamily::Deberta:
        numbering.own = {{"[MASK]", count}};
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
        token.stripsLeft =
            text == "<mask>" || (text == "[MASK]" && family == SentencePieceFamily::Albert);
        added.push_back(std::move(token));
    };
    for (const char *text : {"<s>", "</s>", "<pad>", "<unk>", "<mask>"})
        add(text);
    if (family == SentencePieceFamily::Deberta)
        for (const char *text : {"[PAD]", "[CLS]", "[SEP]", "[UNK]"})
            add(text);
    if (family == SentencePieceFamily::Albert)
        for (const char *text : {"[CLS]", "[SEP]", "[MASK]"})
            add(text);
    for (const auto &own : numbering.own)
        add(own.first);
    return added;
}

/// Returns a template with the token `first` before each text of a pair, as in Llama.
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
    case SentencePieceFamily::Pegasus:
        return surrounding(std::nullopt, end, {0, 0});
    case SentencePieceFamily::Llama:
        if (const auto first = where(settings.begins, true, start))
            return beginning(*first, where(settings.ends, false, end));
        return surrounding(std::nullopt, where(settings.ends, false, end), {1, 1});
    case SentencePieceFamily::Albert:
    case SentencePieceFamily::Deberta:
    case SentencePieceFamily::None:
        break;
    }
    if (cls && sep)
        return surrounding(cls, sep, {1, 1});
    return surrounding(where(settings.begins, false, start), where(settings.ends, false, end),
                       {1, 1});
}

/// Returns the normalizer for ALBERT's own preprocessing of texts.
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

/// Reads a list of tokens, which must contain <unk>.
Result<TokenList> listWithUnknown(std::string_view json, std::stop_token stop) {
    auto tokens = readTokenList(json, std::move(stop));
    if (tokens && !tokens->idOf("<unk>"))
        return Error{"it has no token <unk>", "", "get the file again"};
    return tokens;
}

/// Returns the id of each piece, which is the id of the token with the same text, or of <unk>.
std::vector<Index> idsOfPieces(const SentencePieceLibrary &library, const TokenList &tokens) {
    const Index unknown = tokens.idOf("<unk>").value_or(0);
    std::vector<Index> ids;
    for (Index piece = 0; piece < pieceCountOf(library); ++piece)
        ids.push_back(tokens.idOf(textOfPiece(library, piece)).value_or(unknown));
    return ids;
}

/// Returns the special tokens that the list contains.
std::vector<AddedToken> addedOfList(const TokenList &tokens) {
    std::vector<AddedToken> added;
    for (const char *text : {"<s>", "</s>", "<pad>", "<unk>"})
        if (const auto id = tokens.idOf(text))
            added.push_back({text, *id});
    return added;
}

/// FAIRSEQ_LANGUAGE_CODES in transformers' tokenization_m2m_100.py, in order.
constexpr std::string_view kM2m100Languages =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu "
    "ha "
    "he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my "
    "ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz "
    "vi wo xh yi yo zh zu";
constexpr std::string_view kWmt21Languages = "en ha is ja cs ru zh de";

/// Returns the list with a token for each language, such as __af__, after the last id.
Result<TokenList> withLanguages(const TokenList &tokens, std::string_view codes) {
    std::vector<std::pair<std::string, Index>> all;
    for (Index id = 0; id < tokens.size(); ++id)
        if (!tokens.textOf(id).empty())
            all.emplace_back(tokens.textOf(id), id);
    for (Index id = tokens.size(); !codes.empty(); ++id) {
        const std::size_t end = std::min(codes.find(' '), codes.size());
        all.emplace_back("__" + std::string(codes.substr(0, end)) + "__", id);
        codes.remove_prefix(std::min(end + 1, codes.size()));
    }
    return TokenList::from(std::move(all));
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
    auto tokens = listWithUnknown(vocabulary, std::move(stop));
    if (!tokens)
        return tokens.error();
    const auto reads = loadSentencePiece(source);
    if (!reads)
        return reads.error();
    const auto writes = loadSentencePiece(target);
    if (!writes)
        return writes.error();
    std::vector<Index> ids = idsOfPieces(*reads, *tokens);
    PipelineParts parts;
    parts.added = addedOfList(*tokens);
    for (Index id = 0; id < tokens->size(); ++id)
        if (const std::string_view text = tokens->textOf(id);
            text.size() > 4 && text.starts_with(">>") && text.ends_with("<<"))
            parts.added.push_back({std::string(text), id});
    parts.post = surrounding(std::nullopt, tokens->idOf("</s>"), {0, 0});
    parts.decoder = sentencePieceDecoder(*writes);
    parts.model = sentencePieceModel(*reads, std::move(*tokens), std::move(ids));
    return makeTokenizer(std::move(parts));
}

Result<TokenizerPointer> readM2m100(std::string_view vocabulary, std::string_view model,
                                    const LanguageSettings &settings, std::stop_token stop) {
    if (settings.codes != "m2m100" && settings.codes != "wmt21")
        return Error{{"the languages %1 are unknown", inQuotes(settings.codes)},
                     "language_codes",
                     "Headlight supports m2m100 and wmt21"};
    const auto list = listWithUnknown(vocabulary, std::move(stop));
    if (!list)
        return list.error();
    auto tokens =
        withLanguages(*list, settings.codes == "wmt21" ? kWmt21Languages : kM2m100Languages);
    if (!tokens)
        return tokens.error();
    const auto source = tokens->idOf("__" + settings.source + "__");
    if (!source)
        return Error{{"the language %1 is unknown", inQuotes(settings.source)},
                     "src_lang",
                     "it should be a code such as en"};
    const auto library = loadSentencePiece(model);
    if (!library)
        return library.error();
    std::vector<Index> ids = idsOfPieces(*library, *tokens);
    PipelineParts parts;
    parts.added = addedOfList(*tokens);
    for (Index id = list->size(); id < tokens->size(); ++id)
        parts.added.push_back({std::string(tokens->textOf(id)), id});
    parts.post = surrounding(source, tokens->idOf("</s>"), {0, 0});
    parts.decoder = sentencePieceDecoder(*library);
    parts.model = sentencePieceModel(*library, std::move(*tokens), std::move(ids));
    return makeTokenizer(std::move(parts));
}

} // namespace headlight::core
