// Reads the sizes and switches of `model` in a session file.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"

namespace headlight::core {

namespace {

/// Reports a problem if a member that others depend on is missing.
void require(const Field &parent, const char *name) {
    if (parent.is(JsonValue::Kind::Object) && !parent.member(name).present())
        parent.member(name).fail("it is missing",
                                 {"add it, or leave out all of %1", inQuotes(parent.path())});
}

} // namespace

bool readSwitch(const Field &parent, std::string_view name, Config &config) {
    const Field field = parent.member(std::string(name));
    return field.present() && Fields<Config>::table().row(name).read(field, config);
}

bool readConfig(const Field &field, Config &config) {
    const std::size_t before = field.reading().problems.size();
    config.heads = 0; // 0 means not read, as for width and headSize
    readInto(field, config);
    require(field.member("norm"), "kind");
    require(field.member("feed_forward"), "width");
    require(field.member("head"), "kind");
    if (const Field encoder = field.member("encoder"); encoder.is(JsonValue::Kind::Object)) {
        readInto(encoder, config.encoder);
        if (const Field count = encoder.member("layer_count"); count.present())
            whole(1, kMaxLayers).read(count, config.encoderLayerCount);
    }
    const bool hasSizes = config.width > 0 && config.heads > 0 && config.headSize > 0;
    const Outcome outcome = hasSizes ? validate(config) : Done{};
    // If a field could not be read, its problem has already been reported.
    if (!outcome && field.reading().problems.size() == before)
        field.reading().add(outcome.error());
    if (hasSizes && outcome)
        return true;
    const Config none;
    config.width = none.width;
    config.heads = none.heads;
    config.headSize = none.headSize;
    return false;
}

} // namespace headlight::core
