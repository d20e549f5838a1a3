#include "core/formats/tokenizer/tokenizer_folder.h"

#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/formats/tokenizer/sentence_piece.h"
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/formats/tokenizer/vocabulary_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace headlight::core {

namespace {

using Path = std::filesystem::path;

constexpr std::array kSentencePieceNames{"spiece.model", "tokenizer.model",
                                         "sentencepiece.bpe.model", "spm.model"};
constexpr const char *kM2m100Model = "sentencepiece.bpe.model";
constexpr const char *kMarianSource = "source.spm", *kMarianTarget = "target.spm";
constexpr std::array kListNames{"vocabulary.json", "source_vocab.json"};

Result<std::string> bytesOf(const Path &file, const std::stop_token &stop) {
    const std::string path = file.string();
    return readRegularFile(path, kMaxTokenizerBytes,
                           {{"it is larger than %1 MB", kMaxTokenizerBytes >> 20}, path, ""}, stop);
}

bool isFile(const Path &file) {
    return isNoFolder(file.string());
}

const JsonValue *find(const JsonValue &object, const char *name, JsonValue::Kind kind) {
    const JsonValue *value = object.find(name);
    return value && value->kind == kind ? value : nullptr;
}

std::optional<bool> flagOf(const JsonValue &object, const char *name) {
    const JsonValue *value = find(object, name, JsonValue::Kind::Boolean);
    return value ? std::optional(value->boolean) : std::nullopt;
}

std::optional<Index> idOf(const JsonValue &object, const char *name) {
    const JsonValue *value = find(object, name, JsonValue::Kind::Number);
    if (!value || value->number < 0 || value->number >= static_cast<double>(kMaxTokens) ||
        value->number != std::floor(value->number))
        return std::nullopt;
    return static_cast<Index>(value->number);
}

/// Returns the family of a model_type in config.json or a tokenizer_class in tokenizer_config.json.
std::optional<SentencePieceFamily> familyOf(std::string_view name) {
    using enum SentencePieceFamily;
    constexpr std::pair<std::string_view, SentencePieceFamily> all[] = {
        {"albert", Albert},
        {"AlbertTokenizer", Albert},
        {"t5", T5},
        {"mt5", T5},
        {"T5Tokenizer", T5},
        {"llama", Llama},
        {"mistral", Llama},
        {"LlamaTokenizer", Llama},
        {"xlm-roberta", XlmRoberta},
        {"XLMRobertaTokenizer", XlmRoberta},
        {"camembert", Camembert},
        {"CamembertTokenizer", Camembert},
        {"deberta-v2", Deberta},
        {"DebertaV2Tokenizer", Deberta},
        {"pegasus", Pegasus},
        {"PegasusTokenizer", Pegasus}};
    if (name.ends_with("Fast"))
        name.remove_suffix(4);
    for (const auto &[word, family] : all)
        if (word == name)
            return family;
    return std::nullopt;
}

constexpr Index kMaxExtraIds = 1'000;

/// Reads {"151643": {"content": "<|endoftext|>", …}, …}.
std::vector<AddedToken> addedIn(const JsonValue &json) {
    std::vector<AddedToken> tokens;
    const JsonValue *list = find(json, "added_tokens_decoder", JsonValue::Kind::Object);
    if (!list)
        return tokens;
    for (const JsonMember &member : list->members()) {
        Index id = -1;
        const char *end = member.name.data() + member.name.size();
        const auto [behind, problem] = std::from_chars(member.name.data(), end, id);
        const JsonValue *text = find(member.value, "content", JsonValue::Kind::String);
        if (!text || problem != std::errc() || behind != end || id < 0 || id >= kMaxTokens)
            continue;
        AddedToken token{text->text(), id};
        token.isSpecial = flagOf(member.value, "special").value_or(false);
        token.isNormalized = flagOf(member.value, "normalized").value_or(!token.isSpecial);
        token.isWholeWord = flagOf(member.value, "single_word").value_or(false);
        token.stripsLeft = flagOf(member.value, "lstrip").value_or(false);
        token.stripsRight = flagOf(member.value, "rstrip").value_or(false);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

struct Beside {
    TokenizerSettings settings;
    SentencePieceSettings sentencePiece;
    LanguageSettings languages;
    std::string tokenizerClass; ///< tokenizer_class, or model_type if that is missing
};

/// Reads the settings in config.json and tokenizer_config.json. Ignores damaged files, because
/// opening the model reports them.
Beside settingsIn(const Path &folder, const std::stop_token &stop) {
    Beside beside;
    TokenizerSettings &settings = beside.settings;
    for (const char *name : {"config.json", "tokenizer_config.json"}) {
        if (!isFile(folder / name))
            continue;
        const auto bytes = bytesOf(folder / name, stop);
        const auto json = bytes ? readJson(*bytes, stop) : Result<JsonValue>(bytes.error());
        if (!json || json->kind != JsonValue::Kind::Object)
            continue;
        if (const auto id = idOf(*json, "bos_token_id"))
            settings.beginning = id;
        if (const auto id = idOf(*json, "eos_token_id"))
            settings.end = id;
        settings.isEncoderDecoder =
            flagOf(*json, "is_encoder_decoder").value_or(settings.isEncoderDecoder);
        settings.lowers = flagOf(*json, "do_lower_case").value_or(settings.lowers);
        settings.partsChinese =
            flagOf(*json, "tokenize_chinese_chars").value_or(settings.partsChinese);
        if (const auto strips = flagOf(*json, "strip_accents"))
            settings.stripsAccents = strips;
        settings.prependsSpace = flagOf(*json, "add_prefix_space").value_or(settings.prependsSpace);
        if (const auto begins = flagOf(*json, "add_bos_token"))
            beside.sentencePiece.begins = begins;
        if (const auto ends = flagOf(*json, "add_eos_token"))
            beside.sentencePiece.ends = ends;
        beside.sentencePiece.lowers = settings.lowers;
        if (const auto keeps = flagOf(*json, "keep_accents"))
            beside.sentencePiece.keepsAccents = *keeps;
        if (const JsonValue *type = find(*json, "model_type", JsonValue::Kind::String);
            type && type->text() == "mt5") // the model itself has pieces for its sentinel tokens
            beside.sentencePiece.extraIds = 0;
        if (const auto count = idOf(*json, "extra_ids"))
            beside.sentencePiece.extraIds = std::min(*count, kMaxExtraIds);
        for (const char *field : {"model_type", "tokenizer_class"})
            if (const JsonValue *value = find(*json, field, JsonValue::Kind::String)) {
                beside.sentencePiece.family =
                    familyOf(value->text()).value_or(beside.sentencePiece.family);
                settings.isClip = settings.isClip || value->text() == "clip" ||
                                  value->text() == "clip_text_model" ||
                                  value->text().starts_with("CLIPTokenizer");
                settings.isQwen2 = settings.isQwen2 || value->text() == "qwen2" ||
                                   value->text().starts_with("Qwen2Tokenizer");
            }
        for (const char *field : {"model_type", "tokenizer_class"})
            if (const JsonValue *value = find(*json, field, JsonValue::Kind::String))
                beside.tokenizerClass = value->text();
        if (const JsonValue *language = find(*json, "src_lang", JsonValue::Kind::String))
            beside.languages.source = language->text();
        if (const JsonValue *codes = find(*json, "language_codes", JsonValue::Kind::String))
            beside.languages.codes = codes->text();
        if (auto added = addedIn(*json); !added.empty())
            settings.added = beside.sentencePiece.added = std::move(added);
    }
    return beside;
}

/// Puts the name of the file before the error's position.
Result<TokenizerPointer> named(Result<TokenizerPointer> read, const Path &file) {
    if (read || isCancelled(read.error()))
        return read;
    Error error = read.error();
    error.where = error.where.empty() ? file.string() : file.string() + ": " + error.where;
    return error;
}

/// Reads one file and creates the tokenizer with read(bytes).
template <typename Read>
Result<TokenizerPointer> readFrom(const Path &file, const std::stop_token &stop, const Read &read) {
    const auto bytes = bytesOf(file, stop);
    if (!bytes)
        return bytes.error();
    return named(read(*bytes), file);
}

Result<TokenizerPointer> readMerges(const Path &vocabulary, const Path &merges,
                                    const TokenizerSettings &settings,
                                    const std::stop_token &stop) {
    const auto lines = bytesOf(merges, stop);
    if (!lines)
        return lines.error();
    return readFrom(vocabulary, stop, [&](const std::string &json) {
        return readVocabularyAndMerges(json, *lines, settings, stop);
    });
}

Result<TokenizerPointer> readLines(const Path &file, const TokenizerSource &source,
                                   const TokenizerSettings &settings, const std::stop_token &stop) {
    return readFrom(file, stop, [&](const std::string &lines) {
        return source.expression ? readVocabularyByExpression(lines, *source.expression, stop)
                                 : readBertVocabulary(lines, settings, stop);
    });
}

/// Reads Marian's folder: its vocabulary and two SentencePiece models. `reads`: the file name of
/// the encoding model.
Result<TokenizerPointer> readMarianFolder(const Path &folder, const char *reads,
                                          const std::stop_token &stop) {
    const auto source = bytesOf(folder / reads, stop);
    if (!source)
        return source.error();
    const auto target = bytesOf(folder / "target.spm", stop);
    if (!target)
        return target.error();
    return readFrom(folder / "vocab.json", stop, [&](const std::string &json) {
        return readMarian(json, *source, *target, stop);
    });
}

Result<TokenizerPointer> readM2m100Folder(const Path &folder, const LanguageSettings &settings,
                                          const std::stop_token &stop) {
    const auto model = bytesOf(folder / kM2m100Model, stop);
    if (!model)
        return model.error();
    return readFrom(folder / "vocab.json", stop, [&](const std::string &json) {
        return readM2m100(json, *model, settings, stop);
    });
}

/// Reads a tokenizer.json, which is an object with a model, or other JSON, which is a list of
/// tokens.
Result<TokenizerPointer> readJsonFile(const Path &file, const TokenizerSettings &settings,
                                      const std::stop_token &stop) {
    return readFrom(file, stop, [&](const std::string &json) {
        const bool isWhole = file.filename() == "tokenizer.json" ||
                             json.find("\"added_tokens\"") != std::string::npos ||
                             json.find("\"pre_tokenizer\"") != std::string::npos;
        return isWhole ? readTokenizerJson(json, stop) : readTokenListJson(json, settings, stop);
    });
}

Result<TokenizerPointer> readFile(const Path &file, const TokenizerSource &source,
                                  const std::stop_token &stop) {
    const Beside beside = settingsIn(file.parent_path(), stop);
    const auto readModel = [&](const std::string &model) {
        return readSentencePiece(model, beside.sentencePiece);
    };
    if (file.extension() == ".model" && beside.tokenizerClass.starts_with("NllbTokenizer"))
        return Error{"the tokens of NLLB's languages are not in it", file.string(),
                     "get the folder with tokenizer.json"};
    if (file.extension() == ".model")
        return readFrom(file, stop, readModel);
    if (file.filename() == kMarianTarget)
        return readMarianFolder(file.parent_path(), kMarianTarget, stop);
    if (file.extension() == ".json")
        return readJsonFile(file, beside.settings, stop);
    return readLines(file, source, beside.settings, stop);
}

} // namespace

Result<TokenizerPointer> readTokenizer(const TokenizerSource &source, std::stop_token stop) try {
    const Path path(source.path);
    std::error_code code;
    if (!std::filesystem::is_directory(path, code))
        return readFile(path, source, stop);
    const Beside beside = settingsIn(path, stop);
    if (!source.expression && isFile(path / "tokenizer.json"))
        return readFile(path / "tokenizer.json", source, stop);
    if (!source.expression && isFile(path / "vocab.json") && isFile(path / "merges.txt"))
        return readMerges(path / "vocab.json", path / "merges.txt", beside.settings, stop);
    if (isFile(path / "vocab.json") && isFile(path / kMarianSource) && isFile(path / kMarianTarget))
        return readMarianFolder(path, kMarianSource, stop);
    if (isFile(path / "vocab.json") && isFile(path / kM2m100Model) &&
        (beside.tokenizerClass == "m2m_100" || beside.tokenizerClass == "M2M100Tokenizer"))
        return readM2m100Folder(path, beside.languages, stop);
    if (isFile(path / "vocab.txt"))
        return readLines(path / "vocab.txt", source, beside.settings, stop);
    for (const char *name : kSentencePieceNames)
        if (isFile(path / name))
            return readFile(path / name, source, stop);
    for (const char *name : kListNames)
        if (isFile(path / name))
            return readFile(path / name, source, stop);
    return Error{
        "it has no tokenizer that Headlight supports", source.path,
        "it should have tokenizer.json, vocab.json with merges.txt or source.spm, vocab.txt, "
        "a SentencePiece .model or a list of tokens"};
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", source.path, "close other programs"};
} catch (const std::exception &problem) { // invalid file name on this system
    return Error{{"it cannot be read: %1", std::string(problem.what())}, source.path, ""};
}

} // namespace headlight::core
