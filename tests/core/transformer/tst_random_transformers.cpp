// Invariants of all transformers and texts, checked on hundreds of random ones.
#include "changed_transformers.h"
#include "core/analysis/attention_row_properties.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/plan/model_stages.h"
#include "core_test.h"

namespace {

constexpr int kTrials = 500;

struct Drawn {
    Model model;
    Input input;
};

Drawn drawn(Random &random) {
    Drawn made{randomTransformer(random), {}};
    made.input = randomTransformerInput(random, made.model);
    if (oneIn(random, 3))
        made.input.interventions = randomTransformerInterventions(random, made.model, made.input);
    if (oneIn(random, 3))
        made.input.batch = made.input.batch->withEmbeddings(
            0, randomMatrix(random, made.input.batch->length(), made.model.config.tokenWidth()));
    return made;
}

/// Returns the same vectors, with padding in place of the first sequence's last token.
BatchPointer withFewerReal(const Batch &batch) {
    std::vector<std::vector<std::string>> words;
    for (const Sequence &sequence : batch.sequences())
        words.push_back(textsOf(sequence.tokens));
    if (batch[0].length > 1)
        words[0][static_cast<std::size_t>(batch[0].length) - 1] = "[PAD]";
    const BatchPointer fewer = *Batch::ofWords(std::move(words), batch.length());
    return batch[0].embeddings ? fewer->withEmbeddings(0, batch[0].embeddings) : fewer;
}

double largestOf(const Tensor &tensor) {
    double largest = 1;
    for (const float value : tensor.values())
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

/// Returns the largest difference, relative to the tensor's size. Equal infinities do not differ.
double difference(const Tensor &a, const Tensor &b) {
    REQUIRE(a.shape() == b.shape());
    double largest = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        if (a.values()[i] != b.values()[i])
            largest = std::max(largest, std::abs(static_cast<double>(a.values()[i]) -
                                                 static_cast<double>(b.values()[i])));
    return largest / largestOf(b);
}

void checkSameNumbers(const Trace &edited, const Trace &fresh) {
    REQUIRE(edited.names() == fresh.names());
    for (const std::string &name : fresh.names()) {
        CAPTURE(name);
        REQUIRE(difference(edited.stage(name), fresh.stage(name)) == 0);
    }
}

/// Returns null if the numbers overflow, which happens in layers without a norm.
TracePointer traceOfRun(const Model &model, const Input &input,
                        const TracePointer &previous = nullptr,
                        Detail detail = Detail::Everything) {
    const auto trace = forward(model, input, previous, {}, detail);
    if (trace)
        return *trace;
    REQUIRE(trace.error().what == "the values overflow 32-bit floats");
    return nullptr;
}

void checkWeights(const Trace &trace, AttentionId attention) {
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index h = 0; h < trace.model().headsOf(attention.stack); ++h) {
            const SharedMatrix weights = trace.matrix(Stage::AttentionWeights, attention, b, h);
            const AttentionRowProperties weighting = weightingOf(trace, attention, h);
            for (Index i = 0; i < weights.rows; ++i) {
                double sum = 0;
                for (Index j = 0; j < weights.columns; ++j) {
                    const bool isHidden = trace.mask(b, attention).hidden(i, j);
                    const auto visible =
                        static_cast<float>(trace.mask(b, attention).visibleKeys(i));
                    if (!weighting.mayBeNegative)
                        REQUIRE(weights(i, j) >= 0);
                    if (isHidden && weighting.hidesWholly)
                        REQUIRE(weights(i, j) == 0);
                    if (weighting.isUniform)
                        REQUIRE(weights(i, j) == (isHidden ? 0 : 1 / visible));
                    sum += static_cast<double>(weights(i, j));
                }
                if (seesNothing(trace, b, attention, h, i))
                    REQUIRE(sum == 0);
                else if (weighting.sumsToOne)
                    REQUIRE(std::abs(sum - 1) < 1e-6);
            }
        }
}

/// Checks Σ_h head_outputs + bias = output.
void checkHeadOutputs(const Trace &trace, AttentionId attention) {
    const Tensor parts = trace.stage(Stage::HeadOutputs, attention);
    const Tensor output = trace.stage(Stage::Output, attention);
    const Parameter &bias = trace.model().attentionParameters(attention).outputBias;
    const double size = std::max(largestOf(output), largestOf(parts));
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index t = 0; t < output.shape()[1]; ++t)
            for (Index c = 0; c < output.shape()[2]; ++c) {
                double sum = bias ? static_cast<double>((*bias)(0, c)) : 0;
                for (Index h = 0; h < trace.model().headsOf(attention.stack); ++h)
                    sum += static_cast<double>(parts.matrix(b, h)(t, c));
                REQUIRE(std::abs(sum - static_cast<double>(output.matrix(b)(t, c))) <= 2e-6 * size);
            }
}

} // namespace

TEST_CASE("no NaN, rows sum to 1, heads sum to the output, and stages have their declared shapes") {
    Random random(20261120);
    for (int trial = 0; trial < kTrials; ++trial) {
        CAPTURE(trial);
        auto [model, input] = drawn(random);
        model.config.softmax = !oneIn(random, 4);
        const TracePointer trace = traceOfRun(model, input);
        if (!trace)
            continue;
        std::vector<std::string> expected;
        const Plan plan = planOf(model, input);
        for (const StageId &at : stagesOf(model)) {
            expected.push_back(stageName(at.stage, at.attention));
            CAPTURE(expected.back());
            const Tensor tensor = trace->stage(at.stage, at.attention);
            REQUIRE_FALSE(tensor.isNull());
            REQUIRE(tensor.shape() == plan[*plan.find(at)].shape);
            REQUIRE(findStageAnywhere(expected.back()).has_value());
            for (const float value : tensor.values())
                REQUIRE_FALSE(std::isnan(value));
        }
        REQUIRE(trace->names() == expected);
        for (const AttentionId attention : model.attentions()) {
            checkWeights(*trace, attention);
            checkHeadOutputs(*trace, attention);
        }
        if (trace->has(Stage::Probabilities)) {
            const Tensor probabilities = trace->stage(Stage::Probabilities);
            for (Index b = 0; b < input.batch->count(); ++b)
                for (Index t = 0; t < input.batch->length(); ++t) {
                    double sum = 0;
                    for (const float p : probabilities.view(b).row(t))
                        sum += static_cast<double>(p);
                    REQUIRE(std::abs(sum - 1) < 1e-6);
                }
        }
    }
}

TEST_CASE("an edit gives what a run from scratch would give") {
    Random random(77);
    for (int trial = 0; trial < kTrials; ++trial) {
        CAPTURE(trial);
        auto [model, input] = drawn(random);
        const auto anyDetail = [&] { return oneIn(random, 2) ? Detail::Everything : Detail::Ends; };
        TracePointer trace = traceOfRun(model, input, nullptr, anyDetail());
        Drawn before{model, input};
        for (int edit = 0; edit < 3 && trace; ++edit) {
            const Drawn now{model, input};
            switch (random.next() % 12) {
            case 0:
            case 1:
            case 2: { // changes one number of one parameter
                std::vector<ParameterId> there;
                for (const ParameterId &id : allParameters(model.parameters))
                    if (parameterOf(model.parameters, id))
                        there.push_back(id);
                Parameter &parameter =
                    parameterOf(model.parameters, there[random.next() % there.size()]);
                Matrix changed = *parameter->toMatrix();
                changed(between(random, 0, changed.rows() - 1),
                        between(random, 0, changed.columns() - 1)) += 0.5f;
                parameter = makeParameter(std::move(changed));
                break;
            }
            case 3:
                input.interventions = randomTransformerInterventions(random, model, input);
                break;
            case 4:
                input.masks = randomMasks(random, input.batch->length());
                if (input.source) {
                    input.crossMasks = randomMasks(random, input.source->length());
                    input.encoderMasks = randomMasks(random, input.source->length());
                }
                break;
            case 5: {
                const Input other = randomTransformerInput(random, model);
                if (other.batch->count() != input.batch->count())
                    break;
                if (oneIn(random, 2))
                    input.batch = other.batch;
                else
                    input.source = other.source;
                input.interventions = {};
                break;
            }
            case 6:
                input.interventions = {};
                takeOutPart(random, model, input);
                break;
            case 7:
                input.batch = withFewerReal(*input.batch);
                break;
            case 8: // undoes all changes, for example of the removed part
                std::tie(model, input) = std::tie(before.model, before.input);
                break;
            default:
                input.interventions = {};
                turnSwitch(random, model);
            }
            before = now;
            const TracePointer next = traceOfRun(model, input, trace, anyDetail());
            const TracePointer fresh = traceOfRun(model, input);
            if (next && fresh)
                checkSameNumbers(*next, *fresh);
            trace = next;
        }
    }
}

TEST_CASE("one layer at a time gives the same as all at once, and can be edited as well") {
    Random random(4242);
    int compared = 0;
    for (int trial = 0; trial < 200; ++trial) {
        CAPTURE(trial);
        auto [model, input] = drawn(random);
        const TracePointer ends = traceOfRun(model, input, nullptr, Detail::Ends);
        if (!ends)
            continue;
        ++compared;
        REQUIRE_FALSE(ends->isWhole());
        checkSameNumbers(*ends, *traceOf(model, input));
        const ParameterId id{0, ParameterKind::Value, model.attentions().back().block, Stack::Main};
        Matrix changed = *parameterOf(model.parameters, id)->toMatrix();
        changed(0, 0) += 1;
        parameterOf(model.parameters, id) = makeParameter(std::move(changed));
        if (const TracePointer edited = traceOfRun(model, input, ends, Detail::Ends))
            checkSameNumbers(*edited, *traceOf(model, input));
    }
    CHECK(compared > 180);
}
