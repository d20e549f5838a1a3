#include "app/standard_input.h"

#include "app/figure_command_line.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/files/io_error.h"
#include "core/tokenizers/text/unicode.h"
#include "core/tokenizers/word_tokenizer.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace headlight::app {

namespace {

/// Interval between two checks of the stop token.
constexpr int kWaitedMilliseconds = 50;

std::string inputName() {
    return Words::tr("standard input").toStdString();
}

/// Reads the text as if it had been typed as an argument.
core::Result<std::string> typedText(const std::stop_token &stop) {
    core::Result<std::string> text = readStandardInput(stop);
    if (!text)
        return text;
    if (const auto bad = core::firstInvalidByte(*text))
        return core::Error{
            {"it is not valid UTF-8 at byte %1", *bad}, inputName(), "save or type it as UTF-8"};
    if (text->ends_with('\n'))
        text->pop_back();
    return text;
}

} // namespace

core::Result<std::string> readStandardInput(const std::stop_token &stop) {
    std::string text;
    std::array<char, 65536> some{};
    while (!stop.stop_requested()) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&input, 1, kWaitedMilliseconds);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        // Streams that cannot be polled, such as closed ones, report their error in read().
        const ssize_t count = ::read(STDIN_FILENO, some.data(), some.size());
        if (count == 0)
            return text;
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return core::ioError(errno, "it cannot be read", inputName());
        text.append(some.data(), static_cast<std::size_t>(count));
        if (text.size() > core::kMaxTextBytes)
            return core::Error{{"it is longer than %1 bytes", core::kMaxTextBytes},
                               inputName(),
                               "use a shorter text"};
    }
    return core::cancelled();
}

core::Result<Arguments> withStandardInput(Arguments arguments, const std::stop_token &stop) {
    const bool isTokenized = arguments.text == "-";
    if (!isTokenized && arguments.request.text != "-")
        return arguments;
    const core::Result<std::string> text = typedText(stop);
    if (!text)
        return text.error();
    const QString words = QString::fromStdString(*text);
    if (isTokenized) {
        arguments.text = words;
        return arguments;
    }
    arguments.request.text = *text;
    if (arguments.command == Command::Figure) {
        arguments.words = withText(arguments.words, words);
        arguments.recipe = recipeOf(arguments.words, arguments.format);
    }
    return arguments;
}

} // namespace headlight::app
