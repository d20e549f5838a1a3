#include "core/formats/tokenizer/json_parts.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

using What = TemplatePart::What;

constexpr std::array<std::string_view, 5> kPostProcessors{
    "TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel", "Sequence"};

/// Reads a pair such as ["[SEP]", 102].
std::optional<Index> readSpecial(const Field &field) {
    return field.isArray() ? field.element(1).whole(0, kMaxTokens - 1) : std::nullopt;
}

/// Returns the ids of a special token. There may be several.
std::vector<Index> readIds(const Field &field) {
    std::vector<Index> ids;
    const Field list = field.member("ids");
    if (field.isObject() && list.isArray())
        for (std::size_t i = 0; i < list.size(); ++i)
            if (const auto id = list.element(i).whole(0, kMaxTokens - 1))
                ids.push_back(*id);
    return ids;
}

/// Limits the expanded template, because a special token may have many ids and occur often.
constexpr std::size_t kMaxTemplate = 4096;

/// Reads one element of a template: one of the two texts, or the ids of a special token.
void readPart(const Field &part, const Field &special, Template &parts) {
    const bool isText = part.member("Sequence").present();
    const Field what = part.member(isText ? "Sequence" : "SpecialToken");
    const Field type = what.member("type_id");
    const Index kind = type.present() ? type.whole(0, kMaxTokens - 1).value_or(0) : 0;
    if (isText) {
        if (const auto which = what.member("id").word({"A", "B"}))
            parts.push_back({*which == 0 ? What::First : What::Second, kind});
    } else if (const auto name = what.member("id").text()) {
        for (const Index id : readIds(special.member(*name)))
            parts.push_back({What::Special, kind, id});
    }
}

std::ptrdiff_t countIn(const Template &parts, What what) {
    return std::ranges::count(parts, what, &TemplatePart::what);
}

Template readTemplate(const Field &list, const Field &special) {
    Template parts;
    if (list.isArray())
        for (std::size_t i = 0; i < list.size() && list.element(i).isObject(); ++i) {
            readPart(list.element(i), special, parts);
            if (parts.size() > kMaxTemplate) {
                list.expected({"at most %1 tokens", kMaxTemplate});
                break;
            }
        }
    return parts;
}

PostProcessing readTemplates(const Field &field) {
    PostProcessing post;
    const Field single = field.member("single"), pair = field.member("pair");
    const Field special = field.member("special_tokens");
    post.single = readTemplate(single, special);
    if (countIn(post.single, What::First) != 1 || countIn(post.single, What::Second) != 0)
        single.expected("the sequence A, once");
    if (!pair.present())
        return post;
    post.pair = readTemplate(pair, special);
    if (countIn(post.pair, What::First) != 1 || countIn(post.pair, What::Second) != 1)
        pair.expected("the sequences A and B, once each");
    return post;
}

/// Returns `next` with its text replaced by `inner`.
Template within(const Template &next, const Template &inner) {
    Template all;
    for (const TemplatePart &part : next)
        if (part.what == What::First)
            all.insert(all.end(), inner.begin(), inner.end());
        else
            all.push_back(part);
    return all;
}

PostProcessing readProcessors(const Field &list) {
    PostProcessing all;
    if (!list.isArray())
        return all;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const PostProcessing next = readPostProcessing(list.element(i));
        // The second processor treats the first one's output as a single text.
        const bool isFirst = all.pair.size() == 2;
        all.single = within(next.single, all.single);
        all.pair = isFirst ? next.pair : within(next.single, all.pair);
        all.trimsPlaces = all.trimsPlaces || next.trimsPlaces;
        if (std::max(all.single.size(), all.pair.size()) > kMaxTemplate) {
            list.expected({"at most %1 tokens", kMaxTemplate});
            break;
        }
    }
    return all;
}

} // namespace

PostProcessing readPostProcessing(const Field &field) {
    if (!field.present() || field.is(JsonValue::Kind::Null) || !field.isObject())
        return {};
    const auto type = field.member("type").word(kPostProcessors);
    const std::string_view name = type ? kPostProcessors[*type] : "";
    PostProcessing post;
    if (name == "TemplateProcessing")
        post = readTemplates(field);
    else if (name == "BertProcessing")
        post =
            surrounding(readSpecial(field.member("cls")), readSpecial(field.member("sep")), {1, 1});
    else if (name == "RobertaProcessing")
        post =
            surrounding(readSpecial(field.member("cls")), readSpecial(field.member("sep")), {2, 0});
    else if (name == "Sequence")
        post = readProcessors(field.member("processors"));
    if (name == "RobertaProcessing" || name == "ByteLevel")
        post.trimsPlaces = readFlag(field.member("trim_offsets"), true);
    return post;
}

std::vector<AddedToken> readAddedTokens(const Field &field) {
    std::vector<AddedToken> tokens;
    if (!field.present() || field.is(JsonValue::Kind::Null) || !field.isArray())
        return tokens;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const Field each = field.element(i);
        if (!each.isObject())
            return tokens;
        const auto text = each.member("content").text();
        const auto id = each.member("id").whole(0, kMaxTokens - 1);
        if (!text || !id)
            return tokens;
        AddedToken token{*text, *id};
        token.isSpecial = readFlag(each.member("special"), false);
        token.isNormalized = readFlag(each.member("normalized"), !token.isSpecial);
        token.isWholeWord = readFlag(each.member("single_word"), false);
        token.stripsLeft = readFlag(each.member("lstrip"), false);
        token.stripsRight = readFlag(each.member("rstrip"), false);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace headlight::core
