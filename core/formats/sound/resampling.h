// Changes the number of samples per second of audio.
#pragma once

#include "core/formats/sound/wav.h"

namespace headlight::core {

/// Returns the audio at another rate. The filter is a sinc with a Hann window of 32 zero crossings,
/// and its cutoff is half of the lower rate. Both rates are from kMinSoundRate to kMaxSoundRate.
/// Throws Cancelled once `stop` is requested.
Sound resampled(const Sound &sound, Index rate, const std::stop_token &stop = {});

} // namespace headlight::core
