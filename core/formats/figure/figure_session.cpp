#include "core/formats/figure/figure_session.h"

#include "core/cancelled.h"
#include "core/formats/figure/carriers.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/formats/json/text.h"
#include "core/formats/session/data/session.h"

#include <filesystem>
#include <new>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;

Result<std::string> textIn(std::string_view bytes, const std::stop_token &stop) {
    throwIfCancelled(stop);
    if (bytes.starts_with("\x89PNG\r\n\x1a\n"))
        return textInPng(bytes, stop);
    if (bytes.starts_with("%PDF-"))
        return textInPdf(bytes, stop);
    return textInSvg(bytes, stop);
}

Result<FigureSession> understood(const std::string &text, const std::stop_token &stop) {
    const auto document = readJson(text, stop);
    throwIfCancelled(stop);
    if (!document)
        return Error{{"its embedded session is damaged: %1", document.error().what},
                     document.error().where,
                     ""};
    const JsonValue *version = document->find("headlight_figure");
    if (!version || version->kind != Kind::Number || version->number != 1)
        return Error{"its embedded session was written by another version of Headlight", "",
                     "open it with a newer one"};
    FigureSession figure;
    const JsonValue *arguments = document->find("arguments");
    if (!arguments || arguments->kind != Kind::Array)
        return Error{"its embedded session has no arguments", "", ""};
    if (arguments->elements().size() > kMaxFigureArguments)
        return Error{{"its embedded session has more than %1 arguments", kMaxFigureArguments},
                     "",
                     "open the session that it was created from"};
    for (const JsonValue &word : arguments->elements()) {
        if (word.kind != Kind::String)
            return Error{"its embedded session has an argument that is not text", "", ""};
        if (word.text().size() > kMaxArgumentBytes)
            return Error{"its embedded session has an argument that does not fit a command line",
                         "", ""};
        figure.arguments.push_back(word.text());
    }
    const JsonValue *session = document->find("session");
    if (!session || session->kind != Kind::Object)
        return Error{"its embedded data has no session", "", ""};
    for (const JsonSpan &member : membersOf(text))
        if (member.name == "session")
            figure.session = text.substr(member.value, member.end - member.value);
    return figure;
}

} // namespace

std::string figureText(const FigureSession &figure) {
    std::string words;
    for (const std::string &word : figure.arguments)
        words += (words.empty() ? "" : ", ") + jsonText(word);
    std::string_view session = figure.session;
    // Keeps only the object, from the first brace to the last, without the text around it.
    session.remove_prefix(std::min(session.find('{'), session.size()));
    session = session.substr(0, session.rfind('}') + 1);
    return "{\"headlight_figure\": 1,\n\"arguments\": [" + words +
           "],\n\"session\": " + std::string(session) + "}\n";
}

Result<FigureSession> readFigure(std::string_view bytes, std::stop_token stop) try {
    const auto text = textIn(bytes, stop);
    if (!text)
        return text.error();
    return understood(*text, stop);
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory to read it", "", ""};
}

Result<FigureSession> readFigureFile(const std::string &path, std::stop_token stop) try {
    std::error_code code;
    const std::filesystem::path file(path);
    if (std::filesystem::is_directory(file, code))
        return Error{"it is a folder, not a figure", path, ""};
    const Result<std::string> bytes = readRegularFile(
        path, kMaxFigureBytes,
        {{"it is larger than %1 MB", kMaxFigureBytes >> 20}, path, "use a smaller figure"}, stop);
    if (!bytes)
        return bytes.error();
    auto figure = readFigure(*bytes, std::move(stop));
    if (!figure)
        return Error{figure.error().what,
                     figure.error().where.empty() ? path : path + ": " + figure.error().where,
                     figure.error().remedy};
    return figure;
} catch (const std::exception &problem) { // not enough memory, or an invalid file name
    return Error{{"it cannot be read: %1", std::string(problem.what())}, path, ""};
}

} // namespace headlight::core
