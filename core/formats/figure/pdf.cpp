// Reads a figure's text from a PDF. The text is an attached file, written by Headlight or, in
// earlier versions, by QPdfWriter.
#include "core/formats/encodings/inflate.h"
#include "core/formats/figure/carriers.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/data/session.h"

#include <charconv>
#include <optional>

namespace headlight::core {

namespace {

/// Parses the number at the start of the text. It has at most nine digits.
std::optional<std::size_t> numberAt(std::string_view text) {
    std::size_t number = 0;
    const auto read =
        std::from_chars(text.data(), text.data() + std::min<std::size_t>(text.size(), 9), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// Returns the attachment's name in UTF-16, which Qt has used since 6.8.
std::string nameInUtf16() {
    std::string name = "\xFE\xFF";
    for (const char c : kPdfAttachment) {
        name += '\0';
        name += c;
    }
    return name;
}

/// Returns the offset of the attachment's file specification.
std::size_t findAttachment(std::string_view pdf) {
    const std::size_t found = pdf.rfind("/F (" + std::string(kPdfAttachment) + ")");
    return found != std::string_view::npos ? found : pdf.rfind("/F (" + nameInUtf16() + ")");
}

/// Returns the content of the object; empty if it does not exist.
std::string_view objectIn(std::string_view pdf, std::size_t number) {
    const std::string begin = "\n" + std::to_string(number) + " 0 obj\n";
    const std::size_t place = pdf.rfind(begin);
    return place == std::string_view::npos ? std::string_view() : pdf.substr(place + begin.size());
}

/// Returns the object that "name 12 0 R" refers to.
std::string_view objectBehind(std::string_view pdf, std::string_view dictionary,
                              std::string_view name) {
    const std::size_t place = dictionary.find(name);
    if (place == std::string_view::npos)
        return {};
    const auto number = numberAt(dictionary.substr(place + name.size()));
    return number ? objectIn(pdf, *number) : std::string_view();
}

} // namespace

Result<std::string> textInPdf(std::string_view pdf, const std::stop_token &stop) {
    constexpr std::string_view kStream = "stream\n";
    constexpr std::size_t kMaxDictionary = 256;
    const Error broken{"its attachment is damaged", "", "use the file as it was saved"};
    const std::size_t file = findAttachment(pdf);
    if (file == std::string_view::npos)
        return carriesNothing();
    const std::string_view object =
        objectBehind(pdf, pdf.substr(file, kMaxDictionary), "/EF <</F ");
    const std::string_view dictionary = object.substr(0, kMaxDictionary);
    const std::size_t stream = dictionary.find(kStream);
    const auto length = numberAt(objectBehind(pdf, dictionary, "/Length "));
    if (stream == std::string_view::npos || !length)
        return broken;
    const std::string_view data = object.substr(stream + kStream.size());
    if (*length > data.size())
        return broken;
    const std::string_view content = data.substr(0, *length);
    if (dictionary.find("/FlateDecode") > stream)
        return std::string(content);
    return inflated(content, kMaxSessionBytes, stop);
}

} // namespace headlight::core
