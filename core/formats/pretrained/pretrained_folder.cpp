#include "core/formats/pretrained/pretrained_folder.h"

#include "core/formats/files/gguf.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/family/tensor_folder.h"
#include "core/formats/pretrained/folder_reader.h"
#include "core/formats/pretrained/gguf_model.h"
#include "core/formats/pretrained/model_reading.h"
#include "core/formats/tokenizer/tokenizer_folder.h"

#include <array>
#include <filesystem>
#include <set>

namespace headlight::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigBytes = std::uint64_t(16) << 20;
constexpr const char *kConfigName = "config.json";
constexpr std::string_view kTwoTowers = "clip"; ///< model_type of folders with two models
constexpr const char *kGenerationName = "generation_config.json";
/// Fields that newer libraries write to generation_config.json instead of config.json.
constexpr std::string_view kGenerationFields[] = {"decoder_start_token_id", "forced_bos_token_id"};

struct PackedName {
    std::string_view ending; ///< end of a tensor's name
    const char *method;
};
/// Tensors that only quantised matrices have. The first versions of AutoGPTQ and AutoAWQ wrote no
/// quantization_config.
constexpr PackedName kPackedNames[] = {
    {".qweight", "GPTQ or AWQ"},
    {".SCB", "bitsandbytes"},
    {".weight.absmax", "bitsandbytes"},
    {".weight_packed", "compressed-tensors"},
};

const Message kUnpackedRemedy("get the model with weights of F32, F16 or BF16, or as a GGUF file");

bool isFileIn(const std::string &folder, const char *name) {
    return isNoFolder((fs::path(folder) / name).string());
}

Message knownTypes() {
    std::string list;
    for (const Family *family : families())
        for (const std::string_view type : family->modelTypes)
            list += (list.empty() ? "" : ", ") + std::string(type);
    return {"Headlight supports %1", list};
}

std::string hashOf(std::string_view config, const TensorFolder &tensors) {
    ModelHash hash;
    hash.add(config);
    for (const SafetensorsFile &file : tensors.files())
        for (const TensorInfo &tensor : file.tensors())
            hash.add(tensor.name + '\0' + tensor.dtype + tensor.shape.text() +
                     std::to_string(tensor.begin) + '-' + std::to_string(tensor.end) + '\n');
    return hash.text();
}

/// Rejects texts, because the model reads pictures.
class NoTexts : public TextReader {
  public:
    explicit NoTexts(std::string folder) : m_folder(std::move(folder)) {}
    Result<TokenizedText> read(Stack, std::string_view, std::stop_token) const override {
        return Error{"this model reads a picture, not a text", m_folder, "open another picture"};
    }
    std::string textOf(Stack, std::span<const Index>) const override { return {}; }

  private:
    std::string m_folder;
};

/// Reads a folder and collects all problems.
class FolderReading {
  public:
    FolderReading(const std::string &path, std::stop_token stop,
                  std::optional<std::string> expression = {}, Tower tower = Tower::Texts)
        : m_stop(std::move(stop)), m_tower(tower), m_folder(std::make_shared<PretrainedFolder>()) {
        m_folder->path = path;
        m_folder->expression = std::move(expression);
    }

    /// Returns null after a problem.
    PretrainedPointer read() {
        if (!readConfig())
            return nullptr;
        readFamily();
        if (m_findings.problems.empty() && m_folder->model.config.picture.isOn())
            readPicture();
        else if (m_findings.problems.empty())
            readTokenizers();
        if (m_findings.problems.empty() && m_folder->model.config.soundBands > 0)
            readSound();
        if (m_findings.problems.empty() && isSentenceTransformer(m_folder->path))
            readSentence();
        if (!m_findings.problems.empty())
            return nullptr;
        m_folder->warnings = m_findings.warnings;
        return m_folder;
    }
    const Findings &findings() const { return m_findings; }

  private:
    std::string configPath() const { return (fs::path(m_folder->path) / kConfigName).string(); }
    bool fail(Error problem) {
        m_findings.problems.push_back(std::move(problem));
        return false;
    }

    bool readConfig() {
        const std::string path = configPath();
        if (!isFileIn(m_folder->path, kConfigName)) {
            if (const std::string file = ggufIn(m_folder->path); !file.empty())
                return fail({{"there is no %1 next to this GGUF file", kConfigName},
                             file,
                             "open the GGUF file itself"});
            return fail({{"it has no %1", kConfigName},
                         m_folder->path,
                         "use a folder with a model in Hugging Face format"});
        }
        const Error tooLarge{{"it is larger than %1 MB", kMaxConfigBytes >> 20}, path, ""};
        const auto bytes = readRegularFile(path, kMaxConfigBytes, tooLarge, m_stop);
        if (!bytes)
            return fail(bytes.error());
        m_configText = *bytes;
        auto json = readJson(m_configText, m_stop);
        if (!json)
            return fail(isCancelled(json.error())
                            ? json.error()
                            : Error{json.error().what, path + ": " + json.error().where,
                                    json.error().remedy});
        m_config = *std::move(json);
        if (m_config.kind != JsonValue::Kind::Object)
            return fail({"it should be an object in { }", path, "get the file again"});
        if (!isOfPlainNumbers(path))
            return false;
        const JsonValue *type = m_config.find("model_type");
        if (!type && m_config.find("n_embd") && m_config.find("n_head"))
            m_folder->modelType = "gpt2"; // nanoGPT's config has no model_type
        else if (!type || type->kind != JsonValue::Kind::String)
            return fail(
                {"it does not specify the model's type", path + ": model_type", knownTypes()});
        else
            m_folder->modelType = type->text();
        const bool hasTwo = m_folder->modelType == kTwoTowers;
        if (hasTwo)
            m_folder->tower = m_tower;
        m_folder->family =
            hasTwo && m_tower == Tower::Pictures ? &kClipVision : findFamily(m_folder->modelType);
        if (!m_folder->family)
            return fail({{"Headlight does not support models of the type %1",
                          inQuotes(m_folder->modelType)},
                         path + ": model_type",
                         knownTypes()});
        addGeneration(m_folder->family->generationFields);
        return true;
    }

    /// Rejects models quantised by bitsandbytes, AWQ, GPTQ and others, whose tensors contain packed
    /// numbers.
    bool isOfPlainNumbers(const std::string &path) {
        // The format of mlx-lm.
        if (const JsonValue *mlx = m_config.find("quantization"); mlx && mlx->find("bits"))
            return fail({{"its weights are quantised by %1, which Headlight does not read", "MLX"},
                         path + ": quantization",
                         kUnpackedRemedy});
        const JsonValue *quantization = m_config.find("quantization_config");
        if (!quantization || quantization->kind == JsonValue::Kind::Null)
            return true;
        const JsonValue *method = quantization->kind == JsonValue::Kind::Object
                                      ? quantization->find("quant_method")
                                      : nullptr;
        const bool isNamed = method && method->kind == JsonValue::Kind::String;
        // GPT-OSS is published as MXFP4, which is supported.
        const JsonValue *type = m_config.find("model_type");
        if (isNamed && method->text() == "mxfp4" && type && type->kind == JsonValue::Kind::String &&
            type->text() == "gpt_oss")
            return true;
        return fail(
            {isNamed ? Message{"its weights are quantised by %1, which Headlight does not read",
                               inQuotes(method->text())}
                     : Message("its weights are quantised in a way that Headlight does not read"),
             path + ": quantization_config", kUnpackedRemedy});
    }

    bool areOfPlainNumbers(const TensorFolder &tensors) {
        for (const std::string &name : tensors.names())
            for (const PackedName &packed : kPackedNames)
                if (name.ends_with(packed.ending))
                    return fail({{"its weights are quantised by %1, which Headlight does not read",
                                  packed.method},
                                 tensors.fileOf(name) + ": " + inQuotes(name, kTensorNameShown),
                                 kUnpackedRemedy});
        return true;
    }

    /// Takes some fields from generation_config.json: the start of decoder texts, and the family's
    /// generationFields. As in transformers, they take precedence over fields of config.json.
    void addGeneration(std::span<const std::string_view> ofFamily) {
        const std::string path = (fs::path(m_folder->path) / kGenerationName).string();
        if (!isFileIn(m_folder->path, kGenerationName))
            return;
        const auto bytes = readRegularFile(path, kMaxConfigBytes, {}, m_stop);
        auto json = bytes ? readJson(*bytes, m_stop) : Result<JsonValue>(bytes.error());
        if (!json || json->kind != JsonValue::Kind::Object) {
            warn("it cannot be read and is ignored", path);
            return;
        }
        std::vector<JsonMember> &own = m_config.content->members;
        for (JsonMember &member : json->content->members) {
            const bool isNumber = member.value.kind == JsonValue::Kind::Number;
            const bool isStart = isNumber && std::ranges::find(kGenerationFields, member.name) !=
                                                 std::end(kGenerationFields);
            if (member.value.kind == JsonValue::Kind::Null ||
                (!isStart && std::ranges::find(ofFamily, member.name) == ofFamily.end()))
                continue;
            m_generationFields.insert(member.name);
            if (const auto old = std::ranges::find(own, member.name, &JsonMember::name);
                old != own.end())
                old->value = std::move(member.value);
            else
                own.push_back(std::move(member));
        }
        m_config.sortNames();
    }

    /// Returns the position of a field in the folder's files.
    std::string whereOf(const std::string &field) const {
        const std::string name = field.substr(0, field.find_first_of(".["));
        return (m_generationFields.contains(name)
                    ? (fs::path(m_folder->path) / kGenerationName).string()
                    : configPath()) +
               ": " + field;
    }

    void readFamily() {
        const Family &family = *m_folder->family;
        const Result<TensorFolder> opened = TensorFolder::open(m_folder->path, m_stop);
        if (!opened) {
            fail(opened.error());
            return;
        }
        if (!areOfPlainNumbers(*opened))
            return;
        readParts({family, m_config, *opened,
                   [this](const std::string &field) { return whereOf(field); }},
                  *m_folder, m_findings, m_stop);
        m_folder->bytes = opened->bytes();
        m_folder->hash = hashOf(m_configText, *opened);
    }

    void warn(Message what, std::string where) {
        addWarning(m_findings, std::move(what), std::move(where));
    }

    /// Reads a tokenizer. A failure is only a warning, because users can also enter tokens by id.
    /// It is an error if the user has specified an expression for tokens.
    Result<TokenizerPointer> tokenizerIn(const std::string &path) {
        Result<TokenizerPointer> tokenizer = readTokenizer({path, m_folder->expression}, m_stop);
        if (!tokenizer && (isCancelled(tokenizer.error()) || m_folder->expression))
            fail(tokenizer.error());
        else if (!tokenizer)
            warn({"its tokenizer cannot be read, so tokens are shown as ids: %1",
                  tokenizer.error().what},
                 tokenizer.error().where);
        return tokenizer;
    }

    void readTokenizers() {
        const std::string &path = m_folder->path;
        constexpr std::array kNames{"tokenizer.json", "vocab.json",      "vocab.txt",
                                    "spiece.model",   "tokenizer.model", "sentencepiece.bpe.model",
                                    "spm.model",      "vocabulary.json", "source_vocab.json"};
        const bool hasOne =
            std::ranges::any_of(kNames, [&](const char *name) { return isFileIn(path, name); });
        const Result<TokenizerPointer> own = hasOne || m_folder->expression
                                                 ? tokenizerIn(path)
                                                 : Result<TokenizerPointer>(TokenizerPointer());
        Model &model = m_folder->model;
        const bool hasTarget = model.hasEncoder() && isFileIn(path, "target_vocab.json");
        const Result<TokenizerPointer> target =
            hasTarget           ? tokenizerIn((fs::path(path) / "target_vocab.json").string())
            : hasMarianPieces() ? tokenizerIn((fs::path(path) / "target.spm").string())
                                : own;
        const auto pointer = [](const Result<TokenizerPointer> &tokenizer) {
            return tokenizer ? tokenizer->get() : nullptr;
        };
        model.vocabulary = wordsOfRows(pointer(target), model.parameters.main.embeddings);
        // An encoder with its own embeddings or vocabulary also has its own words, even if both
        // stacks share a matrix.
        const bool hasOwnWords = model.parameters.encoder.embeddings || hasTarget;
        const VocabularyPointer words =
            hasOwnWords ? wordsOfRows(pointer(own), model.embeddingMatrix(Stack::Encoder))
                        : model.vocabulary;
        if (hasOwnWords)
            model.sourceVocabulary = words;
        if (!hasOne || !words || !model.vocabulary || (target && !*target))
            return;
        if (own)
            m_folder->tokenizer = *own;
        const Parameter &types =
            model.stack(model.hasEncoder() ? Stack::Encoder : Stack::Main).tokenTypes;
        const bool readsSound = model.config.soundBands > 0;
        const Result<TokenizerPointer> noTexts =
            Error{"this model reads audio, not a text", path, "open another audio file"};
        model.reader =
            makeTextReader({path,
                            {readsSound ? noTexts : own, words, words, types ? types->rows() : 0},
                            {target, model.vocabulary, model.vocabulary},
                            m_folder->decoderStart});
    }

    /// Reads the settings for resizing and normalising pictures.
    void readPicture() {
        Model &model = m_folder->model;
        PicturePatches &patches = model.config.picture;
        Result<PicturePreparation> made = readPicturePreparation(
            m_folder->path, patches.rows * patches.side, m_folder->family->name, m_stop);
        if (!made) {
            fail(made.error());
            return;
        }
        if (!made->mean.empty())
            patches.mean = made->mean;
        if (!made->deviation.empty())
            patches.deviation = made->deviation;
        m_folder->picture = *std::move(made);
        model.reader = std::make_shared<const NoTexts>(m_folder->path);
    }

    /// Reads the settings for converting audio to frames.
    void readSound() {
        const Model &model = m_folder->model;
        Result<SoundPreparation> made = readSoundPreparation(
            m_folder->path, model.config.soundBands,
            kFramesOfToken * model.parameters.encoder.positions->rows(), m_stop);
        if (made)
            m_folder->sound = *made;
        else
            fail(made.error());
    }

    /// Reads the settings for sentence vectors. A failure is only a warning.
    void readSentence() {
        Result<SentencePooling> pooling = readSentencePooling(m_folder->path, m_stop);
        if (!pooling && isCancelled(pooling.error())) {
            fail(pooling.error());
            return;
        }
        if (pooling && m_folder->model.hasEncoder())
            pooling = Error{"a model with an encoder and a decoder has no sentence vectors",
                            m_folder->path, ""};
        if (!pooling)
            warn({"its sentence vectors cannot be computed: %1", pooling.error().what},
                 pooling.error().where);
        else
            m_folder->model.sentencePooling = pooling->pooling;
        m_folder->sentence = std::move(pooling);
    }

    /// True if the decoder's texts have their own SentencePiece model, as in Marian.
    bool hasMarianPieces() const {
        const std::string &path = m_folder->path;
        return m_folder->model.hasEncoder() && !isFileIn(path, "tokenizer.json") &&
               isFileIn(path, "vocab.json") && isFileIn(path, "source.spm") &&
               isFileIn(path, "target.spm");
    }

    VocabularyPointer wordsOfRows(const Tokenizer *tokenizer, const Parameter &embeddings) {
        auto words = wordsFor(tokenizer, embeddings);
        if (words)
            return *words;
        fail(words.error());
        return nullptr;
    }

    std::stop_token m_stop;
    Tower m_tower;
    std::shared_ptr<PretrainedFolder> m_folder;
    std::string m_configText;
    JsonValue m_config; ///< also has the fields of generation_config.json
    std::set<std::string, std::less<>> m_generationFields; ///< names from generation_config.json
    Findings m_findings;
};

struct ReadModel {
    PretrainedPointer folder; ///< null if there are problems
    Findings findings;
};

/// Reads a folder or a GGUF file.
ReadModel readModelAt(const std::string &path, std::stop_token stop,
                      std::optional<std::string> expression, Tower tower = Tower::Texts) {
    if (!isNoFolder(path)) {
        FolderReading reading(path, std::move(stop), std::move(expression), tower);
        PretrainedPointer folder = reading.read();
        return {std::move(folder), reading.findings()};
    }
    if (expression)
        return {nullptr,
                {{{"a GGUF file has its own tokenizer, which an expression cannot replace", path,
                   "leave the expression out"}},
                 {}}};
    const auto folder = std::make_shared<PretrainedFolder>();
    Findings findings = readGgufModel(path, *folder, stop);
    if (!findings.problems.empty())
        return {nullptr, std::move(findings)};
    folder->warnings = findings.warnings;
    return {folder, std::move(findings)};
}

} // namespace

Result<PretrainedPointer> readPretrained(const std::string &path, std::stop_token stop,
                                         std::optional<std::string> expression, Tower tower) try {
    ReadModel read = readModelAt(path, std::move(stop), std::move(expression), tower);
    if (read.folder)
        return std::move(read.folder);
    return read.findings.problems.front();
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", path, "close other programs"};
}

Findings inspectPretrained(const std::string &path, std::stop_token stop) try {
    return readModelAt(path, std::move(stop), {}).findings;
} catch (const Cancelled &) {
    return {{cancelled()}, {}};
} catch (const std::bad_alloc &) {
    return {{{"there is not enough memory to read it", path, "close other programs"}}, {}};
}

} // namespace headlight::core
