// Every stage of random models of every family, read from folders, compared with PyTorch in float64
// (tests/reference/make_folders.py).
#include "core/formats/safetensors/safetensors.h"
#include "core/transformer/plan/model_stages.h"
#include "core_test.h"
#include "pretrained/folders.h"

namespace fs = std::filesystem;

namespace {

constexpr double kStageTolerance = 2e-5; // relative to the stage's largest number

std::set<std::string> stagesOf(const Trace &trace) {
    const std::vector<std::string> names = trace.names();
    std::set<std::string> stages(names.begin(), names.end());
    for (const AttentionId &attention : trace.model().attentions())
        stages.insert(stageName(Stage::HeadOutputs, attention));
    return stages;
}

std::set<std::string> stagesOf(const SafetensorsFile &file) {
    std::set<std::string> stages;
    for (const TensorInfo &tensor : file.tensors())
        stages.insert(tensor.name);
    return stages;
}

/// Returns the deviation relative to the largest number. −∞ must match exactly.
double deviationOf(const Tensor &ours, const Tensor &theirs) {
    REQUIRE(ours.shape() == theirs.shape());
    double largest = 0, deviation = 0;
    for (std::size_t i = 0; i < theirs.values().size(); ++i) {
        const double expected = static_cast<double>(theirs.values()[i]);
        const double value = static_cast<double>(ours.values()[i]);
        if (std::isinf(expected)) {
            CHECK(value == expected);
            continue;
        }
        REQUIRE(std::isfinite(value));
        largest = std::max(largest, std::abs(expected));
        deviation = std::max(deviation, std::abs(value - expected));
    }
    return largest > 0 ? deviation / largest : deviation;
}

/// Returns a list of numbers from the file's metadata, or none if it is missing.
std::vector<Index> numbersIn(const SafetensorsFile &file, const std::string &name) {
    const auto found = file.metadata().find(name);
    if (found == file.metadata().end())
        return {};
    return nlohmann::json::parse(found->second);
}

/// Returns the input of the reference run in the file.
Input inputFrom(const PretrainedFolder &folder, const SafetensorsFile &file) {
    std::optional<TokenizedText> source;
    if (const auto ids = numbersIn(file, "source_token_ids"); !ids.empty())
        source = tokensOfIds(folder, Stack::Encoder, ids);
    const auto ids = numbersIn(file, "token_ids");
    auto input =
        valueOf(inputOf(folder, tokensOfIds(folder, folder.model.mainStack(), ids), source));
    if (const auto types = numbersIn(file, "token_types"); !types.empty())
        input.batch = input.batch->withTokenTypes(0, types);
    return input;
}

/// Returns the largest deviation over all stages in the file.
double worstStage(const Trace &trace, const SafetensorsFile &file, std::string &worst) {
    double largest = -1;
    for (const TensorInfo &stage : file.tensors()) {
        CAPTURE(stage.name);
        const auto theirs = valueOf(file.read(stage));
        const double deviation = deviationOf(trace.stage(stage.name), theirs);
        CHECK(deviation <= kStageTolerance);
        if (deviation > largest) {
            largest = deviation;
            worst = stage.name;
        }
    }
    return largest;
}

std::vector<fs::path> folders() {
    std::vector<fs::path> paths;
    for (const auto &entry : fs::directory_iterator(HEADLIGHT_TEST_DATA "/folders"))
        if (entry.is_directory())
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

} // namespace

TEST_CASE("every stage of every folder") {
    std::set<std::string> types;
    for (const fs::path &path : folders()) {
        const std::string name = path.filename().string();
        CAPTURE(name);
        const PretrainedPointer folder = opened(path);
        types.insert(folder->modelType);
        const auto &odd = folder->warnings; // empty if every field and tensor is known
        CHECK_MESSAGE(odd.empty(), (odd.empty() ? "" : odd[0].where + ": " + odd[0].what.text()));
        const auto file = valueOf(SafetensorsFile::open(path.string() + ".safetensors"));
        const Input input = inputFrom(*folder, file);
        for (const Detail detail : {Detail::Everything, Detail::Ends}) {
            const auto trace = valueOf(forward(folder->model, input, nullptr, {}, detail));
            CHECK(stagesOf(*trace) == stagesOf(file));
            std::string worst;
            const double deviation = worstStage(*trace, file, worst);
            if (detail == Detail::Everything)
                std::printf("%-24s largest deviation %.1e in %s\n", name.c_str(), deviation,
                            worst.c_str());
        }
    }
    std::set<std::string> known;
    for (const Family *family : families())
        known.insert(family->modelTypes.begin(), family->modelTypes.end());
    CHECK(types == known); // a new family needs a test folder
}
