// Every field of the published schema, alone and in pairs, with valid and invalid values: gives an
// error message or a session, and never crashes. New fields are covered automatically.
#include "core/checks/session_check.h"
#include "core/formats/session/writing/writer.h"
#include "core/transformer/model/parameter_table.h"
#include "core_test.h"
#include "schema_samples.h"
#include "support.h"
#include "tests/support/long.h"

#include <regex>

namespace {

using Pointer = SchemaSamples::Pointer;

const Json &schema() {
    static const Json read =
        Json::parse(contentOf(std::string(HEADLIGHT_DOCS) + "/session-file.schema.json"));
    return read;
}

const SchemaSamples &samples() {
    static const SchemaSamples all(schema());
    return all;
}

Json smallestSession() {
    return Json::parse(R"({"headlight": 1, "batch": {"sequences": [{"text": "money bank"}]},
        "model": {"width": 2, "heads": 1, "head_size": 2, "layers": [{"self_attention": {
            "query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1}}}]}})");
}

/// Returns true if the document is a session. Also writes it and reads it again.
bool judged(const Json &document) {
    const std::string json = document.dump();
    const auto session = readSession(json);
    if (!session) {
        CHECK_FALSE(session.error().what.empty());
        CHECK(session.error().text().find('\n') == std::string::npos);
        return false;
    }
    if (!session->capture) // a capture's model and input are loaded later
        CHECK(Computable::of(session->model, session->input));
    const auto again = readSession(writeSession(*session, session->now.value_or(SavedState())));
    CHECK_MESSAGE(again, (again ? "" : again.error().text()));
    return true;
}

const std::vector<Json> &wrongValues() {
    static const std::vector<Json> all{nullptr,       false,         -7, 1e300, "wrong",
                                       Json::array(), Json::object()};
    return all;
}

} // namespace

TEST_CASE("every field alone, with good values and bad ones") {
    const std::vector<Json> bases{smallestSession(), Json::parse(R"({"headlight": 1})")};
    const Json rich = smallSession();
    CHECK(samples().fields().size() > 150);
    std::size_t good = 0, refused = 0;
    for (const SchemaSamples::Field &field : samples().fields()) {
        CAPTURE(field.place.to_string());
        std::vector<Json> values = field.values;
        values.insert(values.end(), wrongValues().begin(), wrongValues().end());
        for (const Json &value : values)
            for (const Json &base : bases) {
                CAPTURE(value.dump());
                ++(judged(SchemaSamples::with(base, field.place, value)) ? good : refused);
            }
        judged(SchemaSamples::with(rich, field.place, "wrong"));
    }
    CHECK(good > 100);
    CHECK(refused > 500);
}

TEST_CASE("pairs: any field, valid or not, with any that sets sizes or positions of others") {
    std::istringstream names(
        "/model/layer_count /model/width /model/heads /model/head_size /model/layers "
        "/model/encoder /model/encoder/layer_count /model/encoder/layers /model/positions "
        "/model/head /model/norm /model/vocabulary /model/feed_forward /source /batch "
        "/interventions /view /view/stack /view/layer /view/block /lesson /lesson/steps /now "
        "/now/set /now/show /model/layers/0/cross_attention");
    const std::set<std::string> deciding{std::istream_iterator<std::string>(names), {}};
    std::size_t tried = 0, turn = 0;
    for (const SchemaSamples::Field &one : samples().fields()) {
        if (!deciding.contains(one.place.to_string()))
            continue;
        for (const SchemaSamples::Field &other : samples().fields()) {
            const std::string place = other.place.to_string();
            if (std::ranges::count(place, '/') > 4)
                continue; // e.g. the seed of a head's random matrix
            if (!headlight::test::isTried(turn++, 4))
                continue;
            CAPTURE(one.place.to_string());
            CAPTURE(other.place.to_string());
            for (const Json &value : {one.values.front(), Json("wrong")}) {
                const Json first = SchemaSamples::with(smallestSession(), one.place, value);
                for (const Json &bad : {Json("wrong"), other.values.back()}) {
                    judged(SchemaSamples::with(first, other.place, bad));
                    ++tried;
                }
            }
        }
    }
    CHECK(tried > deciding.size() * 30);
}

TEST_CASE("a wrong view is left out, and the session is read") {
    for (const SchemaSamples::Field &field : samples().fields()) {
        const std::string place = field.place.to_string();
        for (const char *view : {"/view", "/lesson/steps/0/show", "/now/show"}) {
            if (!place.starts_with(view))
                continue;
            CAPTURE(place);
            for (const Json &value : wrongValues())
                CHECK(judged(Json::parse(with(place, value))));
            for (const Json &value :
                 {Json(1048576), Json("decoder"), Json("cross"), Json("logits")})
                CHECK(judged(Json::parse(with(place, value))));
        }
    }
}

TEST_CASE("no field of the schema is unknown, and any other one is") {
    const auto unknownIn = [](const Json &document) {
        std::set<std::string> places;
        for (const Warning &warning : inspectSession(document.dump()).warnings)
            if (warning.what.text().find("unknown field") != std::string::npos)
                places.insert(warning.where);
        for (const Error &problem : checkSession(document.dump()))
            if (problem.what.text().find("unknown field") != std::string::npos)
                places.insert(problem.where);
        return places;
    };
    std::size_t objects = 0;
    const std::vector<Json> bases{smallestSession(), smallSession()};
    for (const SchemaSamples::Field &field : samples().fields())
        for (const Json &value : field.values)
            for (const Json &base : bases) {
                const Json document = SchemaSamples::with(base, field.place, value);
                CAPTURE(document.dump());
                // Some mask fields apply to only one kind of mask.
                if (field.place.to_string().find("masks/") == std::string::npos)
                    CHECK(unknownIn(document).empty());
                if (!value.is_object() || !readSession(document.dump()))
                    continue;
                const Json odd =
                    SchemaSamples::with(document, field.place / "never_a_field", Json(1));
                const bool isNames = field.place.back() == "words";
                if (!isNames && readSession(odd.dump())) {
                    ++objects;
                    CHECK(unknownIn(odd).size() == 1);
                }
            }
    CHECK(objects > 20);
}

TEST_CASE("the schema knows the name of every parameter") {
    const std::regex names(schema()
                               .at(Pointer("/$defs/parameterPatch/properties/parameter/pattern"))
                               .get<std::string>());
    ModelParameters weights;
    weights.main.layers.resize(1);
    weights.encoder.layers.resize(1);
    for (const ParameterId &id : allParameters(weights)) {
        CAPTURE(nameOf(id));
        CHECK(std::regex_match(nameOf(id), names));
    }
}
