// Each row of the parameter table has the right name, place, sizes and condition. Compared with
// random_transformers.h, which does not use the table.
#include "core/transformer/model/parameter_table.h"
#include "core/transformer/plan/plan.h"
#include "core_test.h"
#include "random_transformers.h"

namespace {

using K = ParameterKind;

constexpr Index kWords = 21;

/// Draws parameters with an encoder, sometimes with cross-attention.
ModelParameters drawn(Random &random, const Config &config) {
    const bool crosses = oneIn(random, 2);
    return WeightsDraw(random, config)
        .weights(2, crosses ? 1 : 0, crosses, kWords, oneIn(random, 2));
}

std::set<K> kindsIn(const ModelParameters &weights) {
    std::set<K> kinds;
    for (const ParameterId &id : allParameters(weights))
        if (parameterOf(weights, id))
            kinds.insert(id.which);
    return kinds;
}

ModelParameters everyPlace() {
    ModelParameters weights;
    weights.main.layers.resize(3);
    weights.encoder.layers.resize(2);
    return weights;
}

} // namespace

TEST_CASE("every parameter has one row, one place and one name") {
    const ModelParameters all = everyPlace();
    const std::vector<ParameterId> ids = allParameters(all);
    std::map<K, int> count;
    std::set<std::string> names;
    std::set<const Parameter *> places;
    for (const ParameterId &id : ids) {
        const std::string name = nameOf(id);
        CAPTURE(name);
        ++count[id.which];
        names.insert(name);
        places.insert(&parameterOf(all, id));
        CHECK(findParameter(name) == id);
        CHECK(infoOf(id.which).kind == id.which);
        CHECK(findInfo(partOf(id.which), infoOf(id.which).name) == &infoOf(id.which));
    }
    CHECK(names.size() == ids.size());
    CHECK(places.size() == ids.size());
    CHECK(std::set(ids.begin(), ids.end()).size() == ids.size());
    CHECK(count.size() == parameterTable().size());
    std::size_t rows = 0;
    for (const ParameterPart part : {ParameterPart::Attention, ParameterPart::FeedForward,
                                     ParameterPart::Stack, ParameterPart::OutputLayer}) {
        rows += parametersOf(part).size();
        for (const ParameterInfo &info : parametersOf(part)) {
            CHECK(info.part() == part);
            // 3 layers and 2 encoder layers with two attention modules each, in two stacks.
            const int times = part == ParameterPart::Attention     ? 10
                              : part == ParameterPart::FeedForward ? 5
                              : part == ParameterPart::Stack       ? 2
                                                                   : 1;
            CHECK(count[info.kind] == times);
        }
    }
    CHECK(rows == parameterTable().size());
}

TEST_CASE("a model may have a parameter if one of many drawn models has it") {
    Random random(7);
    std::set<K> seen;
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        Config config = randomTransformerConfig(random);
        if (round % 3 == 0)
            config = withExperts(random, config);
        std::set<K> kinds; // kinds that can be drawn for this config
        for (int time = 0; time < 40; ++time)
            kinds.merge(kindsIn(drawn(random, config)));
        for (const ParameterInfo &info : parameterTable()) {
            CAPTURE(info.name);
            CHECK(info.hasPlace(config) == kinds.contains(info.kind));
        }
        seen.merge(kinds);
    }
    CHECK(seen.size() == parameterTable().size());
}

TEST_CASE("drawn models that project first have windows and chunks") {
    Random random(11);
    std::set<bool> kinds;
    for (int round = 0; round < 600; ++round)
        if (const Config config = randomTransformerConfig(random);
            config.projectsFirst && !config.windows.empty())
            kinds.insert(config.chunkedWindows);
    CHECK(kinds == std::set<bool>{false, true});
}

TEST_CASE("a parameter is required if every drawn model with a place for it has it") {
    Random random(8);
    // Parameters that may be missing. Without embeddings, words have their own vectors. Without
    // W_O, the heads are only concatenated. Without an output matrix, the embeddings are used. Only
    // self-attention has parameters of distances.
    std::set<K> optional{K::Embeddings, K::Output, K::OutputMatrix, K::PositionKey,
                         K::PositionQuery};
    for (int round = 0; round < 600; ++round) {
        Config config = randomTransformerConfig(random);
        if (round % 3 == 0)
            config = withExperts(random, config);
        config.feedForward.denseLayers = config.feedForward.denseWidth = 0;
        config.feedForward.expertLayers.clear();
        const std::set<K> kinds = kindsIn(drawn(random, config));
        for (const ParameterInfo &info : parameterTable()) {
            CAPTURE(info.name);
            if (!info.hasPlace(config) || kinds.contains(info.kind))
                continue;
            CHECK_FALSE(info.isRequired);
            optional.insert(info.kind);
        }
    }
    for (const ParameterInfo &info : parameterTable()) {
        CAPTURE(info.name);
        CHECK(info.isRequired == !optional.contains(info.kind));
    }
}

TEST_CASE("sizes match the drawn models") {
    Random random(9);
    std::map<K, std::set<Index>> rows;
    for (int round = 0; round < 600; ++round) {
        Config config = randomTransformerConfig(random);
        if (round % 3 == 0)
            config = withExperts(random, config);
        const ModelParameters weights = drawn(random, config);
        for (const ParameterId &id : allParameters(weights)) {
            const Parameter &parameter = parameterOf(weights, id);
            if (!parameter)
                continue;
            CAPTURE(nameOf(id));
            const ParameterInfo &info = infoOf(id.which);
            const Config own = configFor(config, id);
            const Index wanted = info.rows(own, kWords);
            CHECK(parameter->columns() == info.columns(own, kWords));
            if (wanted != kAnyRows)
                CHECK(parameter->rows() == wanted);
            CHECK((wanted == kAnyRows) == (id.which == K::Positions || id.which == K::TokenTypes));
            CHECK(hasWhatItIsBeside(weights, id));
            rows[id.which].insert(parameter->rows());
        }
    }
    for (const ParameterInfo &info : parameterTable()) {
        CAPTURE(info.name);
        if (info.isRow())
            CHECK(rows[info.kind] == std::set<Index>{1});
    }
}

TEST_CASE("a parameter has a block per head if its size is that of all heads together") {
    Random random(10);
    std::vector<Config> configs;
    for (int round = 0; round < 50; ++round)
        configs.push_back(randomTransformerConfig(random));
    const auto always = [&configs](ParameterInfo::Size size, const auto &together) {
        return std::ranges::all_of(configs, [&](const Config &config) {
            return size(config, kWords) == together(config);
        });
    };
    const auto queries = [](const Config &config) { return config.heads * config.headSize; };
    const auto keys = [](const Config &config) { return config.groups() * config.ownKeySize(); };
    const auto values = [](const Config &config) { return config.groups() * config.valueWidth(); };
    const auto contexts = [](const Config &config) { return config.heads * config.valueWidth(); };
    for (const ParameterInfo &info : parameterTable()) {
        CAPTURE(info.name);
        CHECK((info.blocks == HeadBlocks::Rows) == always(info.rows, contexts));
        CHECK((info.blocks == HeadBlocks::Columns) == always(info.columns, queries));
        CHECK((info.blocks == HeadBlocks::GroupColumns) ==
              (always(info.columns, keys) || always(info.columns, values)));
    }
}

TEST_CASE("a name determines the kind of parameter and the parameter that it depends on") {
    for (const ParameterInfo &info : parameterTable()) {
        CAPTURE(info.name);
        const std::string name(info.name);
        const ParameterForm form =
            name.ends_with("norm_gain")   ? ParameterForm::NormGain
            : name.ends_with("norm_bias") ? ParameterForm::NormBias
            : (name.ends_with("_bias") && info.kind != K::PositionBias) || info.kind == K::Sinks
                ? ParameterForm::Bias
                : ParameterForm::Matrix;
        CHECK(info.form == form);
        if (form == ParameterForm::Bias) {
            const ParameterInfo *matrix =
                info.kind == K::Sinks ? &infoOf(K::Query)
                : info.kind == K::RouterChoiceBias
                    ? &infoOf(K::Router)
                    : findInfo(info.part(), name.substr(0, name.size() - 5));
            CHECK(info.beside == (matrix ? std::optional(matrix->kind) : std::nullopt));
        }
        if (info.beside)
            CHECK(partOf(*info.beside) == info.part());
        if (info.isOfNorm())
            CHECK(
                info.beside.has_value() ==
                (info.part() != ParameterPart::Stack)); // stack norms depend on no other parameter
    }
}

TEST_CASE("parameters after the layers are those that the plan uses after them") {
    Random random(11);
    std::set<K> used;
    for (int round = 0; round < 300; ++round) {
        const Model model = randomTransformer(random, round % 3 == 0);
        const Plan plan = planOf(model, randomTransformerInput(random, model));
        for (StepId step = 0; step < plan.size(); ++step)
            for (const ParameterSlice &slice : plan[step].parameters) {
                CAPTURE(nameOf(slice.id));
                CHECK(infoOf(slice.id.which).isAfterLayers ==
                      (plan[step].at.stage == Stage::FinalNorm));
                used.insert(slice.id.which);
            }
    }
    CHECK(used.size() == parameterTable().size());
}
