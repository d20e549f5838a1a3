// Folders of sentence-transformers. Tests the vector of a text, computed from the stages of an
// independent program, the cosine of two texts, and modules that are refused.
#include "core/analysis/cosine_similarity.h"
#include "core/analysis/encoded_texts.h"
#include "core/analysis/sentence_vector.h"
#include "core/formats/safetensors/safetensors.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kElectra = fs::path(HEADLIGHT_TEST_DATA) / "folders" / "electra-discriminator";

Json moduleOf(const char *type, const char *path) {
    return {{"type", std::string("sentence_transformers.models.") + type}, {"path", path}};
}

const Json kTransformer = moduleOf("Transformer", ""), kPooling = moduleOf("Pooling", "1_Pooling"),
           kNormalize = moduleOf("Normalize", "2_Normalize");

/// Returns a copy of ELECTRA's folder with these modules.
fs::path sentenceFolder(const Json &modules, const Json &pooling, const Json &settings = {}) {
    const fs::path folder = freshFolder("sentences");
    for (const char *name : {"config.json", "model.safetensors"})
        fs::copy_file(kElectra / name, folder / name);
    fs::create_directory(folder / "1_Pooling");
    put(folder / "modules.json", modules.dump());
    put(folder / "1_Pooling" / "config.json", pooling.dump());
    if (!settings.is_null())
        put(folder / "sentence_bert_config.json", settings.dump());
    return folder;
}

Json poolingBy(const char *flag) {
    Json config{{"word_embedding_dimension", 12},
                {"pooling_mode_cls_token", false},
                {"pooling_mode_mean_tokens", false},
                {"pooling_mode_max_tokens", false}};
    config[flag] = true;
    return config;
}

Result<SentencePooling> poolingIn(const fs::path &folder) {
    const PretrainedPointer opened = test::opened(folder);
    REQUIRE(opened->sentence.has_value());
    CHECK(opened->sentence->ok() == opened->warnings.empty());
    return *opened->sentence;
}

/// Returns the error of modules that Headlight does not compute, although it opens the folder.
std::string refusedModules(const Json &modules, const Json &pooling, const Json &settings = {}) {
    const auto read = poolingIn(sentenceFolder(modules, pooling, settings));
    return read ? "" : read.error().text();
}

std::vector<Index> idsOfMetadata(const SafetensorsFile &file, const char *name) {
    return Json::parse(file.metadata().at(name)).get<std::vector<Index>>();
}

/// The last stage as NumPy computed it, and Headlight's trace of the same text.
struct ElectraText {
    Tensor rows;
    TracePointer trace;
};
ElectraText electraText() {
    const auto file = valueOf(SafetensorsFile::open(kElectra.string() + ".safetensors"));
    const PretrainedPointer folder = opened(kElectra);
    Input input = valueOf(
        inputOf(*folder, tokensOfIds(*folder, Stack::Main, idsOfMetadata(file, "token_ids"))));
    input.batch = input.batch->withTokenTypes(0, idsOfMetadata(file, "token_types"));
    const auto stage = std::ranges::find(file.tensors(), "layers.1.output", &TensorInfo::name);
    REQUIRE(stage != file.tensors().end());
    return {valueOf(file.read(*stage)), traceOf(*folder, input)};
}

} // namespace

TEST_CASE("the vector of a text is the pooled last stage") {
    const ElectraText text = electraText();
    const Index length = text.rows.shape()[1], width = text.rows.shape()[2];
    REQUIRE(length == 6);
    const auto numberAt = [&](Index row, Index column) {
        return static_cast<double>(
            text.rows.values()[static_cast<std::size_t>(row * width + column)]);
    };
    for (const auto &[flag, first, last] : {std::tuple("pooling_mode_mean_tokens", 0, 5),
                                            {"pooling_mode_cls_token", 0, 0},
                                            {"pooling_mode_lasttoken", 5, 5}})
        for (const bool isUnit : {false, true}) {
            CAPTURE(flag);
            CAPTURE(isUnit);
            Json modules{kTransformer, kPooling};
            if (isUnit)
                modules.push_back(kNormalize);
            const auto pooling = valueOf(poolingIn(sentenceFolder(modules, poolingBy(flag))));
            CHECK(pooling.isUnit == isUnit);
            const std::vector<float> vector = sentenceVector(*text.trace, 0, pooling);
            REQUIRE(std::ssize(vector) == width);
            std::vector<double> expected(static_cast<std::size_t>(width));
            double square = 0;
            for (Index column = 0; column < width; ++column) {
                double &mean = expected[static_cast<std::size_t>(column)];
                for (Index row = first; row <= last; ++row)
                    mean += numberAt(row, column) / (last - first + 1);
                square += mean * mean;
            }
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(static_cast<double>(vector[i]) ==
                      doctest::Approx(isUnit ? expected[i] / std::sqrt(square) : expected[i])
                          .epsilon(2e-5));
        }
}

TEST_CASE("each sequence of a batch has a vector") {
    const PretrainedPointer folder = opened(kElectra);
    const auto second = tokensOfIds(*folder, Stack::Main, {3, 9, 5});
    Input both = valueOf(inputOf(*folder, second));
    const auto alone = traceOf(*folder, both);
    both.batch = valueOf(Batch::create({tokensOfIds(*folder, Stack::Main, {4, 8, 1}), second}));
    const auto together = traceOf(*folder, both);
    const SentencePooling mean{};
    CHECK(sentenceVector(*together, 1, mean) == sentenceVector(*alone, 0, mean));
    const Cosine same = cosineOf(sentenceVector(*alone, 0, mean), sentenceVector(*alone, 0, mean));
    const Cosine other =
        cosineOf(sentenceVector(*together, 0, mean), sentenceVector(*together, 1, mean));
    CHECK(same.value == doctest::Approx(1));
    CHECK(other.value < 0.999);
}

TEST_CASE("the cosine of two sentences in Words is the cosine of their vectors") {
    std::set<double> found;
    for (const char *flag :
         {"pooling_mode_mean_tokens", "pooling_mode_cls_token", "pooling_mode_lasttoken"}) {
        CAPTURE(flag);
        const fs::path path = sentenceFolder({kTransformer, kPooling, kNormalize}, poolingBy(flag));
        put(path / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\nc\n");
        const PretrainedPointer folder = opened(path);
        const SentencePooling pooling = valueOf(*folder->sentence);
        CHECK(folder->model.sentencePooling == pooling.pooling);
        const auto second = tokensOfIds(*folder, Stack::Main, {3, 9, 5, 11, 2});
        Input both = valueOf(inputOf(*folder, second));
        // The first sequence is shorter, so it has padding.
        both.batch = valueOf(Batch::create({tokensOfIds(*folder, Stack::Main, {4, 8, 1}), second}));
        const TracePointer trace = traceOf(*folder, both);
        const EncodedTexts texts = encodedTextsOf(*trace, 0, Stack::Main);
        const EncodedText &shown = texts.of(TextEncoding::Contextual);
        REQUIRE(shown.texts);
        CHECK(shown.pooling == pooling.pooling);
        const Cosine expected =
            cosineOf(sentenceVector(*trace, 0, pooling), sentenceVector(*trace, 1, pooling));
        CHECK(shown.texts->value == doctest::Approx(expected.value).epsilon(1e-5));
        found.insert(shown.texts->value);
    }
    CHECK(found.size() == 3); // the poolings differ
    CHECK_FALSE(opened(kElectra)->model.sentencePooling);
}

TEST_CASE("newer files name the pooling by a word") {
    const auto pooling =
        valueOf(poolingIn(sentenceFolder({kTransformer, kPooling, kNormalize},
                                         {{"pooling_mode", "cls"}, {"embedding_dimension", 12}},
                                         {{"max_seq_length", 128}, {"do_lower_case", false}})));
    CHECK(pooling.pooling == Pooling::First);
    CHECK(pooling.longest == 128);
    CHECK_FALSE(opened(kElectra)->sentence.has_value());
}

TEST_CASE("modules that are not computed are named") {
    const auto has = [](const std::string &error, const char *part) {
        CAPTURE(error);
        CAPTURE(part);
        CHECK(error.find(part) != std::string::npos);
    };
    const Json usual{kTransformer, kPooling}, mean = poolingBy("pooling_mode_mean_tokens");
    has(refusedModules({kTransformer, kPooling, moduleOf("Dense", "2_Dense")}, mean), "\"Dense\"");
    has(refusedModules({kTransformer, kNormalize, kPooling}, mean), "\"Normalize\"");
    has(refusedModules({kPooling, kTransformer}, mean), "\"Pooling\"");
    has(refusedModules(Json::array({kTransformer}), mean), "1 modules");
    has(refusedModules(Json::object(), mean), "modules.json");
    has(refusedModules({kTransformer, 3}, mean), "modules.json");
    has(refusedModules({moduleOf("Transformer", "0_Transformer"), kPooling}, mean),
        "\"0_Transformer\"");
    for (const char *path : {"", "..", "../sentences", "/etc", "1_Pooling/.."})
        has(refusedModules({kTransformer, moduleOf("Pooling", path)}, mean), "path");
    has(refusedModules({kTransformer, moduleOf("Pooling", "missing")}, mean), "missing");
    has(refusedModules(usual, poolingBy("pooling_mode_max_tokens")), "pooling_mode_max_tokens");
    has(refusedModules(usual, poolingBy("pooling_mode_other")), "0 poolings");
    Json two = mean;
    two["pooling_mode_cls_token"] = true;
    has(refusedModules(usual, two), "2 poolings");
    has(refusedModules(usual, {{"pooling_mode", "max"}}), "pooling_mode");
    has(refusedModules(usual, {{"pooling_mode", "best"}}), "pooling_mode");
    has(refusedModules(usual, {{"pooling_mode_mean_tokens", "yes"}}), "pooling_mode_mean_tokens");
    has(refusedModules(usual, mean, {{"do_lower_case", true}}), "do_lower_case");
    has(refusedModules(usual, mean, {{"max_seq_length", -1}}), "max_seq_length");
    has(refusedModules(usual, mean, {{"default_prompt_name", "query"}}), "default_prompt_name");
    CHECK(refusedModules(usual, mean, {{"default_prompt_name", nullptr}}).empty());
}
