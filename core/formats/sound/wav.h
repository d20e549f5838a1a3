// Reads WAV files.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Audio with one channel. Samples are between −1 and 1, but files of floats may exceed this
/// range.
struct Sound {
    Index rate = 16000; ///< samples per second
    std::vector<float> samples{};
    bool operator==(const Sound &) const = default;
};

inline constexpr Index kMinSoundRate = 1000;
inline constexpr Index kMaxSoundRate = 192000;
inline constexpr Index kMaxSoundSeconds = 30;

/// Reads a WAV file (RIFF, WAVE): samples of 8, 16, 24 or 32 bits, or 32-bit floats. Two channels
/// are averaged to one. Errors, which name `file`: another format; a length that does not fit in
/// the file; more than kMaxSoundSeconds; no samples; a sample that is NaN or greater than 10⁶.
Result<Sound> readWav(std::string_view bytes, const std::string &file);

/// Reads the file at a path, of at most 64 MB. Additional errors: those of the file system;
/// "cancelled" once `stop` is requested.
Result<Sound> readWavFile(const std::string &path, const std::stop_token &stop = {});

} // namespace headlight::core
