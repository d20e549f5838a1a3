// Every stage compared with PyTorch in float64 (tests/reference/make_attention.py).
#include "core_test.h"
#include "transformer/reference_model.h"

using Json = nlohmann::json;

namespace {

constexpr double kTolerance = 2e-5;

} // namespace

TEST_CASE("every stage of every reference file") {
    std::map<std::string, double> worst;
    std::size_t files = 0;
    for (const auto &path : referenceFiles("attention")) {
        CAPTURE(path.filename().string());
        const Json document = readReference(path);
        const auto trace =
            valueOf(forward(attentionModelFrom(document), attentionInputFrom(document)));
        for (const auto &[name, stage] : document.at("stages").items()) {
            CAPTURE(name);
            const double hidden = static_cast<double>(trace->model().config.masking.value);
            const bool isWeights = name == stageName(Stage::AttentionWeights);
            const double deviation = deviationOf(trace->stage(name), stage, 1, isWeights, hidden);
            CHECK(deviation <= kTolerance);
            worst[name] = std::max(worst[name], deviation);
        }
        // Stages that only one side has would be missed otherwise.
        for (const StageInfo &info : allStages())
            if (info.part != Part::Layer && info.stage != Stage::HeadOutputs) // not in the files
                CHECK(trace->has(info.stage) ==
                      document.at("stages").contains(stageName(info.stage)));
        const Tensor masked = trace->stage(Stage::MaskedScores);
        const Tensor weights = trace->stage(Stage::AttentionWeights);
        for (std::size_t i = 0; !masked.isNull() && i < masked.values().size(); ++i)
            if (std::isinf(masked.values()[i]))
                CHECK(weights.values()[i] == 0);
        ++files;
    }
    CHECK(files >= 37);
    for (const auto &[name, deviation] : worst)
        std::printf("%-42s largest deviation %.2e\n", name.c_str(), deviation);
}
