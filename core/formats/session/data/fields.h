// The types of a session file that have a field table. The tables are in session/fields/, except a
// recipe's tables, which are in training/recipe/.
#pragma once

#include "core/formats/fields/field_table.h"
#include "core/formats/session/data/session.h"
#include "core/formats/session/data/words.h"

namespace headlight::core {

// clang-format off
template <> const FieldTable<SessionHeader> &Fields<SessionHeader>::table();
template <> const FieldTable<CapturedFile> &Fields<CapturedFile>::table();
template <> const FieldTable<ModelReference> &Fields<ModelReference>::table();
template <> const FieldTable<TrainingRun> &Fields<TrainingRun>::table();
template <> const FieldTable<AblatedRun> &Fields<AblatedRun>::table();
template <> const FieldTable<Norm> &Fields<Norm>::table();
template <> const FieldTable<FeedForward> &Fields<FeedForward>::table();
template <> const FieldTable<RotaryConfig> &Fields<RotaryConfig>::table();
template <> const FieldTable<RelativeConfig> &Fields<RelativeConfig>::table();
template <> const FieldTable<LatentAttention> &Fields<LatentAttention>::table();
template <> const FieldTable<PicturePatches> &Fields<PicturePatches>::table();
template <> const FieldTable<Disentangled> &Fields<Disentangled>::table();
template <> const FieldTable<OutputLayer> &Fields<OutputLayer>::table();
template <> const FieldTable<EncoderSizes> &Fields<EncoderSizes>::table();
template <> const FieldTable<Config> &Fields<Config>::table();
template <> const FieldTable<SoftmaxLook> &Fields<SoftmaxLook>::table();
template <> const FieldTable<BirthState> &Fields<BirthState>::table();
template <> const FieldTable<ModelViewState> &Fields<ModelViewState>::table();
template <> const FieldTable<SelectionPatch> &Fields<SelectionPatch>::table();
template <> const FieldTable<ViewOptions> &Fields<ViewOptions>::table();
template <> const FieldTable<WindowMask> &Fields<WindowMask>::table();
template <> const FieldTable<PrefixMask> &Fields<PrefixMask>::table();
template <> const FieldTable<BlockMask> &Fields<BlockMask>::table();
template <> const FieldTable<MaskCell> &Fields<MaskCell>::table();
template <> const FieldTable<HeadIntervention> &Fields<HeadIntervention>::table();
template <> const FieldTable<ScoreIntervention> &Fields<ScoreIntervention>::table();
template <> const FieldTable<Answer> &Fields<Answer>::table();
template <> const FieldTable<Question> &Fields<Question>::table();
template <> const FieldTable<Goal> &Fields<Goal>::table();
template <> const FieldTable<Exercise> &Fields<Exercise>::table();
template <> const FieldTable<LessonRun> &Fields<LessonRun>::table();
template <> const FieldTable<PanelPatch> &Fields<PanelPatch>::table();
template <> const FieldTable<LessonStep> &Fields<LessonStep>::table();
template <> const FieldTable<Lesson> &Fields<Lesson>::table();
// clang-format on

} // namespace headlight::core
