// Folders with pretrained models for tests.
#pragma once

#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/support/forward.h"
#include "transformer/reference_model.h"

#include <doctest/doctest.h>
#include <filesystem>

namespace headlight::core::test {

/// Returns the folder of a trained model in ../shared/models. Empty, with a message, if it is
/// missing.
inline std::filesystem::path trainedModel(const std::string &name) {
    const auto models =
        std::filesystem::path(HEADLIGHT_TEST_DATA).parent_path().parent_path().parent_path() /
        "shared" / "models";
    if (std::filesystem::exists(models / name / "model.safetensors"))
        return models / name;
    MESSAGE("skipped: ../shared/models/" << name << " is missing");
    return {};
}

inline PretrainedPointer opened(const std::filesystem::path &folder) {
    const auto read = readPretrained(folder.string());
    REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
    return *read;
}

inline TokenizedText tokensOfIds(const PretrainedFolder &folder, Stack stack,
                                 const std::vector<Index> &ids) {
    TokenizedText text;
    for (const Index id : ids)
        text.tokens.push_back(folder.model.vocabularyOf(stack)->token(id));
    return text;
}

/// Returns the picture of tests/reference/encoders/vit.py.
inline Picture drawnPicture(Index height, Index width) {
    Picture picture = plainPicture(height, width, 0, 0, 0);
    std::size_t at = 0;
    for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x)
            for (Index channel = 0; channel < 3; ++channel)
                picture.bytes[at++] =
                    static_cast<std::uint8_t>((37 * y + 59 * x + 101 * channel + x * y) % 256);
    return picture;
}

/// Returns the audio of tests/reference/encoders/whisper.py.
inline Sound drawnSound(Index count) {
    Sound sound;
    for (Index n = 0; n < count; ++n)
        sound.samples.push_back(static_cast<float>((7 * n * n + 311 * n) % 2001 - 1000) / 32768);
    return sound;
}

inline TracePointer traceOf(const PretrainedFolder &folder, const Input &input) {
    const auto trace =
        headlight::test::forward(folder.model, input, nullptr, {}, Detail::Everything);
    REQUIRE_MESSAGE(trace.ok(), (trace.ok() ? "" : trace.error().text()));
    return *trace;
}

} // namespace headlight::core::test
