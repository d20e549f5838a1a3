// The session fields that a lesson step or the user can change. Reading, applying, comparing,
// undoing and writing share this list. A new field needs one line here, or in kSwitches for a
// setting of the config, and one member of StatePatch; its type determines the rest.
#pragma once

#include "core/formats/session/data/session.h"

#include <tuple>
#include <type_traits>

namespace headlight::core {

/// The batch or the second sequences. A patch may contain a text instead, which is tokenized.
struct SequencesField : StateField<Input, BatchPointer, std::optional<BatchPointer>> {
    const char *textName;
    std::optional<std::string> StatePatch::*text;
    Index Session::*minimumLength; ///< minimum length of the padded batch
};

using ParametersField = StateField<Model, ModelParameters, std::vector<ParameterPatch>>;
using WordsField = StateField<Model, EmbeddingsPointer, std::map<std::string, std::vector<float>>>;

inline constexpr SequencesField kBatchField{
    {"batch", StatePart::Text, &Input::batch, &StatePatch::batch},
    "text",
    &StatePatch::text,
    &Session::minimumLength};
inline constexpr SequencesField kSourceField{
    {"source", StatePart::Text, &Input::source, &StatePatch::source},
    "source_text",
    &StatePatch::sourceText,
    &Session::sourceMinimumLength};

/// All fields, in the order in which they are applied and written. Sizes and vocabularies are not
/// included, because they never change while a document is open.
inline constexpr std::tuple kStateFields = std::tuple_cat(
    std::tuple{
        kBatchField, kSourceField,
        StateField{"masks", StatePart::Masks, &Input::masks, &StatePatch::masks},
        StateField{"encoder_masks", StatePart::Masks, &Input::encoderMasks,
                   &StatePatch::encoderMasks},
        StateField{"cross_masks", StatePart::Masks, &Input::crossMasks, &StatePatch::crossMasks}},
    kSwitches,
    std::tuple{// Files use two fields: the value, and whether to mask after softmax.
               StateField{"mask_value", StatePart::Masking, &Config::masking, &StatePatch::masking},
               StateField{"interventions", StatePart::Interventions, &Input::interventions,
                          &StatePatch::interventions},
               // Must follow the switches, which determine the parameters that exist.
               ParametersField{"parameters", StatePart::Parameters, &Model::parameters,
                               &StatePatch::parameters},
               WordsField{"words", StatePart::Words, &Model::embeddings, &StatePatch::words}});

/// Calls visit(field) for each field of a list.
template <typename Fields, typename Visit>
constexpr void forEachField(const Fields &fields, Visit visit) {
    std::apply([&visit](const auto &...field) { (visit(field), ...); }, fields);
}

/// Returns the field's value in a state with `model` and `input`.
template <typename State, typename Owner, typename Value, typename InPatch>
auto &valueIn(State &state, const StateField<Owner, Value, InPatch> &field) {
    if constexpr (std::is_same_v<Owner, Config>)
        return state.model.config.*field.place;
    else if constexpr (std::is_same_v<Owner, Model>)
        return state.model.*field.place;
    else
        return state.input.*field.place;
}

template <typename Owner, typename Value>
bool isSet(const StatePatch &patch, const StateField<Owner, Value, std::optional<Value>> &field) {
    return (patch.*field.inPatch).has_value();
}
inline bool isSet(const StatePatch &patch, const SequencesField &field) {
    return patch.*field.inPatch || patch.*field.text;
}
inline bool isSet(const StatePatch &patch, const ParametersField &field) {
    return !(patch.*field.inPatch).empty();
}
inline bool isSet(const StatePatch &patch, const WordsField &field) {
    return !(patch.*field.inPatch).empty();
}

} // namespace headlight::core
