// Every stage of single layers of attention and of complete transformers, compared with PyTorch in
// float64 (tests/reference/make_attention.py and make_transformer.py).
#include "core/transformer/plan/model_stages.h"
#include "core_test.h"
#include "transformer/reference_model.h"

using Json = nlohmann::json;

namespace {

constexpr double kTolerance = 2e-5;

/// Returns the trace's stages, including head_outputs, which are computed on demand if there is a
/// W_O.
std::set<std::string> stagesOf(const Trace &trace) {
    const std::vector<std::string> names = trace.names();
    std::set<std::string> stages(names.begin(), names.end());
    for (const AttentionId &attention : trace.model().attentions())
        if (trace.has(Stage::HeadOutputs, attention))
            stages.insert(stageName(Stage::HeadOutputs, attention));
    return stages;
}

std::set<std::string> stagesOf(const Json &document) {
    std::set<std::string> stages;
    for (const auto &[name, stage] : document.at("stages").items())
        stages.insert(name);
    return stages;
}

/// Returns the largest deviation over all stages in the file.
double worstStage(const Trace &trace, const Json &document, std::string &worst) {
    const double hidden = static_cast<double>(trace.model().config.masking.value);
    double largest = 0;
    for (const auto &[name, stage] : document.at("stages").items()) {
        CAPTURE(name);
        const auto at = findStageAnywhere(name);
        REQUIRE(at.has_value());
        const bool isMasked = at->stage == Stage::MaskedScores;
        const double deviation =
            deviationOf(trace.stage(name), stage, 1, at->stage == Stage::AttentionWeights,
                        isMasked ? hidden : -std::numeric_limits<double>::infinity());
        CHECK(deviation <= kTolerance);
        if (deviation >= largest) {
            largest = deviation;
            worst = name;
        }
    }
    return largest;
}

} // namespace

TEST_CASE("every stage of every layer of attention and of every transformer") {
    for (const auto &[folder, least] : {std::pair("attention", 37u), {"transformer", 46u}}) {
        const auto files = referenceFiles(folder);
        CHECK(files.size() >= least);
        for (const auto &path : files) {
            const std::string file = path.stem().string();
            CAPTURE(file);
            const Json document = readReference(path);
            const Model model = transformerFrom(document.at("model"));
            const Input input = transformerInputFrom(document, model);
            for (const Detail detail : {Detail::Everything, Detail::Ends}) {
                const auto trace = valueOf(forward(model, input, nullptr, {}, detail));
                CHECK(stagesOf(*trace) == stagesOf(document));
                std::string worst;
                const double deviation = worstStage(*trace, document, worst);
                if (detail == Detail::Everything)
                    std::printf("%-32s largest deviation %.2e in %s\n", file.c_str(), deviation,
                                worst.c_str());
            }
        }
    }
}
