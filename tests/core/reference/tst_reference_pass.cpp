// core/reference compared with PyTorch in float64 (tests/reference): every stage of single layers
// of attention, of complete transformers, and of a folder of every family. For the folders, also
// compares the engine's stages.
#include "core/formats/safetensors/safetensors.h"
#include "core/reference/reference.h"
#include "core_test.h"
#include "pretrained/folders.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Both programs compute in float64. The files hold 9 digits, or floats for the folders.
constexpr double kTolerance = 1e-6;
constexpr double kEngineTolerance = 2e-5;

/// A stage with numbers in float64.
struct Numbers64 {
    std::vector<Index> shape;
    std::vector<double> values;
};
using Stages64 = std::map<std::string, Numbers64>;

/// Returns the stages of a reference pass, assembled from its matrices.
Stages64 computed(const Model &model, const Input &input) {
    Stages64 stages;
    const Outcome made =
        reference::forward(model, input, [&](const reference::StageMatrix &matrix) -> Outcome {
            const StageInfo &info = infoOf(matrix.at.stage);
            Numbers64 &stage = stages[stageName(matrix.at.stage, matrix.at.attention)];
            // Matrices are sorted by sequence, then by head.
            if (info.rowsAreSequences())
                stage.shape = {matrix.rows, matrix.columns};
            else if (info.perHead)
                stage.shape = {matrix.sequence + 1, matrix.head + 1, matrix.rows, matrix.columns};
            else
                stage.shape = {matrix.sequence + 1, matrix.rows, matrix.columns};
            for (Index i = 0; i < matrix.rows; ++i)
                for (Index j = 0; j < matrix.columns; ++j)
                    stage.values.push_back(matrix(i, j));
            return Done{};
        });
    REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : made.error().text()));
    return stages;
}

/// Returns the engine's stages.
Stages64 computedByEngine(const Model &model, const Input &input, Detail detail) {
    const auto trace = valueOf(headlight::test::forward(model, input, nullptr, {}, detail));
    std::vector<std::string> names = trace->names();
    for (const AttentionId &attention : model.attentions()) // head outputs are computed on demand
        names.push_back(stageName(Stage::HeadOutputs, attention));
    Stages64 stages;
    for (const std::string &name : names) {
        const Tensor tensor = trace->stage(name);
        const std::vector<float> values = tensor.values();
        stages[name] = {tensor.shape().sizes(), {values.begin(), values.end()}};
    }
    return stages;
}

/// Returns the largest deviation relative to the stage's size, or to `floor` if that is larger. −∞
/// must match exactly.
double deviation64(const Numbers64 &ours, const Numbers64 &theirs, double floor = 0) {
    REQUIRE(ours.shape == theirs.shape);
    REQUIRE(ours.values.size() == theirs.values.size());
    double largest = floor, deviation = 0;
    for (std::size_t i = 0; i < theirs.values.size(); ++i) {
        const double expected = theirs.values[i];
        if (std::isinf(expected)) {
            CHECK(ours.values[i] == expected);
            continue;
        }
        largest = std::max(largest, std::abs(expected));
        REQUIRE(std::isfinite(ours.values[i]));
        deviation = std::max(deviation, std::abs(ours.values[i] - expected));
    }
    return largest > 0 ? deviation / largest : deviation;
}

void checkStages(const Stages64 &ours, const Stages64 &theirs, const std::string &name,
                 double floor, double tolerance = kTolerance) {
    double largest = 0;
    std::string worst = "-";
    for (const auto &[stage, expected] : theirs) {
        CAPTURE(stage);
        REQUIRE(ours.contains(stage));
        const double deviation = deviation64(ours.at(stage), expected, floor);
        CHECK(deviation <= tolerance);
        if (deviation > largest) {
            largest = deviation;
            worst = stage;
        }
    }
    std::printf("%-32s largest deviation %.1e in %s\n", name.c_str(), largest, worst.c_str());
}

Stages64 stagesIn(const Json &document) {
    Stages64 stages;
    for (const auto &[name, stage] : document.at("stages").items()) {
        Numbers64 &numbers = stages[name];
        numbers.shape = stage.at("shape").get<std::vector<Index>>();
        for (const Json &value : stage.at("values"))
            numbers.values.push_back(value.is_string() ? -std::numeric_limits<double>::infinity()
                                                       : value.get<double>());
    }
    return stages;
}

std::vector<Index> idsIn(const SafetensorsFile &file, const std::string &name) {
    const auto found = file.metadata().find(name);
    return found == file.metadata().end() ? std::vector<Index>()
                                          : Json::parse(found->second).get<std::vector<Index>>();
}

} // namespace

TEST_CASE("single layers of attention and whole transformers") {
    for (const char *folder : {"attention", "transformer"})
        for (const auto &path : referenceFiles(folder)) {
            const std::string file = path.stem().string();
            CAPTURE(file);
            const Json document = readReference(path);
            const Model model = transformerFrom(document.at("model"));
            const Stages64 ours = computed(model, transformerInputFrom(document, model));
            const Stages64 theirs = stagesIn(document);
            for (const auto &[name, stage] : ours) {
                CAPTURE(name);
                CHECK(theirs.contains(name));
            }
            checkStages(ours, theirs, file, 1);
        }
}

TEST_CASE("a folder of every family, by core/reference and by the engine") {
    std::set<std::string> met;
    for (const auto &entry : fs::directory_iterator(HEADLIGHT_TEST_DATA "/folders")) {
        if (!entry.is_directory())
            continue;
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const auto file = valueOf(SafetensorsFile::open(entry.path().string() + ".safetensors"));
        const auto size = idsIn(file, "picture");
        // CLIP's folders have a model for texts and one for pictures.
        const PretrainedPointer folder = valueOf(readPretrained(
            entry.path().string(), {}, {}, size.empty() ? Tower::Texts : Tower::Pictures));
        met.insert(folder->modelType);
        const auto &odd = folder->warnings; // empty if every field and tensor is known
        CHECK_MESSAGE(odd.empty(), (odd.empty() ? "" : odd[0].where + ": " + odd[0].what.text()));
        std::optional<TokenizedText> source;
        if (const auto ids = idsIn(file, "source_token_ids"); !ids.empty())
            source = tokensOfIds(*folder, Stack::Encoder, ids);
        const auto samples = idsIn(file, "sound");
        const auto text = [&] {
            return tokensOfIds(*folder, folder->model.mainStack(), idsIn(file, "token_ids"));
        };
        auto input = valueOf(!size.empty()      ? inputOf(*folder, drawnPicture(size[0], size[1]))
                             : !samples.empty() ? inputOf(*folder, drawnSound(samples[0]), text())
                                                : inputOf(*folder, text(), source));
        if (const auto types = idsIn(file, "token_types"); !types.empty())
            input.batch = input.batch->withTokenTypes(0, types);
        Stages64 theirs;
        for (const TensorInfo &stage : file.tensors()) {
            const auto read = file.read(stage);
            REQUIRE(read.ok());
            theirs[stage.name] = {read->shape().sizes(),
                                  {read->values().begin(), read->values().end()}};
        }
        checkStages(computed(folder->model, input), theirs, name, 0);
        for (const Detail detail : {Detail::Everything, Detail::Ends}) {
            const Stages64 ours = computedByEngine(folder->model, input, detail);
            CHECK(ours.size() == theirs.size());
            checkStages(ours, theirs, name, 0, kEngineTolerance);
        }
    }
    std::set<std::string> known;
    for (const Family *family : families())
        known.insert(family->modelTypes.begin(), family->modelTypes.end());
    CHECK(met == known); // a new family needs a test folder
}
