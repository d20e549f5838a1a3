// Random folders of every family, with every stage in float64 (tests/reference/make_folders.py).
#include "core/formats/safetensors/safetensors.h"
#include "pretrained/folders.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr double kTolerance = 2e-5; // of a stage's largest magnitude

std::vector<Index> idsIn(const SafetensorsFile &file, const char *name) {
    const auto found = file.metadata().find(name);
    return found == file.metadata().end()
               ? std::vector<Index>()
               : nlohmann::json::parse(found->second).get<std::vector<Index>>();
}

Input inputFor(const PretrainedFolder &folder, const SafetensorsFile &reference) {
    const Model &model = folder.model;
    const auto source = idsIn(reference, "source_token_ids");
    auto input =
        inputOf(folder, tokensOfIds(folder, model.mainStack(), idsIn(reference, "token_ids")),
                source.empty() ? std::optional<TokenizedText>()
                               : tokensOfIds(folder, model.sourceStack(), source));
    REQUIRE(input.ok());
    if (const auto types = idsIn(reference, "token_types"); !types.empty())
        input->batch = input->batch->withTokenTypes(0, types);
    return *input;
}

double deviation(const Tensor &ours, const Tensor &theirs) {
    double largest = 1e-30, difference = 0;
    for (std::size_t i = 0; i < theirs.values().size(); ++i) {
        const double a = ours.values()[i], b = theirs.values()[i];
        if (std::isinf(b) || std::isinf(a)) {
            if (a != b)
                return std::numeric_limits<double>::infinity();
            continue;
        }
        largest = std::max(largest, std::abs(b));
        difference = std::max(difference, std::abs(a - b));
    }
    return difference / largest;
}

void checkFolder(const std::filesystem::path &folder) {
    const PretrainedPointer opened = test::opened(folder);
    CHECK(opened->warnings.empty());
    const auto reference = SafetensorsFile::open(folder.string() + ".safetensors");
    REQUIRE(reference.ok());
    const TracePointer trace = traceOf(*opened, inputFor(*opened, *reference));
    for (const TensorInfo &stage : reference->tensors()) {
        CAPTURE(stage.name);
        const auto at = findStageAnywhere(stage.name);
        REQUIRE(at.has_value());
        REQUIRE(trace->has(at->stage, at->site));
        const Tensor ours = trace->stage(at->stage, at->site);
        const auto theirs = reference->read(stage);
        REQUIRE(theirs.ok());
        REQUIRE(ours.shape().text() == theirs->shape().text());
        CHECK(deviation(ours, *theirs) < kTolerance);
    }
}

} // namespace

TEST_CASE("every stage of a random model is what PyTorch makes in float64") {
    std::size_t count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(
             std::filesystem::path(HEADLIGHT_TEST_DATA) / "folders")) {
        if (!entry.is_directory())
            continue;
        const auto json = readReference(entry.path() / "config.json");
        if (!findFamily(json.at("model_type").get<std::string>()))
            continue;
        CAPTURE(entry.path().filename().string());
        checkFolder(entry.path());
        ++count;
    }
    CHECK(count > 0);
}
