#include "app/commands.h"
#include "app/interrupt.h"
#include "app/standard_input.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/files/gguf.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/gguf/gguf_tokenizer.h"
#include "core/formats/json/text.h"
#include "core/in_quotes.h"
#include "core/tokenizers/word_tokenizer.h"
#include "ui/text/file_path.h"

#include <algorithm>
#include <charconv>

namespace headlight::app {

namespace {

core::Error tooLong(const std::string &where) {
    return {{"it is longer than %1 bytes", core::kMaxTextBytes}, where, "use a shorter text"};
}

core::Result<std::string> textOf(const Arguments &arguments, const std::stop_token &stop) {
    if (arguments.text)
        return arguments.text->toStdString();
    if (arguments.files.first() == "-")
        return readStandardInput(stop);
    const std::string path = ui::bytesOf(arguments.files.first());
    return core::readRegularFile(path, core::kMaxTextBytes, tooLong(path), stop);
}

std::vector<core::JsonMemberText> membersOf(const core::Token &token) {
    std::vector<core::JsonMemberText> members{{"id", std::to_string(token.id.value_or(0))},
                                              {"text", core::jsonText(token.text)}};
    if (token.span)
        members.push_back({"offsets", "[" + std::to_string(token.span->begin) + ", " +
                                          std::to_string(token.span->end) + "]"});
    return members;
}

std::string idsOf(const std::vector<core::Token> &tokens) {
    std::string text;
    for (const core::Token &token : tokens)
        (text += text.empty() ? "" : " ") += std::to_string(token.id.value_or(0));
    return text + '\n';
}

std::string outputOf(const std::vector<core::Token> &tokens, bool json) {
    if (!json)
        return idsOf(tokens);
    std::string text;
    for (const core::Token &token : tokens)
        text += core::jsonObject(membersOf(token)) + '\n';
    return text;
}

/// Returns each token with its type and its source text.
std::string outputOf(const core::TokenPair &pair, bool json) {
    if (!json)
        return idsOf(pair.tokens);
    std::string text;
    for (std::size_t i = 0; i < pair.tokens.size(); ++i) {
        auto members = membersOf(pair.tokens[i]);
        members.push_back({"type", std::to_string(pair.types[i])});
        if (pair.texts[i] >= 0)
            members.push_back({"sequence", std::to_string(pair.texts[i])});
        text += core::jsonObject(members) + '\n';
    }
    return text;
}

/// Parses ids separated by white space or commas.
core::Result<std::vector<core::Index>> idsIn(std::string_view text, core::Index size) {
    constexpr std::string_view between = " \t\r\n,";
    std::vector<core::Index> ids;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
        if (text.empty())
            return ids;
        const std::string word(text.substr(0, text.find_first_of(between)));
        text.remove_prefix(word.size());
        core::Index id = -1;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (error != std::errc() || end != word.data() + word.size() || id < 0 || id >= size)
            return core::Error{{"there is no token %1", core::inQuotes(word)},
                               Words::tr("the ids").toStdString(),
                               {"use 0 to %1", size - 1}};
        ids.push_back(id);
    }
}

core::Result<std::string> decoded(const core::Tokenizer &tokenizer, const std::string &text,
                                  const Arguments &arguments, core::SpecialTokens special,
                                  const std::stop_token &stop) {
    const auto ids = idsIn(text, tokenizer.size());
    if (!ids)
        return ids.error();
    auto made = tokenizer.decode(*ids, special, stop);
    if (!made)
        return made.error();
    if (arguments.json)
        return core::jsonObject({{"text", core::jsonText(*made)}}) + '\n';
    return withoutControls(*std::move(made)) + '\n';
}

core::Result<std::string> result(const core::Tokenizer &tokenizer, const std::string &text,
                                 const Arguments &arguments, const std::stop_token &stop) {
    const auto special =
        arguments.special ? core::SpecialTokens::Added : core::SpecialTokens::LeftOut;
    if (arguments.decodes)
        return decoded(tokenizer, text, arguments, special, stop);
    if (arguments.pair) {
        const auto pair = tokenizer.encodePair(text, arguments.pair->toStdString(), special, stop);
        return pair ? outputOf(*pair, arguments.json) : core::Result<std::string>(pair.error());
    }
    const auto tokens = tokenizer.encode(text, special, stop);
    return tokens ? outputOf(*tokens, arguments.json) : core::Result<std::string>(tokens.error());
}

core::Result<core::TokenizerPointer> tokenizerOf(const core::TokenizerSource &source,
                                                 const std::stop_token &stop) {
    if (!core::isGguf(source.path))
        return core::readTokenizer(source, stop);
    const core::Result<core::GgufFile> file = core::GgufFile::open(source.path, stop);
    return file ? core::readGgufTokenizer(*file, stop)
                : core::Result<core::TokenizerPointer>(file.error());
}

} // namespace

int runTokenize(const Arguments &arguments, std::stop_token stop) {
    const auto failed = [](const core::Error &error) {
        return core::isCancelled(error) ? kInterrupted : fail(error);
    };
    const auto tokenizer = tokenizerOf(arguments.tokenizer, stop);
    if (!tokenizer)
        return failed(tokenizer.error());
    const auto text = textOf(arguments, stop);
    if (!text)
        return failed(text.error());
    const auto made = result(**tokenizer, *text, arguments, stop);
    if (!made)
        return failed(made.error());
    return writeOutput("-", *made, stop);
}

} // namespace headlight::app
