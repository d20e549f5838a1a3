// Models that were really trained give the attention that another program computed of them.
#include "pretrained/folders.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr double kTolerance = 1e-4;

/// The largest difference of a layer's weights from [H][T][S] numbers.
double differenceOf(const Trace &trace, Site site, const nlohmann::json &theirs) {
    const Tensor weights = trace.stage(Stage::Weights, site);
    double largest = 0;
    REQUIRE(static_cast<Index>(theirs.size()) == weights.shape()[1]);
    for (std::size_t head = 0; head < theirs.size(); ++head)
        for (std::size_t query = 0; query < theirs[head].size(); ++query)
            for (std::size_t key = 0; key < theirs[head][query].size(); ++key)
                largest = std::max(
                    largest, std::abs(weights.matrix(0, static_cast<Index>(head))(
                                          static_cast<Index>(query), static_cast<Index>(key)) -
                                      theirs[head][query][key].get<double>()));
    return largest;
}

void checkGolden(const std::string &name, const char *idsField) {
    const auto folder = trainedModel(name);
    if (folder.empty())
        return;
    const auto golden = readReference(folder.parent_path() / "golden" / (name + ".json"));
    const PretrainedPointer model = opened(folder);
    CHECK(model->warnings.empty());
    const auto ids = golden.at(idsField).get<std::vector<Index>>();
    const auto input = inputOf(*model, tokensOfIds(*model, Stack::Only, ids));
    REQUIRE(input.ok());
    const TracePointer trace = traceOf(*model, *input);
    const auto &layers = golden.at("attention");
    REQUIRE(static_cast<Index>(layers.size()) == model->model.layerCount());
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        CHECK(differenceOf(*trace, static_cast<Index>(layer), layers[layer]) < kTolerance);
}

} // namespace

TEST_CASE("gpt-nano-sort attends as it should") {
    checkGolden("gpt-nano-sort", "sequence");
}

TEST_CASE("english-lm attends as it should") {
    checkGolden("english-lm", "input_ids");
}
