#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/files/io_error.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/text.h"
#include "core/tokenizers/word_tokenizer.h"
#include "ui/document/file_path.h"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace headlight::app {

namespace {

core::Error tooLong(const std::string &where) {
    return {{"it is longer than %1 bytes", core::kMaximumTextBytes}, where, "use a shorter text"};
}

/// All of standard input, until its end.
core::Result<std::string> readStandardInput(const std::stop_token &stop) {
    std::string text;
    std::array<char, 65536> some{};
    while (!stop.stop_requested()) {
        const ssize_t count = ::read(STDIN_FILENO, some.data(), some.size());
        if (count == 0)
            return text;
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return core::ioError(errno, "it cannot be read",
                                 Words::tr("standard input").toStdString());
        text.append(some.data(), static_cast<std::size_t>(count));
        if (text.size() > core::kMaximumTextBytes)
            return tooLong(Words::tr("standard input").toStdString());
    }
    return core::cancelled();
}

core::Result<std::string> textOf(const Arguments &arguments, const std::stop_token &stop) {
    if (arguments.text)
        return arguments.text->toStdString();
    if (arguments.files.first() == "-")
        return readStandardInput(stop);
    const std::string path = ui::bytesOf(arguments.files.first());
    return core::readRegularFile(path, core::kMaximumTextBytes, tooLong(path), stop);
}

std::string jsonLine(const core::Token &token) {
    std::vector<core::JsonMemberText> members{{"id", std::to_string(token.id.value_or(0))},
                                              {"text", core::jsonText(token.text)}};
    if (token.span)
        members.push_back({"offsets", "[" + std::to_string(token.span->begin) + ", " +
                                          std::to_string(token.span->end) + "]"});
    return core::jsonObject(members) + '\n';
}

std::string outputOf(const std::vector<core::Token> &tokens, bool json) {
    std::string text;
    for (const core::Token &token : tokens)
        if (json)
            text += jsonLine(token);
        else
            (text += text.empty() ? "" : " ") += std::to_string(token.id.value_or(0));
    return json ? text : text + '\n';
}

} // namespace

int runTokenize(const Arguments &arguments, std::stop_token stop) {
    const auto failed = [](const core::Error &error) {
        return core::isCancelled(error) ? kInterrupted : fail(error);
    };
    const auto tokenizer = core::readTokenizer(arguments.tokenizer, stop);
    if (!tokenizer)
        return failed(tokenizer.error());
    const auto text = textOf(arguments, stop);
    if (!text)
        return failed(text.error());
    const auto special =
        arguments.special ? core::SpecialTokens::Added : core::SpecialTokens::LeftOut;
    const auto tokens = (*tokenizer)->encode(*text, special, stop);
    if (!tokens)
        return failed(tokens.error());
    return writeOutput("-", outputOf(*tokens, arguments.json), stop);
}

} // namespace headlight::app
