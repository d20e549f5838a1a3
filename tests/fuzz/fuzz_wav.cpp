// Reads arbitrary bytes as a WAV file. Expects an error with a message, or finite samples that
// become finite frames.
#include "core/formats/sound/log_mel.h"
#include "tests/fuzz/hold.h"

#include <cmath>
#include <cstdint>

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto sound = readWav({reinterpret_cast<const char *>(data), size}, "fuzz.wav");
    if (!sound) {
        hold(!sound.error().what.empty());
        return 0;
    }
    hold(!sound->samples.empty());
    SoundPreparation preparation; // few frames, so that a run is short
    preparation.bands = 8;
    preparation.frames = 10;
    const Matrix frames = logMelFrames(*sound, preparation);
    for (const float number : frames.view().row(0))
        hold(std::isfinite(number));
    return 0;
}
