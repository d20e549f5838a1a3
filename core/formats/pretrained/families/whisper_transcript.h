// The tokens before a transcript of Whisper.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Returns the ids that generate() of transformers puts after decoder_start_token_id: the language,
/// the task and the token for a text without timestamps. A language that is not specified is the
/// only one or English, and the task is then to transcribe. Problems: a language or a task that the
/// folder does not have.
std::vector<Index> startOfTranscript(const FamilyFields &fields);

} // namespace headlight::core
