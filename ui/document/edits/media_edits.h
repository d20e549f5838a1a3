// Edits that replace the picture or the audio that a model reads.
#pragma once

#include "core/formats/picture/picture.h"
#include "core/formats/session/data/session.h"
#include "core/formats/sound/wav.h"
#include "ui/document/state/change.h"

#include <stop_token>

namespace headlight::ui::edits {

/// Cuts the picture into patches as the model's folder specifies. May take a second. Errors: a
/// model that reads texts; core::preparedPicture(); "cancelled".
core::Result<core::BatchPointer> patchesOf(const core::Session &session,
                                           const core::Picture &picture,
                                           const std::stop_token &stop = {});

/// Replaces the picture with one that patchesOf() made. `name` is the name or path of its file.
core::Result<Change> setPicture(const DocumentState &state, core::BatchPointer patches,
                                const QString &name);

/// Turns the audio into frames as the model's folder specifies. May take a second. Errors: a model
/// that does not read audio; "cancelled" once `stop` is requested.
core::Result<core::BatchPointer> framesOf(const core::Session &session, const core::Sound &sound,
                                          const std::stop_token &stop = {});

/// Replaces the audio with frames that framesOf() made. The transcript is kept. `name` is the name
/// or path of its file.
core::Result<Change> setSound(const DocumentState &state, core::BatchPointer frames,
                              const QString &name);

} // namespace headlight::ui::edits
