// Text of models that were really trained, where their files lie beside the project
// (../shared/models); else nothing is tested, and that is said.
#include "core/formats/safetensors/safetensors.h"
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "transformer/reference_model.h"

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>

using namespace headlight::core;

namespace {

std::filesystem::path folderOf(const std::string &name) {
    const auto folder =
        std::filesystem::path(HEADLIGHT_TEST_DATA).parent_path().parent_path().parent_path() /
        "shared" / "models" / name;
    if (std::filesystem::exists(folder / "model.safetensors"))
        return folder;
    std::printf("skipped: %s is missing\n", folder.c_str());
    return {};
}

/// A model in GPT-2's layout: weights are [in, out], those of queries, keys and values side by
/// side.
class Gpt2 {
  public:
    Gpt2(const std::filesystem::path &folder, std::vector<std::string> words)
        : m_file(*SafetensorsFile::open((folder / "model.safetensors").string())) {
        const auto json = readReference(folder / "config.json");
        Config &config = m_model.config;
        config.width = json.at("n_embd");
        config.heads = json.at("n_head");
        config.headSize = config.width / config.heads;
        config.positions = Positions::Learned;
        config.norm = {NormKind::Layer, NormPosition::Before, 1e-5f, true, false};
        config.residual = true;
        const bool isRelu = json.at("activation_function") == "relu";
        config.feedForward = {json.at("n_inner"), isRelu ? Activation::Relu : Activation::GeluTanh,
                              false};
        config.outputLayer.kind = OutputLayerKind::Language;
        m_model.vocabulary = *Vocabulary::create(std::move(words));
        StackParameters &main = m_model.parameters.main;
        main.embeddings = matrix("transformer.wte.weight");
        main.positions = matrix("transformer.wpe.weight");
        main.finalNorm = norm("transformer.ln_f");
        for (Index layer = 0; layer < json.at("n_layer"); ++layer)
            main.layers.push_back(layerOf("transformer.h." + std::to_string(layer) + "."));
        m_model.parameters.outputLayer.output = transposed("lm_head.weight");
        if (m_file.find("lm_head.bias"))
            m_model.parameters.outputLayer.outputBias = matrix("lm_head.bias");
    }
    const Model &model() const { return m_model; }

  private:
    LayerParameters layerOf(const std::string &name) {
        LayerParameters layer;
        AttentionParameters &a = layer.selfAttention;
        const Index c = m_model.config.width;
        Parameter *const matrices[] = {&a.query, &a.key, &a.value};
        Parameter *const biases[] = {&a.queryBias, &a.keyBias, &a.valueBias};
        for (Index i = 0; i < 3; ++i) {
            *matrices[i] = matrix(name + "attn.c_attn.weight", i * c, c);
            *biases[i] = matrix(name + "attn.c_attn.bias", i * c, c);
        }
        a.output = matrix(name + "attn.c_proj.weight");
        a.outputBias = matrix(name + "attn.c_proj.bias");
        a.norm = norm(name + "ln_1");
        FeedForwardParameters &f = layer.feedForward;
        f.hidden = matrix(name + "mlp.c_fc.weight");
        f.hiddenBias = matrix(name + "mlp.c_fc.bias");
        f.output = matrix(name + "mlp.c_proj.weight");
        f.outputBias = matrix(name + "mlp.c_proj.bias");
        f.norm = norm(name + "ln_2");
        return layer;
    }
    NormParameters norm(const std::string &name) {
        return {matrix(name + ".weight"), matrix(name + ".bias")};
    }
    Tensor tensor(const std::string &name) {
        const TensorInfo *info = m_file.find(name);
        REQUIRE_MESSAGE(info, name);
        return *m_file.read(*info);
    }
    /// Some of its columns; 0: all.
    Parameter matrix(const std::string &name, Index first = 0, Index count = 0) {
        const Tensor all = tensor(name);
        const Index rows = all.shape().last(1);
        const Index columns = count > 0 ? count : all.shape().last(0);
        Matrix part(rows, columns);
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < columns; ++c)
                part(r, c) = number(all, r, first + c);
        return makeParameter(std::move(part));
    }
    Parameter transposed(const std::string &name) {
        const Tensor all = tensor(name);
        Matrix turned(all.shape().last(0), all.shape().last(1));
        for (Index r = 0; r < turned.rows(); ++r)
            for (Index c = 0; c < turned.columns(); ++c)
                turned(r, c) = number(all, c, r);
        return makeParameter(std::move(turned));
    }
    static float number(const Tensor &tensor, Index row, Index column) {
        return tensor.values()[static_cast<std::size_t>(row * tensor.shape().last(0) + column)];
    }

    SafetensorsFile m_file;
    Model m_model;
};

std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<std::string> writtenOn(const Model &model, const std::vector<std::string> &words,
                                   const GenerationOptions &options) {
    const Input input{*Batch::ofWords({words}), {CausalMask{}}};
    auto generator = Generator::create(model, input, options);
    REQUIRE_MESSAGE(generator.ok(), (generator.ok() ? "" : generator.error().text()));
    std::vector<std::string> made;
    for (auto token = generator->next(); *token; token = generator->next()) {
        REQUIRE(token.ok());
        made.push_back((*token)->text);
    }
    return made;
}

} // namespace

TEST_CASE("a model that was trained to sort six letters sorts them") {
    const auto folder = folderOf("gpt-nano-sort");
    if (folder.empty())
        return;
    const Gpt2 sorter(folder, {"A", "B", "C"});
    int sorted = 0;
    for (int number = 0; number < 729; ++number) {
        std::vector<std::string> letters;
        for (int rest = number, i = 0; i < 6; ++i, rest /= 3)
            letters.emplace_back(1, static_cast<char>('A' + rest % 3));
        const std::vector<std::string> made = writtenOn(sorter.model(), letters, {.maximum = 6});
        std::ranges::sort(letters);
        sorted += made == letters;
    }
    std::printf("gpt-nano-sort sorts %d of 729\n", sorted);
    CHECK(sorted > 720);
}

TEST_CASE("an English model writes English, the same for the same seed") {
    const auto folder = folderOf("english-lm");
    if (folder.empty())
        return;
    const Gpt2 english(folder, readReference(folder / "vocabulary.json"));
    const Model &model = english.model();
    CHECK(endTokenOf(*model.vocabulary) == 2);
    const std::vector<std::string> begin{"</s>", "The", "European", "Union"};
    const auto greedy = writtenOn(model, begin, {.maximum = 12});
    std::printf("greedy: %s\n", joined(greedy).c_str());
    CHECK(greedy.size() == 12);
    const GenerationOptions drawn{.maximum = 30,
                                  .sampling = {.temperature = 0.8f, .topK = 40, .seed = 1},
                                  .end = endTokenOf(*model.vocabulary)};
    const auto text = writtenOn(model, begin, drawn);
    std::printf("drawn: %s\n", joined(text).c_str());
    CHECK(writtenOn(model, begin, drawn) == text);
    CHECK(text != greedy);
}
