#include "core/formats/session/on_model.h"

#include <nlohmann/json.hpp>

namespace headlight::core {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char *kModelOf = "model_of";

/// Parses the text. If that fails, is_discarded() is true for the result.
Json parsed(std::string_view json) {
    return Json::parse(json.begin(), json.end(), nullptr, false);
}

} // namespace

std::string modelOf(std::string_view json) {
    if (json.find(kModelOf) == std::string_view::npos)
        return {}; // avoids parsing most documents twice
    const Json document = parsed(json);
    const auto found = document.is_object() ? document.find(kModelOf) : document.end();
    return document.is_object() && found != document.end() && found->is_string()
               ? found->get<std::string>()
               : std::string();
}

Result<std::string> onModel(std::string_view lesson, std::string_view model) {
    const Json fields = parsed(lesson);
    Json document = parsed(model);
    if (!fields.is_object() || !document.is_object())
        return Error{"it is not a JSON object", "", ""};
    for (const auto &[name, value] : fields.items())
        if (name != kModelOf)
            document[name] = value;
    return document.dump();
}

} // namespace headlight::core
