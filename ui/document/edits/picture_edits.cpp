#include "ui/document/edits/picture_edits.h"

#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/document/state/fitting_input.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace headlight::ui::edits {

namespace {

struct PictureEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::PictureEdits)
};

} // namespace

core::Result<Change> setPicture(const core::Session &session, const DocumentState &state,
                                const core::Picture &picture, const QString &name) {
    if (!session.pretrained || !session.pretrained->picture)
        return core::Error{"this model reads no pictures", "", "open the folder of a ViT"};
    core::Result<core::Input> input = core::inputOf(*session.pretrained, picture);
    if (!input)
        return input.error();
    Edit edit{state, {PictureEditText::tr("Picture: %1").arg(QFileInfo(name).fileName()), {}, {}}};
    edit.state.input.batch = input->batch;
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

} // namespace headlight::ui::edits
