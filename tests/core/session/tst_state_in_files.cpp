// Every change that the user can make is saved and read again: each field of the state, in every
// session that has it.
#include "core/formats/session/writing/writer.h"
#include "core/transformer/model/parameter_table.h"
#include "support.h"
#include "tests/support/other_values.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

template <typename Field>
bool isThere(const Session &, const Field &) {
    return true;
}
bool isThere(const Session &session, const WordsField &field) {
    return valueIn(session, field) != nullptr;
}
bool isThere(const Session &session, const ParametersField &field) {
    return parameterOf(valueIn(session, field), headlight::test::kOtherParameter) != nullptr;
}

Session below(const Session &session) {
    const Result<Session> state = session.lesson ? atStep(session, 0) : session;
    REQUIRE(state);
    return *state;
}

/// Checks that a changed field survives saving. Returns false if this session does not have it.
template <typename Field>
bool isReadAsWritten(const Session &session, const Field &field) {
    const Session base = below(session);
    if (!isThere(base, field))
        return false;
    Session after = base;
    valueIn(after, field) = headlight::test::other(valueIn(base, field));
    dropWithoutPlace(after.model.parameters, after.model.config);
    if (!Computable::of(after.model, after.input))
        return false;
    const SavedState now{0, differenceOf(base, after.model, after.input), {}, {}};
    const Result<Session> again = readSession(writeSession(session, now));
    if (!again)
        return false; // e.g. masks of a missing encoder
    REQUIRE(again->now);
    const Result<Session> left = patched(below(*again), again->now->set);
    REQUIRE(left);
    CHECK(differenceOf(*left, after.model, after.input) == StatePatch());
    return true;
}

} // namespace

TEST_CASE("every field of the state is read as it was written") {
    std::vector<Session> sessions;
    for (const std::string &path : sessionFiles())
        sessions.push_back(read(contentOf(path)));
    forEachField(kStateFields, [&sessions](const auto &field) {
        CAPTURE(std::string(field.name));
        int had = 0;
        for (const Session &session : sessions)
            had += isReadAsWritten(session, field);
        CHECK(had > 0);
    });
}
