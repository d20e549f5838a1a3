// Reads arbitrary bytes as a figure with a session. Expects an error with a message, or the
// session's text.
#include "core/formats/figure/figure_session.h"
#include "core/formats/json/reader.h"

#include <cstdlib>

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto figure = readFigure({reinterpret_cast<const char *>(data), size});
    if (!figure) {
        if (figure.error().what.empty())
            std::abort();
        return 0;
    }
    const auto document = readJson(figure->session);
    if (!document || document->kind != JsonValue::Kind::Object)
        std::abort();
    // The text of the figure can be read as JSON with a session.
    const auto again = readJson(figureText(*figure));
    if (!again || !again->find("session"))
        std::abort();
    return 0;
}
