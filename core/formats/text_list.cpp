#include "core/formats/text_list.h"

#include "core/cancelled.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"

namespace headlight::core {

namespace {

Error inLine(std::size_t line, const Error &error) {
    // Keeps only the column. The reader's line is always 1, because it counts from the start of the
    // document.
    const std::size_t column = error.where.find("column");
    return {error.what,
            "line " + std::to_string(line) +
                (column == std::string::npos ? "" : ", " + error.where.substr(column)),
            error.remedy};
}

/// Returns the text of a member; nullopt if the member is missing or not a string. Sets `wrong` to
/// `name` if the member exists but is not a string.
std::optional<std::string> stringIn(const JsonValue &object, std::string_view name,
                                    std::string &wrong) {
    const JsonValue *const member = object.find(name);
    if (!member)
        return std::nullopt;
    if (member->kind == JsonValue::Kind::String)
        return member->text();
    wrong = name;
    return std::nullopt;
}

Result<ListedText> textIn(std::string_view document, std::size_t line,
                          const std::stop_token &stop) {
    const Result<JsonValue> value = readJson(document, stop);
    if (!value)
        return isCancelled(value.error()) ? value.error() : inLine(line, value.error());
    ListedText listed;
    listed.line = line;
    if (value->kind == JsonValue::Kind::String) {
        listed.text = value->text();
        return listed;
    }
    std::string wrong;
    const auto text = stringIn(*value, "text", wrong);
    listed.pair = stringIn(*value, "pair", wrong);
    listed.targetText = stringIn(*value, "target_text", wrong);
    listed.token = stringIn(*value, "token", wrong);
    if (!wrong.empty())
        return inLine(line, {{"\"%1\" is not a string", wrong}, "", "write the text in quotes"});
    if (!text)
        return inLine(line, {"it has no text", "",
                             "write text in quotes, or an object such as {\"text\": \"…\"}"});
    listed.text = *text;
    return listed;
}

} // namespace

Result<std::vector<ListedText>> readTextList(std::string_view bytes, const std::stop_token &stop) {
    std::vector<ListedText> texts;
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        if (stop.stop_requested())
            return cancelled();
        const std::size_t end = bytes.find('\n');
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        if (line.size() > kMaxListLineBytes)
            return inLine(number,
                          {{"it is longer than %1 bytes", kMaxListLineBytes}, "", "shorten it"});
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        if (texts.size() == kMaxListedTexts)
            return inLine(
                number, {{"there are more than %1 texts", kMaxListedTexts}, "", "split the file"});
        Result<ListedText> text = textIn(line, number, stop);
        if (!text)
            return text.error();
        texts.push_back(*std::move(text));
    }
    if (texts.empty())
        return Error{"it contains no text", "", "write one text per line, in quotes"};
    return texts;
}

Result<std::vector<ListedText>> readTextListFile(const std::string &path,
                                                 const std::stop_token &stop) {
    const Error tooLarge{
        {"it is larger than %1 bytes", kMaxListBytes}, path, "split it into smaller files"};
    const Result<std::string> bytes = readRegularFile(path, kMaxListBytes, tooLarge, stop);
    if (!bytes)
        return bytes.error();
    Result<std::vector<ListedText>> texts = readTextList(*bytes, stop);
    if (!texts && !isCancelled(texts.error())) {
        Error error = texts.error();
        error.where = path + (error.where.empty() ? "" : ", " + error.where);
        return error;
    }
    return texts;
}

} // namespace headlight::core
