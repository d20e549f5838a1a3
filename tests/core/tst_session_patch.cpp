// The difference of two states, applied to the first, gives the second exactly, and is as short as
// possible.
#include "core/formats/session/data/session.h"
#include "core/transformer/model/parameter_table.h"
#include "core_test.h"
#include "random_models.h"

namespace {

/// Changes numbers, masks, interventions and switches, but no sizes.
void changeSome(Random &random, Session &session) {
    Config &config = session.model.config;
    for (std::size_t layer = 0; layer < session.model.parameters.main.layers.size(); ++layer)
        for (const ParameterInfo &info : parametersOf(ParameterPart::Attention)) {
            Parameter &parameter =
                parameterOf(session.model.parameters, {static_cast<Index>(layer), info.kind});
            if (!parameter || oneIn(random, 2))
                continue;
            Matrix matrix = *parameter->toMatrix();
            for (Index count = between(random, 1, 2 * matrix.rows()); count > 0; --count)
                matrix(between(random, 0, matrix.rows() - 1),
                       between(random, 0, matrix.columns() - 1)) =
                    static_cast<float>(random.normal());
            parameter = makeParameter(std::move(matrix));
        }
    if (oneIn(random, 2))
        config.masking = randomMasking(random);
    if (oneIn(random, 2))
        config.softmax = !config.softmax;
    if (oneIn(random, 2))
        config.temperature += 1;
    if (oneIn(random, 2))
        session.input.masks = randomMasks(random, session.input.batch->length());
    if (oneIn(random, 2))
        session.input.interventions =
            randomInterventions(random, session.model, *session.input.batch);
    if (oneIn(random, 3)) {
        session.input.batch = randomInput(random, session.model).batch;
        session.input.interventions = {};
    }
}

void checkSame(const Session &a, const Session &b) {
    CHECK(a.model.config == b.model.config);
    CHECK(a.input.masks == b.input.masks);
    CHECK(a.input.interventions == b.input.interventions);
    CHECK(*a.input.batch == *b.input.batch);
    for (std::size_t layer = 0; layer < a.model.parameters.main.layers.size(); ++layer)
        for (const ParameterInfo &info : parametersOf(ParameterPart::Attention)) {
            const ParameterId id{static_cast<Index>(layer), info.kind};
            const Parameter &one = parameterOf(a.model.parameters, id);
            const Parameter &other = parameterOf(b.model.parameters, id);
            REQUIRE((one == nullptr) == (other == nullptr));
            if (one)
                CHECK(*one->toMatrix() == *other->toMatrix());
        }
}

} // namespace

TEST_CASE("the difference laid over the base is the state") {
    Random random(31);
    for (int trial = 0; trial < 200; ++trial) {
        CAPTURE(trial);
        Session base;
        base.model = randomModel(random);
        base.input = randomInput(random, base.model);
        Session state = base;
        changeSome(random, state);
        const auto made = valueOf(patched(base, differenceOf(base, state.model, state.input)));
        checkSame(made, state);
    }
}

TEST_CASE("no difference is an empty patch, and one cell is said as one cell") {
    Session base;
    base.model = smallModel();
    base.input = inputOf({"a b"});
    CHECK(differenceOf(base, base.model, base.input).parameters.empty());
    Model edited = base.model;
    Matrix matrix = *edited.parameters.main.layers[0].selfAttention.key->toMatrix();
    matrix(2, 1) = 7;
    edited.parameters.main.layers[0].selfAttention.key = makeParameter(std::move(matrix));
    const StatePatch patch = differenceOf(base, edited, base.input);
    REQUIRE(patch.parameters.size() == 1);
    CHECK(patch.parameters[0].id == ParameterId{0, ParameterKind::Key});
    REQUIRE(patch.parameters[0].cells.size() == 1);
    CHECK(patch.parameters[0].cells[0].value == 7);
    CHECK(!patch.parameters[0].whole);
}
