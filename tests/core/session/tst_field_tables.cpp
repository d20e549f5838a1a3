// Every row of every field table: valid and invalid values, a missing and a misspelt field, and
// writing. The values come from the row's schema, so new rows are tested automatically.
#include "core/formats/json/reader.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/fields/schema.h"
#include "core_test.h"
#include "support.h"

namespace {

const Json &published() {
    static const Json read = Json::parse(sessionSchema());
    return read;
}

const Json &resolved(const Json &given) {
    const Json *at = &given;
    while (at->contains("$ref"))
        at = &published()[Json::json_pointer((*at)["$ref"].get<std::string>().substr(1))];
    return *at;
}

struct Values {
    std::vector<Json> good, bad;
};

Values valuesOf(const Json &given);

Json objectOf(const Json &given) {
    Json object = Json::object();
    if (given.contains("required"))
        for (const Json &name : given["required"])
            object[name.get<std::string>()] =
                valuesOf(given["properties"][name.get<std::string>()]).good.front();
    return object;
}

void addNumbers(const Json &given, Values &values) {
    const auto next = [](float number, float to) { return std::nextafter(number, to); };
    constexpr float kFar = std::numeric_limits<float>::infinity();
    const bool isAbove = given.contains("exclusiveMinimum");
    const bool isBelow = given.contains("exclusiveMaximum");
    const auto least = given[isAbove ? "exclusiveMinimum" : "minimum"].get<float>();
    const auto most = given[isBelow ? "exclusiveMaximum" : "maximum"].get<float>();
    values.good = {isAbove ? next(least, kFar) : least, isBelow ? next(most, -kFar) : most};
    values.bad = {-3.5e38, 3.5e38};
    if (isAbove || least > std::numeric_limits<float>::lowest())
        values.bad.push_back(isAbove ? least : next(least, -kFar));
    if (isBelow || most < std::numeric_limits<float>::max())
        values.bad.push_back(isBelow ? most : next(most, kFar));
}

void addTexts(const Json &given, Values &values) {
    values.good = {given.contains("pattern") ? "7" : "a"};
    if (given.value("minLength", 0) > 0)
        values.bad.push_back("");
    if (given.contains("maxLength")) {
        const auto most = given["maxLength"].get<std::size_t>();
        values.good.push_back(std::string(most, 'a'));
        values.bad.push_back(std::string(most + 1, 'a'));
    }
}

void addLists(const Json &given, Values &values) {
    const Values elements = valuesOf(given["items"]);
    const std::size_t least = given.value("minItems", std::size_t(0));
    const std::size_t most = given.value("maxItems", std::size_t(300));
    values.good = {Json(std::max<std::size_t>(least, 1), elements.good.front()),
                   Json(most, elements.good.back())};
    if (least > 0)
        values.bad.push_back(Json(least - 1, elements.good.front()));
    if (given.contains("maxItems"))
        values.bad.push_back(Json(most + 1, elements.good.front()));
    for (const Json &bad : elements.bad)
        values.bad.push_back(Json(std::max<std::size_t>(least, 1), bad));
}

/// Returns values at the limits of a schema, and values just outside.
Values valuesOf(const Json &unresolved) {
    const Json &given = resolved(unresolved);
    Values values;
    if (given.contains("oneOf") || given.contains("allOf")) {
        const bool isChoice = given.contains("oneOf");
        for (const Json &one : given[isChoice ? "oneOf" : "allOf"])
            for (const Json &value : valuesOf(one).good)
                values.good.push_back(value);
        return values;
    }
    if (given.contains("enum") || given.contains("const")) {
        values.good = given.contains("enum") ? given["enum"].get<std::vector<Json>>()
                                             : std::vector<Json>{given["const"]};
        values.bad = {"never a word"};
        return values;
    }
    const std::string type = given.value("type", "");
    if (type == "integer") {
        const auto least = given["minimum"].get<std::int64_t>();
        const auto most = given["maximum"].get<std::int64_t>();
        values.good = {least, most};
        values.bad = {least - 1, 2 * (most + 1), 0.5 + static_cast<double>(least)};
    } else if (type == "number") {
        addNumbers(given, values);
    } else if (type == "string") {
        addTexts(given, values);
    } else if (type == "boolean") {
        values.good = {true, false};
    } else if (type == "null") {
        values.good = {nullptr};
    } else if (type == "array") {
        addLists(given, values);
    } else {
        values.good = {objectOf(given)};
    }
    return values;
}

/// Returns a value of each JSON type that the schema does not allow.
std::vector<Json> wrongTypesOf(const Json &unresolved) {
    const std::vector<Json> good = valuesOf(unresolved).good;
    std::vector<Json> wrong;
    for (const Json &value : {Json(nullptr), Json(true), Json(0.25), Json("never a word"),
                              Json::array({Json()}), Json::object()}) {
        const auto isOfType = [&](const Json &other) {
            return other.type() == value.type() || (other.is_number() && value.is_number());
        };
        if (std::ranges::none_of(good, isOfType))
            wrong.push_back(value);
    }
    return wrong;
}

/// The value read from an object, with its problems and warnings.
template <typename T>
struct Read {
    T value{};
    Reading reading{};
    bool isGood = false;
    std::vector<Warning> unknown{};

    explicit Read(const Json &object) {
        static const Session base = read(smallSession().dump());
        reading.base = &base;
        const auto document = valueOf(readJson(object.dump()));
        isGood = readInto(Field(&document, "", reading), value);
        unknown = reading.asked.unknownIn(document, 9);
    }
    /// True if a problem or a warning is at the field.
    bool reports(const std::string &name) const {
        const auto isThere = [&](const auto &finding) { return finding.where.starts_with(name); };
        return std::ranges::any_of(reading.problems, isThere) ||
               std::ranges::any_of(reading.warnings, isThere);
    }
};

template <typename T>
std::string textOfRow(const FieldRow<T> &row, const T &value) {
    return row.write && (row.isSet(value) || !row.mayBeUnset) ? row.write(value, {}) : "";
}

/// Returns valid and invalid values for a row of a field table. Its schema does not list the names
/// of stages.
Values valuesOfRow(const FieldInfo &row) {
    if (row.name == "stage")
        return {{"scores", "weights"}, {"never a stage"}};
    return valuesOf(Json::parse(row.schema));
}

template <typename T>
struct TableTest {
    const FieldTable<T> &table = Fields<T>::table();
    Json least = Json::object(); ///< only the required fields

    TableTest() {
        for (const FieldRow<T> &row : table.rows)
            if (row.isRequired && row.read)
                least[row.name] = valuesOfRow(row).good.front();
    }

    Json with(const std::string &name, const Json &value) const {
        Json object = least;
        object[name] = value;
        return object;
    }

    void checkGood(const FieldRow<T> &row, const Json &value) const {
        const Read<T> read(with(row.name, value));
        CHECK(read.isGood);
        CHECK(read.reading.problems.empty());
        CHECK(read.reading.warnings.empty());
        CHECK(read.unknown.empty());
        // Null also clears other fields, and objects have separate tables.
        if (value.is_null() || value.is_object())
            return;
        checkOthers(row, read.value);
        if (!value.is_array())
            checkWord(row, read.value);
        CHECK(readJson(textOfRow(row, read.value)));
        const Json text = Json::parse(textOfRow(row, read.value));
        if (value.is_number_float())
            CHECK(text.get<float>() == value.get<float>());
        else if (value == std::string(kFormerWholeId))
            CHECK(text == std::string(idOf(View::Whole)));
        else if (!value.is_array() && row.name != "seed" && row.name != "stage")
            CHECK(text == value);
        // Reading the written object again gives the same value, and only defaults are omitted.
        const Json again = Json::parse(written(read.value));
        CHECK((again.contains(row.name) || !row.isSet(read.value)));
        Json whole = least;
        whole.update(again);
        CHECK(written(Read<T>(whole).value) == written(read.value));
    }

    /// A field changes its own member of the value, and no other.
    void checkOthers(const FieldRow<T> &row, const T &value) const {
        const Read<T> usual(least);
        for (const FieldRow<T> &other : table.rows)
            if (other.name != row.name) {
                CAPTURE(other.name);
                CHECK(textOfRow(other, value) == textOfRow(other, usual.value));
            }
    }

    /// Reading the text that is written for a value gives the value again, also outside JSON.
    void checkWord(const FieldRow<T> &row, const T &value) const {
        if (textOfRow(row, value).empty())
            return;
        T again{};
        CHECK(readWord(row, wordOf(row, value), again).ok());
        CHECK(textOfRow(row, again) == textOfRow(row, value));
    }

    void checkBad(const FieldRow<T> &row, const Json &value) const {
        const Read<T> read(with(row.name, value));
        CHECK(read.reports(row.name));
        const Read<T> usual(least);
        if (!row.isRequired && !value.is_array() && !value.is_object())
            CHECK(textOfRow(row, read.value) == textOfRow(row, usual.value));
    }

    void checkMissing(const FieldRow<T> &row) const {
        Json object = least;
        object.erase(row.name);
        const Read<T> read(object);
        CHECK(read.isGood == !row.isRequired);
        CHECK(read.reports(row.name) == row.isRequired);
        if (!row.isRequired)
            CHECK_FALSE(row.isSet(read.value));
    }

    void checkMisspelt(const FieldRow<T> &row) const {
        const Read<T> read(with(row.name + "_", valuesOfRow(row).good.front()));
        REQUIRE(read.unknown.size() == 1);
        CHECK(read.unknown.front().where == row.name + "_");
        if (row.name.size() > 3)
            CHECK(read.unknown.front().nearest == row.name);
    }

    void run() const {
        for (const FieldRow<T> &row : table.rows) {
            CAPTURE(table.name);
            CAPTURE(row.name);
            CHECK_FALSE(row.limits.empty());
            if (!row.read)
                continue;
            const Values values = valuesOfRow(row);
            REQUIRE_FALSE(values.good.empty());
            for (const Json &value : values.good) {
                CAPTURE(value.dump().substr(0, 80));
                checkGood(row, value);
            }
            std::vector<Json> bad = values.bad;
            for (const Json &value : wrongTypesOf(Json::parse(row.schema)))
                bad.push_back(value);
            for (const Json &value : bad) {
                CAPTURE(value.dump().substr(0, 80));
                checkBad(row, value);
            }
            checkMissing(row);
            checkMisspelt(row);
        }
    }
};

} // namespace

TEST_CASE_TEMPLATE("every field of a table", T, OptimizerSettings, Architecture, Recipe, Norm,
                   FeedForward, RotaryConfig, RelativeConfig, Disentangled, LatentAttention,
                   OutputLayer, EncoderSizes, Config, SoftmaxLook, BirthState, ModelViewState,
                   SelectionPatch, ViewOptions, WindowMask, PrefixMask, BlockMask, MaskCell,
                   HeadIntervention, ScoreIntervention, Answer, Question, Goal, Exercise, LessonRun,
                   PanelPatch, LessonStep, Lesson, TrainingRun, AblatedRun) {
    TableTest<T>().run();
}

TEST_CASE("a word means the text, or the number or truth value of its spelling") {
    const auto error = [](const char *name, const std::string &word, auto value) {
        const Outcome outcome = readWord(Fields<decltype(value)>::table().row(name), word, value);
        return outcome ? std::string() : outcome.error().text();
    };
    Recipe recipe;
    CHECK(readWord(Fields<Recipe>::table().row("steps"), "1e3", recipe).ok());
    CHECK(recipe.steps == 1000);
    CHECK(error("steps", "0", recipe) ==
          "steps: expected a whole number from 1 to 10000000, found 0");
    CHECK(error("steps", "many", recipe) ==
          "steps: expected a whole number from 1 to 10000000, found \"many\"");
    CHECK(error("seed", "9007199254740992", recipe).empty());
    for (const char *word :
         {"9007199254740993", "nan", "inf", "1e999", "0x10", " 1", "+1", "", "-1"})
        CHECK_FALSE(error("seed", word, recipe).empty());
    CHECK(readWord(Fields<Recipe>::table().row("task"), "7", recipe).ok());
    CHECK(recipe.task == "7");
    OptimizerSettings optimizer;
    CHECK(readWord(Fields<OptimizerSettings>::table().row("clip"), ".1", optimizer).ok());
    CHECK(optimizer.clip == 0.1f);
    CHECK(readWord(Fields<OptimizerSettings>::table().row("cosine"), "false", optimizer).ok());
    CHECK_FALSE(optimizer.cosine);
    CHECK(error("cosine", "0", optimizer) == "cosine: expected true or false, found 0");
    CHECK(error("kind", "adam", optimizer) ==
          "kind: expected \"adamw\" or \"sgd\", found \"adam\"");
}

TEST_CASE("a switch and the row of its name have the same member") {
    forEachField(kSwitches, [](const auto &each) {
        CAPTURE(each.name);
        const FieldRow<Config> &row = Fields<Config>::table().row(each.name);
        const Json schema = Json::parse(row.schema);
        Json value = valuesOf(schema).good.back();
        if (value.is_object()) // sets a member to a value that is not the default
            value[resolved(schema)["properties"].begin().key()] =
                valuesOf(resolved(schema)["properties"].begin().value()).good.back();
        bool isChanged = false;
        for (const Json &tried : {valuesOf(schema).good.front(), value}) {
            const auto document = readJson(tried.dump());
            Reading reading;
            Config config;
            row.read(Field(&*document, "", reading), config);
            isChanged = isChanged || !(config.*each.place == Config().*each.place);
        }
        CHECK(isChanged);
    });
}

TEST_CASE("the published schema and page are those of the tables") {
    const std::string docs = HEADLIGHT_DOCS;
    INFO("after a change of a table: cmake --build build/dev --target write_session_docs");
    CHECK(contentOf(docs + "/session-file.schema.json") == sessionSchema());
    const std::string page = contentOf(docs + "/session-file.md");
    CHECK(page == withFieldTables(page));
    CHECK(page.find("<!-- fields: optimizer -->\n| field |") != page.npos);
}
