#include "core/formats/gguf/gguf_tokenizer.h"

#include "core/cancelled.h"
#include "core/formats/gguf/splitters.h"
#include "core/formats/gguf/token_keys.h"
#include "core/formats/tokenizer/sentence_piece_model.h"
#include "core/in_quotes.h"
#include "core/tokenizers/pipeline.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace headlight::core {

namespace {

constexpr const char *kGgufTokens = "tokenizer.ggml.tokens";
constexpr const char *kIdsRemedy = "give tokens by their ids";
/// The same limit as for a tokenizer.json.
constexpr std::size_t kMaxGgufMerges = 800'000;
constexpr std::size_t kAllBytes = 256;
constexpr std::string_view kWordStart = "\xE2\x96\x81"; // U+2581

/// Puts the first token before each text of a pair, as Llama does.
PostProcessing startingWith(Index first, std::optional<Index> last) {
    PostProcessing post = surrounding(first, last, {1, 1});
    const auto second =
        std::ranges::find(post.pair, TemplatePart::What::Second, &TemplatePart::what);
    post.pair.insert(second, {TemplatePart::What::Special, 1, first});
    return post;
}

/// Returns the tokens that are added around a text. `adds`: whether to add a first token if the
/// file does not specify it.
PostProcessing aroundTexts(const TokenKeys &keys, bool adds) {
    const auto first =
        keys.flag("add_bos_token").value_or(adds) ? keys.id("bos_token_id") : std::nullopt;
    const auto last =
        keys.flag("add_eos_token").value_or(false) ? keys.id("eos_token_id") : std::nullopt;
    return first ? startingWith(*first, last) : surrounding(std::nullopt, last, {1, 1});
}

/// Returns the pieces in the form that SentencePiece requires: exactly one unknown piece, and
/// either no byte pieces or all 256.
std::vector<ScoredPiece> scoredPieces(const TokenKeys &keys) {
    const std::vector<float> scores = keys.scores();
    std::vector<ScoredPiece> pieces;
    for (Index id = 0; id < keys.count(); ++id)
        pieces.push_back({keys.texts()[static_cast<std::size_t>(id)],
                          scores[static_cast<std::size_t>(id)], keys.kindOf(id)});
    std::optional<Index> unknown = keys.id("unknown_token_id");
    if (const auto found = std::ranges::find(pieces, PieceKind::Unknown, &ScoredPiece::kind);
        !unknown && found != pieces.end())
        unknown = found - pieces.begin();
    if (!unknown)
        keys.fail("unknown_token_id", "it is missing", kIdsRemedy);
    const auto bytes =
        static_cast<std::size_t>(std::ranges::count(pieces, PieceKind::Byte, &ScoredPiece::kind));
    for (ScoredPiece &piece : pieces) {
        if (piece.kind == PieceKind::Unknown)
            piece.kind = PieceKind::Unused;
        if (piece.kind == PieceKind::Byte && bytes != kAllBytes)
            piece.kind = PieceKind::Unused;
    }
    pieces[static_cast<std::size_t>(*unknown)].kind = PieceKind::Unknown;
    return pieces;
}

PipelineParts sentencePieceParts(const TokenKeys &keys) {
    const bool prependsSpace = keys.flag("add_space_prefix").value_or(true);
    const auto library = loadSentencePiece(sentencePieceBytes(scoredPieces(keys), prependsSpace));
    if (!library)
        keys.fail("tokens", "SentencePiece cannot read these tokens", kIdsRemedy);
    PipelineParts parts;
    parts.added = keys.added(TokenKeys::OfUser::LeftOut); // SentencePiece finds user-defined tokens
    parts.post = aroundTexts(keys, true);
    parts.decoder = sentencePieceDecoder(*library);
    std::vector<Index> ids(keys.texts().size());
    std::iota(ids.begin(), ids.end(), Index(0));
    parts.model = sentencePieceModel(*library, keys.list(keys.texts()), std::move(ids));
    return parts;
}

const Splitter &splitterOf(const TokenKeys &keys, bool isGpt2) {
    const std::string name = keys.text("pre");
    // Files from before 2024 lack the key. In GPT-2 files, the splitter is always the same.
    const Splitter *found = findSplitter(name.empty() && isGpt2 ? "gpt-2" : name);
    if (!found)
        keys.fail("pre",
                  name.empty() ? Message("the file does not specify how its tokenizer splits texts")
                               : Message{"Headlight does not support the way %1 splits texts",
                                         inQuotes(name)},
                  kIdsRemedy);
    return *found;
}

PipelineParts byteLevelParts(const TokenKeys &keys, bool isGpt2, StopCheck &stop) {
    const Splitter &splitter = splitterOf(keys, isGpt2);
    TokenList tokens = keys.list(keys.texts());
    const std::vector<std::string_view> lines = keys.merges();
    if (lines.size() > kMaxGgufMerges)
        keys.fail("merges", {"it has %1 merges; at most %2 are read", lines.size(), kMaxGgufMerges},
                  kIdsRemedy);
    BpeRules rules;
    rules.takesWholeWords = splitter.takesWholeWords;
    for (const std::string_view line : lines) {
        stop.throwIfRequested();
        const std::size_t space = line.find(' ', 1);
        const Result<Merge> merge =
            space == line.npos
                ? Result<Merge>(Error{"expected two tokens with a space between them", "", ""})
                : mergeOf(line.substr(0, space), line.substr(space + 1), tokens, "");
        if (!merge)
            keys.fail("merges", {"number %1: %2", rules.merges.size(), merge.error().what},
                      kIdsRemedy);
        rules.merges.push_back(*merge);
    }
    PipelineParts parts;
    parts.added = keys.added(TokenKeys::OfUser::Added);
    parts.post = aroundTexts(keys, splitter.addsFirst);
    if (splitter.composes)
        parts.normalizer = unicodeNormalizer(UnicodeForm::Nfc);
    auto preTokenizer = preTokenizerOf(splitter);
    if (!preTokenizer)
        keys.fail("pre", preTokenizer.error().what, preTokenizer.error().remedy);
    parts.preTokenizer = std::move(*preTokenizer);
    parts.decoder = byteLevelDecoder();
    parts.model = bpeModel(std::move(tokens), std::move(rules));
    return parts;
}

/// Returns the token as in BERT's vocab.txt. GGUF marks tokens that start a word; BERT marks the
/// others.
std::string asWordPiece(const std::string &text, PieceKind kind) {
    const bool isMark = text.size() > 2 && text.starts_with('[') && text.ends_with(']');
    if (kind == PieceKind::Control || kind == PieceKind::Unknown || isMark || text.empty())
        return text;
    return text.starts_with(kWordStart) ? text.substr(kWordStart.size()) : "##" + text;
}

PipelineParts wordPieceParts(const TokenKeys &keys) {
    std::vector<std::string> texts;
    bool hasCapitals = false; // without any, texts are lower-cased; the file has no such flag
    for (Index id = 0; id < keys.count(); ++id) {
        const std::string &stored = keys.texts()[static_cast<std::size_t>(id)];
        texts.push_back(asWordPiece(stored, keys.kindOf(id)));
        hasCapitals = hasCapitals ||
                      (texts.back() != stored &&
                       std::ranges::any_of(stored, [](char c) { return c >= 'A' && c <= 'Z'; }));
    }
    TokenList tokens = keys.list(texts);
    const auto idOf = [&](std::initializer_list<const char *> names, const char *text) {
        for (const char *name : names)
            if (const auto id = keys.id(name))
                return id;
        return tokens.idOf(text);
    };
    const auto unknown = idOf({"unknown_token_id"}, "[UNK]");
    if (!unknown)
        keys.fail("unknown_token_id", "it is missing", kIdsRemedy);
    const bool begins = keys.flag("add_bos_token").value_or(true);
    const bool ends = keys.flag("add_eos_token").value_or(true);
    const auto first = idOf({"cls_token_id", "bos_token_id"}, "[CLS]");
    const auto last = idOf({"seperator_token_id", "separator_token_id", "eos_token_id"}, "[SEP]");
    PipelineParts parts;
    parts.post = surrounding(begins ? first : std::nullopt, ends ? last : std::nullopt, {1, 1});
    for (const auto &id : {first, last, unknown, idOf({"padding_token_id"}, "[PAD]"),
                           idOf({"mask_token_id"}, "[MASK]")})
        if (id && !tokens.textOf(*id).empty() &&
            std::ranges::find(parts.added, *id, &AddedToken::id) == parts.added.end())
            parts.added.push_back({std::string(tokens.textOf(*id)), *id});
    BertNormalization what;
    what.lowers = what.stripsAccents = !hasCapitals;
    parts.normalizer = bertNormalizer(what);
    parts.preTokenizer = bertPreTokenizer();
    parts.decoder = wordPieceDecoder("##", true);
    WordPieceRules rules;
    rules.unknown = *unknown;
    parts.model = wordPieceModel(std::move(tokens), std::move(rules));
    return parts;
}

PipelineParts partsOf(const GgufFile &file, StopCheck &stop) {
    const TokenKeys keys(file);
    const std::string model = keys.text("model");
    if (model == "llama")
        return sentencePieceParts(keys);
    if (model == "gpt2")
        return byteLevelParts(keys, file.metadata().text("general.architecture") == "gpt2", stop);
    if (model == "bert")
        return wordPieceParts(keys);
    keys.fail("model",
              {"Headlight does not read tokenizers of the kind %1; it reads llama, gpt2 and bert",
               inQuotes(model)},
              kIdsRemedy);
}

} // namespace

bool hasTokens(const GgufFile &file) {
    return file.metadata().find(kGgufTokens) != nullptr;
}

Result<TokenizerPointer> readGgufTokenizer(const GgufFile &file, std::stop_token stop) try {
    StopCheck check(stop);
    return makeTokenizer(partsOf(file, check), stop);
} catch (const GgufReadError &problem) {
    return problem.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", file.path(), "close other programs"};
}

} // namespace headlight::core
