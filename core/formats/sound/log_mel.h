// From a sound to the frames that a model reads (Radford et al. 2022, section 2.2; Whisper's
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
    Index frames = 3000; ///< longer sounds are cut, shorter ones filled up with silence

    Index samples() const { return frames * hop; }
    double secondsOf(Index frame) const {
        return static_cast<double>(frame * hop) / static_cast<double>(rate);
    }
    bool operator==(const SoundPreparation &) const = default;
};

/// Returns the filters of the mel bands [bands, window / 2 + 1]: triangles from 0 to 8000 Hz on
/// Slaney's mel scale, each with the area 1. Row by row. A rate below 16000 leaves the last bands
/// empty.
std::vector<double> melFilters(const SoundPreparation &preparation);

/// Returns the frames [frames, bands], after resampling. The powers of a windowed frame's
/// frequencies are summed by the filters. Their log10, of at least 1e-10 and at most 8 below the
/// largest, is increased by 4 and divided by 4. At both ends, the sound continues as its mirror
/// image. Throws Cancelled once `stop` is requested.
Matrix logMelFrames(const Sound &sound, const SoundPreparation &preparation,
                    const std::stop_token &stop = {});

} // namespace headlight::core
