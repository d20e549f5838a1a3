#include "core/formats/session/fields/schema.h"

#include "core/formats/session/fields/document_fields.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Definitions of values that are not read by a table: matrices, tokens and curves.
constexpr const char *kOwnDefinitions = R"({
"steps": {"type": "array", "maxItems": 4000, "items": {"type": "integer", "minimum": 0, "maximum": 10000000}},
"curve": {"type": "array", "maxItems": 4000, "items": {"type": "number"}},
"heldOut": {"type": "object", "required": ["step", "loss", "accuracy"], "properties": {
  "step": {"$ref": "#/$defs/steps"}, "loss": {"$ref": "#/$defs/curve"}, "accuracy": {"$ref": "#/$defs/curve"},
  "written": {"$ref": "#/$defs/curve"}}},
"headCurves": {"type": "object", "required": ["step", "measures"], "properties": {
  "step": {"$ref": "#/$defs/steps"},
  "measures": {"type": "array", "maxItems": 4000, "items":
    {"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/measures"}}}}}},
"measures": {"type": "array", "items": {"oneOf": [{"type": "number"}, {"type": "null"}]}, "minItems": 6, "maxItems": 6},
"moment": {"type": "object", "additionalProperties": {"$ref": "#/$defs/row"}},
"seed": {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 9007199254740992},
  {"type": "string", "pattern": "^[0-9]{1,20}$"}]},
"float": {"type": "number", "minimum": -3.4028235e38, "maximum": 3.4028235e38},
"vector": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/float"}},
"randomScale": {"type": "number", "minimum": -1e30, "maximum": 1e30},
"rows": {"type": "integer", "minimum": 1, "maximum": 131072},
"matrix": {"oneOf": [
  {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/vector"}},
  {"type": "object", "required": ["random"], "properties": {
    "random": {"type": "object", "required": ["seed"], "properties": {
      "seed": {"$ref": "#/$defs/seed"}, "kind": {"enum": ["normal", "uniform"]},
      "scale": {"$ref": "#/$defs/randomScale"}}},
    "rows": {"$ref": "#/$defs/rows"}}},
  {"type": "object", "required": ["identity"], "properties": {
    "identity": {"$ref": "#/$defs/float"}, "rows": {"$ref": "#/$defs/rows"}}},
  {"type": "object", "required": ["constant"], "properties": {
    "constant": {"$ref": "#/$defs/float"}, "rows": {"$ref": "#/$defs/rows"}}},
  {"type": "object", "required": ["base64", "rows", "columns"], "properties": {
    "base64": {"type": "string", "contentEncoding": "base64"}, "type": {"enum": ["F32", "F16"]},
    "rows": {"type": "integer", "minimum": 1}, "columns": {"type": "integer", "minimum": 1}}}]},
"headMatrix": {"oneOf": [{"$ref": "#/$defs/matrix"},
  {"type": "object", "required": ["heads"], "properties": {
    "heads": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/matrix"}}}}]},
"row": {"oneOf": [{"$ref": "#/$defs/vector"},
  {"type": "object", "oneOf": [{"required": ["random"]}, {"required": ["identity"]}, {"required": ["constant"]},
    {"required": ["base64"]}], "allOf": [{"$ref": "#/$defs/matrix"}]}]},
"range": {"type": "array", "prefixItems": [{"type": "integer", "minimum": 0, "maximum": 4194304},
  {"type": "integer", "minimum": 0, "maximum": 4194304}], "minItems": 2, "maxItems": 2},
"batch": {"type": "object", "required": ["sequences"], "properties": {
  "length": {"type": "integer", "minimum": 0, "maximum": 1048576},
  "sequences": {"type": "array", "minItems": 1, "maxItems": 4096, "items": {"$ref": "#/$defs/sequence"}}}},
"sequence": {"type": "object", "anyOf": [{"required": ["text"]}, {"required": ["tokens"]}],
  "dependentRequired": {"ids": ["tokens"], "offsets": ["text", "tokens"]},
  "if": {"required": ["text", "tokens"]}, "then": {"required": ["offsets"]},
  "properties": {
    "text": {"type": "string", "minLength": 1},
    "tokens": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
    "ids": {"type": "array", "items": {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 1048575}, {"type": "null"}]}},
    "written": {"type": "array", "items": {"$ref": "#/$defs/range"}},
    "offsets": {"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/range"}, {"type": "null"}]}},
    "embeddings": {"$ref": "#/$defs/matrix"},
    "token_types": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 131071}}}},
"vocabulary": {"type": "array", "minItems": 1, "maxItems": 1048576, "items": {"type": "string", "minLength": 1}},
"embeddings": {"type": "object", "properties": {
  "words": {"type": "object", "propertyNames": {"minLength": 1}, "additionalProperties": {"$ref": "#/$defs/vector"}},
  "others": {"oneOf": [{"const": "zero"}, {"type": "object", "required": ["random"], "properties": {
    "random": {"type": "object", "required": ["seed"], "properties": {
      "seed": {"$ref": "#/$defs/seed"}, "scale": {"$ref": "#/$defs/randomScale"}}}}}]},
  "ignore_case": {"type": "boolean"}}},
"layers": {"type": "array", "minItems": 1, "maxItems": 256, "items": {"type": "object",
  "anyOf": [{"required": ["self_attention"]}, {"required": ["cross_attention"]}],
  "properties": {
    "self_attention": {"$ref": "#/$defs/attention"}, "cross_attention": {"$ref": "#/$defs/attention"},
    "feed_forward": {"$ref": "#/$defs/feedForwardWeights"}}}},
"parameterPatch": {"type": "object", "required": ["parameter"], "properties": {
  "parameter": {"type": "string",
    "pattern": "^((encoder\\.)?(layers\\.[0-9]+\\.((self|cross)_attention\\.((query|key|value|output|position_key|position_query|query_compression|key_value_compression|shared_key)(_bias)?|sinks|compressed_(query|key_value)_norm_gain|(query_|key_|output_)?norm_(gain|bias))|feed_forward\\.((router|gate|hidden|output)(_bias)?|router_choice_bias|shared_(gate|hidden|output)|(output_)?norm_(gain|bias)))|token_embeddings|position_embeddings|token_types|embedding_norm_(gain|bias)|frame_convolution(_bias)?|embedding_projection(_bias)?|position_bias|distance_embeddings|distance_norm_(gain|bias)|final_norm_(gain|bias))|head_transform(_bias)?|head_norm_(gain|bias)|output_matrix|output_bias|pooler(_bias)?|(distillation_)?classifier(_bias)?|projection)$"},
  "cells": {"type": "array", "minItems": 1, "items": {"type": "array", "prefixItems": [
    {"type": "integer", "minimum": 0, "maximum": 16384}, {"type": "integer", "minimum": 0, "maximum": 16384},
    {"$ref": "#/$defs/float"}], "minItems": 3, "maxItems": 3}},
  "matrix": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/row"}, {"$ref": "#/$defs/headMatrix"}]}},
  "oneOf": [{"required": ["cells"]}, {"required": ["matrix"]}]}
})";

/// Rewrites an object or list, with each value replaced by textOf(value).
template <typename TextOf>
std::string rewritten(std::string_view json, const std::string &lines, TextOf textOf) {
    if (json.front() == '{') {
        std::vector<JsonMemberText> members;
        for (const JsonSpan &member : membersOf(json))
            members.push_back(
                {member.name, textOf(json.substr(member.value, member.end - member.value))});
        return jsonObject(members, lines);
    }
    if (json.front() != '[')
        return std::string(json);
    std::vector<std::string> elements;
    for (const std::string_view element : elementsOf(json))
        elements.push_back(textOf(element));
    return jsonArray(elements, lines);
}

std::string onOneLine(std::string_view json) {
    return rewritten(json, {}, onOneLine);
}

/// Returns the JSON with one indented line per member or element. Short values stay on one line.
std::string laidOut(std::string_view json, std::size_t indent) {
    constexpr std::size_t kLineWidth = 118;
    const std::string flat = onOneLine(json);
    if (indent + flat.size() <= kLineWidth)
        return flat;
    return rewritten(json, "\n" + std::string(indent + 2, ' '),
                     [indent](std::string_view value) { return laidOut(value, indent + 2); });
}

} // namespace

std::string sessionSchema() {
    std::vector<JsonMemberText> definitions = sessionDefinitions();
    const std::string_view own = kOwnDefinitions;
    for (const JsonSpan &member : membersOf(own))
        definitions.push_back(
            {member.name, std::string(own.substr(member.value, member.end - member.value))});
    const std::string document = schemaOf(documentTable());
    std::vector<JsonMemberText> members{
        {"$schema", "\"https://json-schema.org/draft/2020-12/schema\""},
        {"title", "\"Headlight session\""},
        {"description",
         jsonText("The fields of docs/session-file.md, generated from the same tables. Other "
                  "fields are allowed and kept. `headlight check` checks what depends on other "
                  "fields: shapes, indices and limits of whole sizes.")}};
    for (const JsonSpan &member : membersOf(document))
        members.push_back({member.name, document.substr(member.value, member.end - member.value)});
    members.push_back({"$defs", jsonObject(definitions)});
    return laidOut(jsonObject(members), 0) + "\n";
}

std::string withFieldTables(std::string_view page) {
    constexpr std::string_view kBegin = "<!-- fields: ", kClose = " -->\n", kEnd = "<!-- end -->";
    std::vector<TableInfo> tables = sessionTables();
    tables.push_back(documentTable());
    std::string made;
    for (;;) {
        const std::size_t begin = page.find(kBegin);
        const std::size_t close = page.find(kClose, std::min(begin, page.size()));
        const std::size_t end = page.find(kEnd, std::min(close, page.size()));
        if (end == page.npos)
            return made + std::string(page);
        const std::string_view name =
            page.substr(begin + kBegin.size(), close - begin - kBegin.size());
        made += page.substr(0, close + kClose.size());
        const auto table = std::ranges::find(tables, name, &TableInfo::name);
        if (table != tables.end())
            made += markdownOf(*table);
        made += kEnd;
        page.remove_prefix(end + kEnd.size());
    }
}

} // namespace headlight::core
