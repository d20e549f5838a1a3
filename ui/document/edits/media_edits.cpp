#include "ui/document/edits/media_edits.h"

#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/document/state/fitting_input.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace headlight::ui::edits {

namespace {

struct PictureEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::PictureEdits)
};

struct SoundEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SoundEdits)
};

} // namespace

core::Result<core::BatchPointer>
patchesOf(const core::Session &session, const core::Picture &picture, const std::stop_token &stop) {
    if (!session.pretrained || !session.pretrained->picture)
        return core::Error{"this model reads no pictures", "", "open the folder of a ViT"};
    core::Result<core::Input> input = core::inputOf(*session.pretrained, picture, stop);
    if (!input)
        return input.error();
    return input->batch;
}

core::Result<Change> setPicture(const DocumentState &state, core::BatchPointer patches,
                                const QString &name) {
    Edit edit{state, {PictureEditText::tr("Picture: %1").arg(QFileInfo(name).fileName()), {}, {}}};
    edit.state.input.batch = std::move(patches);
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

core::Result<core::BatchPointer> framesOf(const core::Session &session, const core::Sound &sound,
                                          const std::stop_token &stop) {
    if (!session.pretrained || !session.pretrained->sound)
        return core::Error{"this model reads no audio", "", "open the folder of a Whisper model"};
    core::Result<core::Input> input = core::inputOf(*session.pretrained, sound, {}, stop);
    if (!input)
        return input.error();
    return input->source;
}

core::Result<Change> setSound(const DocumentState &state, core::BatchPointer frames,
                              const QString &name) {
    Edit edit{state, {SoundEditText::tr("Audio: %1").arg(QFileInfo(name).fileName()), {}, {}}};
    if (!edit.state.input.source || edit.state.input.source->count() != 1)
        return core::Error{"audio needs a single sequence", "", "remove the other sequences"};
    edit.state.input.source = std::move(frames);
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

} // namespace headlight::ui::edits
