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

using Erased = std::shared_ptr<const void>;

/// A field table with its type erased, because the checks would take long to compile for every
/// type.
struct Table {
    virtual ~Table() = default;
    virtual const std::string &name() const = 0;
    virtual std::size_t size() const = 0;
    virtual const FieldInfo &row(std::size_t at) const = 0;
    /// False if other code reads the field.
    virtual bool isReadHere(std::size_t at) const = 0;
    virtual Erased readAll(const Field &object, bool &isGood) const = 0;
    virtual bool isSet(std::size_t at, const Erased &value) const = 0;
    /// Returns the written field; empty if there is nothing to write.
    virtual std::string textOf(std::size_t at, const Erased &value) const = 0;
    virtual std::string textOfAll(const Erased &value) const = 0;
    /// Writes the field as a word and reads the word. Returns the field of the result.
    virtual std::string textOfWord(std::size_t at, const Erased &value) const = 0;
};

template <typename T>
struct TableOf : Table {
    const FieldTable<T> &table = Fields<T>::table();

    static const T &typed(const Erased &value) { return *static_cast<const T *>(value.get()); }
    static std::string text(const FieldRow<T> &row, const T &value) {
        return row.write && (row.isSet(value) || !row.mayBeUnset) ? row.write(value, {}) : "";
    }

    const std::string &name() const override { return table.name; }
    std::size_t size() const override { return table.rows.size(); }
    const FieldInfo &row(std::size_t at) const override { return table.rows[at]; }
    bool isReadHere(std::size_t at) const override { return bool(table.rows[at].read); }
    Erased readAll(const Field &object, bool &isGood) const override {
        auto value = std::make_shared<T>();
        isGood = readInto(object, *value);
        return value;
    }
    bool isSet(std::size_t at, const Erased &value) const override {
        return table.rows[at].isSet(typed(value));
    }
    std::string textOf(std::size_t at, const Erased &value) const override {
        return text(table.rows[at], typed(value));
    }
    std::string textOfAll(const Erased &value) const override { return written(typed(value)); }
    std::string textOfWord(std::size_t at, const Erased &value) const override {
        const FieldRow<T> &row = table.rows[at];
        T again{};
        const Outcome outcome = readWord(row, wordOf(row, typed(value)), again);
        return outcome ? text(row, again) : outcome.error().text();
    }
};

/// The value read from an object, with its problems and warnings.
struct Read {
    Reading reading{};
    bool isGood = false;
    Erased value{};
    std::vector<Warning> unknown{};

    Read(const Table &table, const Json &object) {
        static const Session base = read(smallSession().dump());
        reading.base = &base;
        const auto document = valueOf(readJson(object.dump()));
        value = table.readAll(Field(&document, "", reading), isGood);
        unknown = reading.asked.unknownIn(document, 9);
    }
    /// True if a problem or a warning is at the field.
    bool reports(const std::string &name) const {
        const auto isThere = [&](const auto &finding) { return finding.where.starts_with(name); };
        return std::ranges::any_of(reading.problems, isThere) ||
               std::ranges::any_of(reading.warnings, isThere);
    }
};

/// Returns valid and invalid values for a row of a field table. Its schema does not list the names
/// of stages.
Values valuesOfRow(const FieldInfo &row) {
    if (row.name == "stage")
        return {{"scores", "weights"}, {"never a stage"}};
    return valuesOf(Json::parse(row.schema));
}

struct TableTest {
    const Table &table;
    Json least = Json::object(); ///< only the required fields

    explicit TableTest(const Table &tested) : table(tested) {
        for (std::size_t at = 0; at < table.size(); ++at)
            if (table.row(at).isRequired && table.isReadHere(at))
                least[table.row(at).name] = valuesOfRow(table.row(at)).good.front();
    }

    Json with(const std::string &name, const Json &value) const {
        Json object = least;
        object[name] = value;
        return object;
    }

    void checkGood(std::size_t at, const Json &value) const {
        const std::string &name = table.row(at).name;
        const Read read(table, with(name, value));
        CHECK(read.isGood);
        CHECK(read.reading.problems.empty());
        CHECK(read.reading.warnings.empty());
        CHECK(read.unknown.empty());
        // Null also clears other fields, and objects have separate tables.
        if (value.is_null() || value.is_object())
            return;
        checkOthers(at, read.value);
        const std::string written = table.textOf(at, read.value);
        // Reading the text that is written for a value gives the value again, even outside JSON.
        if (!value.is_array() && !written.empty())
            CHECK(table.textOfWord(at, read.value) == written);
        CHECK(readJson(written));
        const Json text = Json::parse(written);
        if (value.is_number_float())
            CHECK(text.get<float>() == value.get<float>());
        else if (value == std::string(kFormerWholeId))
            CHECK(text == std::string(idOf(View::Whole)));
        else if (!value.is_array() && name != "seed" && name != "stage")
            CHECK(text == value);
        // Reading the written object again gives the same value, and only defaults are omitted.
        const Json again = Json::parse(table.textOfAll(read.value));
        CHECK((again.contains(name) || !table.isSet(at, read.value)));
        Json whole = least;
        whole.update(again);
        CHECK(table.textOfAll(Read(table, whole).value) == table.textOfAll(read.value));
    }

    /// A field changes its own member of the value, and no other.
    void checkOthers(std::size_t at, const Erased &value) const {
        const Read usual(table, least);
        for (std::size_t other = 0; other < table.size(); ++other)
            if (other != at) {
                CAPTURE(table.row(other).name);
                CHECK(table.textOf(other, value) == table.textOf(other, usual.value));
            }
    }

    void checkBad(std::size_t at, const Json &value) const {
        const FieldInfo &row = table.row(at);
        const Read read(table, with(row.name, value));
        CHECK(read.reports(row.name));
        const Read usual(table, least);
        if (!row.isRequired && !value.is_array() && !value.is_object())
            CHECK(table.textOf(at, read.value) == table.textOf(at, usual.value));
    }

    void checkMissing(std::size_t at) const {
        const FieldInfo &row = table.row(at);
        Json object = least;
        object.erase(row.name);
        const Read read(table, object);
        CHECK(read.isGood == !row.isRequired);
        CHECK(read.reports(row.name) == row.isRequired);
        if (!row.isRequired)
            CHECK_FALSE(table.isSet(at, read.value));
    }

    void checkMisspelt(const FieldInfo &row) const {
        const Read read(table, with(row.name + "_", valuesOfRow(row).good.front()));
        REQUIRE(read.unknown.size() == 1);
        CHECK(read.unknown.front().where == row.name + "_");
        if (row.name.size() > 3)
            CHECK(read.unknown.front().nearest == row.name);
    }

    void run() const {
        for (std::size_t at = 0; at < table.size(); ++at) {
            const FieldInfo &row = table.row(at);
            CAPTURE(table.name());
            CAPTURE(row.name);
            CHECK_FALSE(row.limits.empty());
            if (!table.isReadHere(at))
                continue;
            const Values values = valuesOfRow(row);
            REQUIRE_FALSE(values.good.empty());
            for (const Json &value : values.good) {
                CAPTURE(value.dump().substr(0, 80));
                checkGood(at, value);
            }
            std::vector<Json> bad = values.bad;
            for (const Json &value : wrongTypesOf(Json::parse(row.schema)))
                bad.push_back(value);
            for (const Json &value : bad) {
                CAPTURE(value.dump().substr(0, 80));
                checkBad(at, value);
            }
            checkMissing(at);
            checkMisspelt(row);
        }
    }
};

template <typename... T>
void checkTables() {
    (TableTest(TableOf<T>()).run(), ...);
}

} // namespace

TEST_CASE("every field of a table") {
    checkTables<OptimizerSettings, Architecture, Recipe, Norm, FeedForward, RotaryConfig,
                RelativeConfig, Disentangled, LatentAttention, OutputLayer, EncoderSizes, Config,
                SoftmaxLook, BirthState, ModelViewState, SelectionPatch, ViewOptions, WindowMask,
                PrefixMask, BlockMask, MaskCell, HeadIntervention, ScoreIntervention, Answer,
                Question, Goal, Exercise, LessonRun, PanelPatch, LessonStep, Lesson, TrainingRun,
                AblatedRun, SessionHeader, CapturedFile, ModelReference>();
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

TEST_CASE("the published schema and page match the tables") {
    const std::string docs = HEADLIGHT_DOCS;
    INFO("after a change of a table: cmake --build build/dev --target write_session_docs");
    CHECK(contentOf(docs + "/session-file.schema.json") == sessionSchema());
    const std::string page = contentOf(docs + "/session-file.md");
    CHECK(page == withFieldTables(page));
    CHECK(page.find("<!-- fields: optimizer -->\n| field |") != page.npos);
}
