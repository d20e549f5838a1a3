// The text of a head, and which stages have heads.
#pragma once

#include "core/transformer/model/model.h"
#include "core/transformer/names/stage.h"

#include <QCoreApplication>
#include <QString>

namespace headlight::ui {

struct HeadText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadText)
};

/// Returns "head 0".
inline QString headText(core::Index head) {
    return HeadText::tr("head %1").arg(head);
}

/// True if the stage has a matrix for each of several heads.
inline bool hasSeveralHeads(const core::Model &model, core::StageId stage) {
    return core::infoOf(stage.stage).perHead && model.hasAttention(stage.attention) &&
           model.headsOf(stage.attention) > 1;
}

} // namespace headlight::ui
