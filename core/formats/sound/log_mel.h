// Converts audio to the frames that a model reads (Radford et al. 2022, section 2.2; Whisper's
// feature extractor in transformers).
#pragma once

#include "core/formats/sound/wav.h"
#include "core/tensor/matrix.h"

namespace headlight::core {

/// The settings of preprocessor_config.json.
struct SoundPreparation {
    Index rate = 16000;
    Index window = 400;  ///< samples of a frame, weighted by a Hann window; even
    Index hop = 160;     ///< samples from one frame to the next
    Index bands = 80;    ///< mel bands
    Index frames = 3000; ///< longer audio is cut, shorter audio padded with silence

    Index samples() const { return frames * hop; }
    double secondsOf(Index frame) const {
        return static_cast<double>(frame * hop) / static_cast<double>(rate);
    }
    bool operator==(const SoundPreparation &) const = default;
};

/// Returns the filters of the mel bands [bands, window / 2 + 1] in row-major order. They are
/// triangles with area 1 from 0 to 8000 Hz on Slaney's mel scale. A rate below 16000 leaves the
/// last bands empty.
std::vector<double> melFilters(const SoundPreparation &preparation);

/// Returns the frames [frames, bands], after resampling. The filters sum the powers of a windowed
/// frame's frequencies. A sum below 1e-10 counts as 1e-10. Takes log10 of each sum, raises the
/// results to at least 8 below the largest, adds 4, and divides by 4. At both ends, the audio
/// continues as its mirror image. Throws Cancelled once `stop` is requested.
Matrix logMelFrames(const Sound &sound, const SoundPreparation &preparation,
                    const std::stop_token &stop = {});

} // namespace headlight::core
