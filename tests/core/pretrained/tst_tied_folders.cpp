// Folders whose tied matrix is stored under either of its two names: both can be opened and give
// the same numbers.
#include "core/formats/safetensors/safetensors.h"
#include "core/formats/safetensors/writer.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

#include <array>

namespace fs = std::filesystem;

namespace {

/// Name of the output matrix in Hugging Face transformers, by family.
const std::map<std::string_view, std::string> kOutputNames{
    {"ALBERT", "predictions.decoder.weight"},
    {"BART", "lm_head.weight"},
    {"BERT", "cls.predictions.decoder.weight"},
    {"BLOOM", "lm_head.weight"},
    {"DeBERTa-v2", "cls.predictions.decoder.weight"},
    {"DeepSeek-V3", "lm_head.weight"},
    {"DistilBERT", "vocab_projector.weight"},
    {"ELECTRA", "generator_lm_head.weight"},
    {"Falcon", "lm_head.weight"},
    {"GPT-2", "lm_head.weight"},
    {"GPT-Neo", "lm_head.weight"},
    {"GPT-J", "lm_head.weight"},
    {"GPT-OSS", "lm_head.weight"},
    {"GPT-NeoX", "embed_out.weight"},
    {"Gemma", "lm_head.weight"},
    {"Gemma 2", "lm_head.weight"},
    {"Gemma 3", "lm_head.weight"},
    {"Granite", "lm_head.weight"},
    {"Llama", "lm_head.weight"},
    {"Llama 4", "lm_head.weight"},
    {"M2M-100", "lm_head.weight"},
    {"Marian", "lm_head.weight"},
    {"Mistral", "lm_head.weight"},
    {"Mixtral", "lm_head.weight"},
    {"ModernBERT", "decoder.weight"},
    {"OLMo 2", "lm_head.weight"},
    {"OLMoE", "lm_head.weight"},
    {"OPT", "lm_head.weight"},
    {"PEGASUS", "lm_head.weight"},
    {"Phi", "lm_head.weight"},
    {"Phi-3", "lm_head.weight"},
    {"Qwen 2", "lm_head.weight"},
    {"Qwen 3", "lm_head.weight"},
    {"Qwen 3, mixture of experts", "lm_head.weight"},
    {"RoBERTa", "lm_head.decoder.weight"},
    {"SmolLM3", "lm_head.weight"},
    {"T5", "lm_head.weight"},
    {"Whisper", "proj_out.weight"},
};
/// Names of the token embeddings of an encoder-decoder, without prefix.
constexpr std::array kSharedNames{"shared.weight", "encoder.embed_tokens.weight",
                                  "decoder.embed_tokens.weight"};

struct SavedFolder {
    std::string name;
    PretrainedPointer folder;
    nlohmann::json config;
    std::vector<NamedTensor> tensors;

    std::string wrapper() const {
        return folder->embeddingsTensor.starts_with("_orig_mod.") ? "_orig_mod." : "";
    }
    std::string outputName() const { return wrapper() + kOutputNames.at(folder->family->name); }
    bool isTied() const { return folder->outputTensor == folder->embeddingsTensor; }
};

nlohmann::json configOfFolder(const fs::path &folder) {
    std::ifstream file(folder / "config.json");
    return nlohmann::json::parse(file);
}

/// Returns the folders with a separate output matrix or a tied one.
std::vector<SavedFolder> foldersWithOutput() {
    std::vector<SavedFolder> found;
    for (const auto &entry : fs::directory_iterator(HEADLIGHT_TEST_DATA "/folders")) {
        if (!entry.is_directory())
            continue;
        SavedFolder given{entry.path().filename().string(),
                          opened(entry.path()),
                          configOfFolder(entry.path()),
                          {}};
        CAPTURE(given.name);
        if (given.folder->picture)
            continue; // a model of pictures has no words
        CHECK_FALSE(given.folder->embeddingsTensor.empty());
        if (given.folder->outputTensor.empty())
            continue;
        REQUIRE_MESSAGE(kOutputNames.contains(given.folder->family->name),
                        "a new family needs an entry in kOutputNames");
        for (const auto &part : fs::directory_iterator(entry.path())) {
            if (part.path().extension() != ".safetensors")
                continue;
            const auto file = valueOf(SafetensorsFile::open(part.path().string()));
            for (const TensorInfo &tensor : file.tensors()) {
                if (tensor.dtype != "F32" && tensor.dtype != "F16" && tensor.dtype != "BF16")
                    continue; // for example a stored mask
                const auto numbers = valueOf(file.read(tensor));
                given.tensors.push_back({tensor.name, numbers});
            }
        }
        // Tensors are saved as F32, so folders with MXFP4 are left out.
        if (!given.config.contains("quantization_config"))
            found.push_back(std::move(given));
    }
    return found;
}

/// Saves the folder with its token embeddings under these names only, and opens it.
PretrainedPointer savedAs(const SavedFolder &given, const nlohmann::json &config,
                          const std::set<std::string> &names) {
    static int count = 0; // unique names, since tensors are read on demand
    const fs::path scratch = freshFolder("tied-" + std::to_string(++count));
    std::vector<NamedTensor> tensors;
    Tensor words;
    for (const NamedTensor &tensor : given.tensors) {
        if (tensor.name == given.folder->embeddingsTensor)
            words = tensor.tensor;
        const bool isShared = std::ranges::any_of(
            kSharedNames, [&](const char *name) { return tensor.name.ends_with(name); });
        if (tensor.name != given.folder->embeddingsTensor && tensor.name != given.outputName() &&
            !isShared)
            tensors.push_back(tensor);
    }
    for (const std::string &name : names)
        tensors.push_back({name, words});
    const auto bytes = valueOf(safetensorsBytes(tensors, {}));
    put(scratch / "config.json", config.dump());
    put(scratch / "model.safetensors", bytes);
    const auto read = readPretrained(scratch.string());
    if (!read)
        return nullptr;
    const auto &odd = (*read)->warnings;
    CHECK_MESSAGE(odd.empty(), (odd.empty() ? "" : odd[0].where + ": " + odd[0].what.text()));
    return *read;
}

Tensor logitsOfFewTokens(const PretrainedFolder &folder) {
    const std::vector<Index> ids{3, 1, 4, 1, 5};
    std::optional<TokenizedText> source;
    if (folder.model.hasCrossAttention())
        source = tokensOfIds(folder, Stack::Encoder, {2, 7, 1});
    TokenizedText text = tokensOfIds(folder, folder.model.mainStack(), ids);
    const auto input = valueOf(folder.sound ? inputOf(folder, drawnSound(1234), std::move(text))
                                            : inputOf(folder, std::move(text), source));
    return traceOf(folder, input)->stage(Stage::Logits);
}

void checkSameBits(const Tensor &a, const Tensor &b) {
    REQUIRE(a.shape() == b.shape());
    REQUIRE_FALSE(a.isNull());
    CHECK(std::memcmp(a.values().data(), b.values().data(), a.values().size() * sizeof(float)) ==
          0);
}

} // namespace

TEST_CASE("a tied model opens by its output matrix's name alone, in every family") {
    std::set<std::string_view> families;
    for (const SavedFolder &given : foldersWithOutput()) {
        CAPTURE(given.name);
        families.insert(given.folder->family->name);
        nlohmann::json config = given.config;
        if (!given.isTied())
            config["tie_word_embeddings"] = true;
        const std::string &words = given.folder->embeddingsTensor;
        const PretrainedPointer usual = savedAs(given, config, {words});
        const PretrainedPointer other = savedAs(given, config, {given.outputName()});
        const PretrainedPointer both = savedAs(given, config, {words, given.outputName()});
        REQUIRE(bool(usual));
        REQUIRE(bool(other));
        REQUIRE(bool(both));
        const Tensor logits = logitsOfFewTokens(*usual);
        checkSameBits(logits, logitsOfFewTokens(*other));
        checkSameBits(logits, logitsOfFewTokens(*both));
        if (given.isTied())
            checkSameBits(logits, logitsOfFewTokens(*given.folder));
        // The folder reports which tensor was read.
        CHECK(usual->embeddingsTensor == words);
        CHECK(usual->outputTensor == words);
        CHECK(other->embeddingsTensor == given.outputName());
        CHECK(other->outputTensor == given.outputName());
        CHECK(both->embeddingsTensor == words);
    }
    std::set<std::string_view> known;
    for (const Family *family : headlight::core::families())
        if (family->name != "ViT" && family->name != "DeiT" && // these do not predict words
            !family->name.starts_with("CLIP"))
            known.insert(family->name);
    CHECK(families == known); // a new family needs an entry in kOutputNames
}

TEST_CASE("the embeddings of an encoder-decoder may be stored under any of their names alone") {
    int opened = 0;
    for (const SavedFolder &given : foldersWithOutput()) {
        if (!given.folder->model.hasEncoder())
            continue;
        CAPTURE(given.name);
        nlohmann::json config = given.config;
        config["tie_word_embeddings"] = true;
        const PretrainedPointer usual = savedAs(given, config, {given.folder->embeddingsTensor});
        REQUIRE(bool(usual));
        for (const char *name : kSharedNames) {
            CAPTURE(name);
            const PretrainedPointer other = savedAs(given, config, {std::string(name)});
            REQUIRE(bool(other));
            checkSameBits(logitsOfFewTokens(*usual), logitsOfFewTokens(*other));
            CHECK(other->embeddingsTensor == name);
            ++opened;
        }
    }
    CHECK(opened >= 12);
}

TEST_CASE("an output matrix does not replace the embeddings if the config unties them") {
    for (const SavedFolder &given : foldersWithOutput()) {
        CAPTURE(given.name);
        if (given.name ==
            "deberta-v2-own-keys") // this output layer always multiplies by the embeddings
            continue;
        nlohmann::json config = given.config;
        config["tie_word_embeddings"] = false;
        CHECK_FALSE(bool(savedAs(given, config, {given.outputName()})));
        if (!given.isTied()) // untied models keep both matrices
            CHECK(given.folder->outputTensor == given.outputName());
    }
}
