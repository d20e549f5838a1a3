// GGUF files made from model folders (tests/reference/make_gguf.py) give the same models.
#include "core/formats/gguf/gguf_file.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/pretrained_session.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "scratch.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kGgufFiles = fs::path(HEADLIGHT_TEST_DATA) / "gguf";
const fs::path kFolderFiles = fs::path(HEADLIGHT_TEST_DATA) / "folders";
constexpr double kLogitTolerance = 2e-5;

/// Returns a copy of the folder with changed fields in its config.
fs::path changedFolder(const fs::path &folder, const Json &fields) {
    const fs::path copy = freshFolder("changed") / folder.filename();
    fs::copy(folder, copy);
    Json config = readReference(copy / "config.json");
    config.update(fields);
    put(copy / "config.json", config.dump());
    return copy;
}

/// Checks that all parameters equal those of the folder bit for bit. Returns their number.
std::size_t checkParameters(const Model &ours, const Model &theirs) {
    std::size_t count = 0;
    for (const ParameterId &id : allParameters(theirs.parameters)) {
        const Parameter &expected = parameterOf(theirs.parameters, id);
        const Parameter &found = parameterOf(ours.parameters, id);
        if (!expected || !found)
            continue;
        CAPTURE(nameOf(id));
        const Matrix a = valueOf(found->toMatrix()), b = valueOf(expected->toMatrix());
        REQUIRE(a.rows() == b.rows());
        REQUIRE(a.columns() == b.columns());
        double largest = 0;
        for (Index row = 0; row < a.rows(); ++row)
            for (Index column = 0; column < a.columns(); ++column)
                largest = std::max(largest,
                                   static_cast<double>(std::abs(a(row, column) - b(row, column))));
        CHECK(largest < 1e-6);
        ++count;
    }
    return count;
}

double differenceAt(Stage stage, AttentionId attention, const Trace &a, const Trace &b) {
    const Tensor ours = a.stage(stage, attention), theirs = b.stage(stage, attention);
    REQUIRE(ours.values().size() == theirs.values().size());
    REQUIRE_FALSE(ours.values().empty());
    double largest = 0;
    for (std::size_t i = 0; i < ours.values().size(); ++i)
        largest =
            std::max(largest, std::abs(static_cast<double>(ours.values()[i] - theirs.values()[i])));
    return largest;
}

TracePointer traceOfIds(const PretrainedFolder &folder) {
    return traceOf(folder,
                   valueOf(inputOf(folder, tokensOfIds(folder, Stack::Main, {3, 10, 1, 22, 7}))));
}

/// Compares a file with a folder: parameters, and the stage after the last layer.
void checkSame(const fs::path &file, const fs::path &folder, Stage last) {
    const PretrainedPointer ours = opened(file), theirs = opened(folder);
    CHECK(checkParameters(ours->model, theirs->model) > 10);
    CHECK(ours->model.layerCount() == theirs->model.layerCount());
    CHECK(ours->masks == theirs->masks);
    CHECK(ours->bytes == fs::file_size(file));
    AttentionId attention;
    if (infoOf(last).part == Part::Layer || infoOf(last).part == Part::FeedForward)
        attention.layer = ours->model.layerCount() - 1;
    const double difference =
        differenceAt(last, attention, *traceOfIds(*ours), *traceOfIds(*theirs));
    CHECK(difference <= kLogitTolerance);
    std::printf("%-24s largest difference %.1e\n", file.filename().c_str(), difference);
}

} // namespace

TEST_CASE("a file of each architecture has the logits of its folder") {
    for (const char *name : {"llama", "llama-grouped-tied", "llama-3", "gpt2"}) {
        CAPTURE(name);
        checkSame(kGgufFiles / (std::string(name) + ".gguf"), kFolderFiles / name, Stage::Logits);
        CHECK(opened(kGgufFiles / (std::string(name) + ".gguf"))->warnings.empty());
    }
    // GGUF cannot store the windows of Qwen 2 or another activation of GPT-2.
    checkSame(kGgufFiles / "qwen2.gguf",
              changedFolder(kFolderFiles / "qwen2", {{"use_sliding_window", false}}),
              Stage::Logits);
    checkSame(
        kGgufFiles / "gpt2-own-output.gguf",
        changedFolder(kFolderFiles / "gpt2-own-output", {{"activation_function", "gelu_new"}}),
        Stage::Logits);
}

TEST_CASE("a file of each newer architecture has the logits of its folder") {
    for (const char *name : {"qwen3", "gemma", "phi3", "phi3-partial", "phi3-long", "gpt-neox"}) {
        CAPTURE(name);
        const fs::path file = kGgufFiles / (std::string(name) + ".gguf");
        checkSame(file, kFolderFiles / name, Stage::Logits);
        CHECK(opened(file)->warnings.empty());
    }
    // GGUF has no keys for these fields. They have the values of the published models.
    const std::pair<const char *, Json> changed[] = {
        {"gemma2", {{"query_pre_attn_scalar", 6}}},
        {"gemma3",
         {{"query_pre_attn_scalar", 8},
          {"sliding_window_pattern", 6},
          {"rope_local_base_freq", 10000.0}}},
        {"gpt-neox-sequential", {{"hidden_act", "gelu"}}},
    };
    for (const auto &[name, fields] : changed) {
        CAPTURE(name);
        const fs::path file = kGgufFiles / (std::string(name) + ".gguf");
        checkSame(file, changedFolder(kFolderFiles / name, fields), Stage::Logits);
        CHECK(opened(file)->warnings.empty());
    }
}

TEST_CASE("a BERT file gives the last layer's output of its folder") {
    const PretrainedPointer ours = opened(kGgufFiles / "bert.gguf");
    REQUIRE(ours->warnings.size() == 1);
    CHECK(ours->warnings[0].text().find("exact GELU") != std::string::npos);
    CHECK(ours->model.config.outputLayer.kind == OutputLayerKind::None);
    CHECK(ours->outputTensor.empty());
    checkSame(kGgufFiles / "bert.gguf", kFolderFiles / "bert", Stage::LayerOutput);
}

TEST_CASE("quantised tensors give the logits of a folder with their values") {
    const fs::path file = kGgufFiles / "quantised.gguf";
    checkSame(file, kGgufFiles / "quantised", Stage::Logits);
    const PretrainedPointer folder = opened(file);
    CHECK(std::set(folder->numberTypes.begin(), folder->numberTypes.end()) ==
          std::set<std::string>{"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1",
                                "IQ4_NL"});
    CHECK(opened(kGgufFiles / "quantised")->numberTypes == std::vector<std::string>{"F32"});
    CHECK(folder->embeddingsTensor == "token_embd.weight");
    CHECK(folder->outputTensor == "output.weight");
}

TEST_CASE("a window makes a Llama a Mistral") {
    checkSame(kGgufFiles / "mistral.gguf", kFolderFiles / "mistral", Stage::Logits);
    const PretrainedPointer folder = opened(kGgufFiles / "mistral.gguf");
    CHECK(folder->modelType == "mistral");
    CHECK(folder->model.config.windows == opened(kFolderFiles / "mistral")->model.config.windows);
}

TEST_CASE("a session refers to a GGUF file in the same way as to a folder") {
    const Session made = valueOf(sessionOfFolder((kGgufFiles / "gpt2.gguf").string()));
    CHECK(made.title == "gpt2");
    REQUIRE(made.pretrained);
    const fs::path saved = freshFolder("session") / "saved.headlight";
    put(saved, made.json);
    const Session read = valueOf(readSessionFile(saved.string()));
    REQUIRE(read.pretrained);
    CHECK(read.pretrained->hash == made.pretrained->hash);
    CHECK(read.warnings.empty());
    // A different model under the same name is detected.
    const fs::path other = freshFolder("other") / "model.gguf";
    fs::copy(kGgufFiles / "gpt2-own-output.gguf", other);
    CHECK(opened(other)->hash != made.pretrained->hash);
}

TEST_CASE("a file under another name is recognised by its first bytes") {
    const fs::path path = freshFolder("name") / "sha256-1234";
    fs::copy(kGgufFiles / "llama.gguf", path);
    CHECK(opened(path)->modelType == "llama");
    CHECK_FALSE(readPretrained((kGgufFiles / "tokens.json").string()).ok());
    const auto expression = readPretrained(path.string(), {}, "a|b");
    REQUIRE_FALSE(expression.ok());
    CHECK(expression.error().remedy == "leave the expression out");
}

TEST_CASE("reading can be cancelled") {
    std::stop_source stop;
    stop.request_stop();
    const auto read = readPretrained((kGgufFiles / "llama.gguf").string(), stop.get_token());
    REQUIRE_FALSE(read.ok());
    CHECK(isCancelled(read.error()));
}
