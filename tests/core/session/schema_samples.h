// The fields of the session's JSON Schema with sample values, so that tests and fuzzers cover new
// fields automatically.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headlight::core::test {

class SchemaSamples {
  public:
    using Json = nlohmann::ordered_json;
    using Pointer = Json::json_pointer;

    /// The path of a field in a document. Elements of lists have index 0.
    struct Field {
        Pointer place;
        std::vector<Json> values; ///< a valid value for each alternative of the schema
    };

    explicit SchemaSamples(Json schema) : m_schema(std::move(schema)) {
        collect(m_schema, Pointer(), 0);
    }

    const std::vector<Field> &fields() const { return m_fields; }

    /// Returns `document` with `value` at `place`. Creates missing containers on the path and
    /// replaces values of another type.
    static Json with(Json document, const Pointer &place, const Json &value) {
        std::vector<std::string> names;
        for (Pointer rest = place; !rest.empty(); rest = rest.parent_pointer())
            names.insert(names.begin(), rest.back());
        Json *at = &document;
        for (const std::string &name : names) {
            if (name == "0") {
                if (!at->is_array() || at->empty())
                    *at = Json::array({nullptr});
                at = &(*at)[0];
            } else {
                if (!at->is_object())
                    *at = Json::object();
                at = &(*at)[name];
            }
        }
        *at = value;
        return document;
    }

  private:
    static constexpr int kDeepest = 24;

    const Json &resolved(const Json &schema) const {
        const Json *at = &schema;
        while (at->contains("$ref"))
            at = &m_schema[Pointer((*at)["$ref"].get<std::string>().substr(1))];
        return *at;
    }

    void collect(const Json &unresolved, const Pointer &place, int depth) {
        // Matrices have the same fields everywhere, so a few of them are enough.
        constexpr int kOften = 4;
        if (unresolved.contains("$ref") &&
            ++m_times[unresolved["$ref"].get<std::string>()] > kOften)
            return;
        const Json &schema = resolved(unresolved);
        if (depth > kDeepest)
            return;
        if (schema.contains("properties"))
            for (const auto &[name, inner] : schema["properties"].items()) {
                note(place / name, inner);
                collect(inner, place / name, depth + 1);
            }
        for (const char *inner : {"items", "additionalProperties"})
            if (schema.contains(inner))
                collect(schema[inner], place / (inner[0] == 'i' ? "0" : "word"), depth + 1);
        for (const char *choice : {"oneOf", "anyOf", "allOf"})
            if (schema.contains(choice))
                for (const Json &one : schema[choice])
                    if (!one.contains("not"))
                        collect(one, place, depth + 1);
    }

    void note(const Pointer &place, const Json &schema) {
        const auto known = std::find_if(m_fields.begin(), m_fields.end(),
                                        [&](const Field &field) { return field.place == place; });
        Field &field = known == m_fields.end() ? m_fields.emplace_back(Field{place, {}}) : *known;
        for (Json &value : samples(schema, 0))
            if (std::find(field.values.begin(), field.values.end(), value) == field.values.end())
                field.values.push_back(std::move(value));
    }

    Json first(const Json &schema, int depth) const {
        const std::vector<Json> all = samples(schema, depth);
        return all.empty() ? Json() : all.front();
    }

    std::vector<Json> samples(const Json &unresolved, int depth) const {
        const Json &schema = resolved(unresolved);
        if (depth > kDeepest)
            return {nullptr};
        if (schema.contains("const"))
            return {schema["const"]};
        if (schema.contains("enum"))
            return schema["enum"].get<std::vector<Json>>();
        for (const char *choice : {"oneOf", "anyOf"})
            if (schema.contains(choice) && !schema.contains("properties")) {
                std::vector<Json> all;
                for (const Json &one : schema[choice])
                    for (Json &value : samples(one, depth + 1))
                        all.push_back(std::move(value));
                return all;
            }
        const std::string type = schema.value("type", schema.contains("allOf") ? "" : "object");
        if (type.empty())
            return samples(schema["allOf"][0], depth + 1);
        if (type == "boolean")
            return {true, false};
        if (type == "null")
            return {nullptr};
        if (type == "string")
            return {"layers.0.self_attention.query", "7", "AAAAAA==", "a b"};
        if (type == "integer" || type == "number") {
            std::vector<Json> numbers;
            for (const Json &number : {Json(1), Json(0), Json(2), Json(-1)})
                if (number >= schema.value("minimum", Json(-2)) &&
                    number > schema.value("exclusiveMinimum", Json(-2)) &&
                    number < schema.value("exclusiveMaximum", Json(3)))
                    numbers.push_back(number);
            return numbers;
        }
        if (type == "array") {
            if (schema.contains("prefixItems")) {
                Json list = Json::array();
                for (const Json &item : schema["prefixItems"])
                    list.push_back(first(item, depth + 1));
                return {list};
            }
            return {Json::array({first(schema["items"], depth + 1)})};
        }
        Json object = Json::object();
        if (schema.contains("required"))
            for (const Json &name : schema["required"])
                if (schema.contains("properties") && schema["properties"].contains(name))
                    object[name.get<std::string>()] =
                        first(schema["properties"][name.get<std::string>()], depth + 1);
        return {object};
    }

    Json m_schema;
    std::map<std::string, int> m_times; // visits of each schema definition
    std::vector<Field> m_fields;
};

} // namespace headlight::core::test
