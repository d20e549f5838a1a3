// The tokens before a transcript of Whisper.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Returns the ids that generate() of transformers puts after decoder_start_token_id: the language,
/// the task and the token for a text without timestamps. If the folder does not specify them, the
/// language is the only one in the folder or English, and the task is to transcribe. Problems: a
/// language or a task that the folder does not have.
std::vector<Index> startOfTranscript(const FamilyFields &fields);

} // namespace headlight::core
