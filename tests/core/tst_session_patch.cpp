// The difference of two states has no unnecessary fields. The round trips of tst_session_writer and
// tst_state_fields show that it is complete.
#include "core/formats/session/data/session.h"
#include "core_test.h"
#include "fixture.h"

TEST_CASE("no difference is an empty patch, and one changed cell is one cell") {
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
