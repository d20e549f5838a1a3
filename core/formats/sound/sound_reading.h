// Reads the audio settings of a model's folder, and computes the embeddings of audio tokens.
#pragma once

#include "core/formats/sound/log_mel.h"

#include <string>

namespace headlight::core {

inline constexpr Index kFramesOfToken = 2;

/// Reads preprocessor_config.json of a folder, for a model that reads `frames` frames of `bands`
/// mel bands. Without that file, returns Whisper's settings. Errors name the file and the field:
/// another kind of frames; sizes that differ from the model's. Also rejects more than 2²⁴ numbers.
Result<SoundPreparation> readSoundPreparation(const std::string &folder, Index bands, Index frames,
                                              std::stop_token stop = {});

/// Returns the names of the tokens, which are their start times, such as "0.02 s".
std::vector<std::string> soundNames(const SoundPreparation &preparation);

/// Returns the embeddings of the tokens: two frames side by side, [frames / 2, 2 · bands]. Throws
/// Cancelled once `stop` is requested.
Matrix soundEmbeddings(const Sound &sound, const SoundPreparation &preparation,
                       const std::stop_token &stop = {});

/// Returns initial audio of one second: two tones, one after the other.
Sound firstSound();

} // namespace headlight::core
