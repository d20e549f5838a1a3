#include "core/formats/tokenizer/json_parts.h"

#include <array>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, 5> kPostProcessors{
    "TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel", "Sequence"};

/// ["[SEP]", 102]
std::optional<Index> readSpecial(const Field &field) {
    return field.isArray() ? field.element(1).whole(0, kMaximumTokens - 1) : std::nullopt;
}

/// The ids of a special token, which may be several.
std::vector<Index> readIds(const Field &field) {
    std::vector<Index> ids;
    const Field list = field.member("ids");
    if (field.isObject() && list.isArray())
        for (std::size_t i = 0; i < list.size(); ++i)
            if (const auto id = list.element(i).whole(0, kMaximumTokens - 1))
                ids.push_back(*id);
    return ids;
}

/// What stands before and behind {"Sequence": …} in the template for one text.
PostProcessing readTemplate(const Field &field) {
    PostProcessing post;
    const Field single = field.member("single");
    const Field special = field.member("special_tokens");
    if (!single.isArray())
        return post;
    bool isBehind = false;
    for (std::size_t i = 0; i < single.size(); ++i) {
        const Field part = single.element(i);
        if (!part.isObject())
            return post;
        if (part.member("Sequence").present()) {
            isBehind = true;
            continue;
        }
        const auto name = part.member("SpecialToken").member("id").text();
        if (!name)
            return post;
        for (const Index id : readIds(special.member(*name)))
            (isBehind ? post.after : post.before).push_back(id);
    }
    return post;
}

PostProcessing around(const Field &first, const Field &last) {
    PostProcessing post;
    if (const auto id = readSpecial(first))
        post.before.push_back(*id);
    if (const auto id = readSpecial(last))
        post.after.push_back(*id);
    return post;
}

PostProcessing readProcessors(const Field &list) {
    PostProcessing all;
    if (!list.isArray())
        return all;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const PostProcessing next = readPostProcessing(list.element(i));
        all.before.insert(all.before.begin(), next.before.begin(), next.before.end());
        all.after.insert(all.after.end(), next.after.begin(), next.after.end());
        all.trimsPlaces = all.trimsPlaces || next.trimsPlaces;
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
        post = readTemplate(field);
    else if (name == "BertProcessing" || name == "RobertaProcessing")
        post = around(field.member("cls"), field.member("sep"));
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
        const auto id = each.member("id").whole(0, kMaximumTokens - 1);
        if (!text || !id)
            return tokens;
        AddedToken token{*text, *id};
        const bool isSpecial = readFlag(each.member("special"), false);
        token.isNormalized = readFlag(each.member("normalized"), !isSpecial);
        token.isWholeWord = readFlag(each.member("single_word"), false);
        token.stripsLeft = readFlag(each.member("lstrip"), false);
        token.stripsRight = readFlag(each.member("rstrip"), false);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace headlight::core
