// The session fields that a lesson step or the user can change. Reading, applying, comparing,
// undoing and writing share this list. A new field needs one line here and one member of
// StatePatch; its type determines the rest.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/formats/session/data/state_part.h"

#include <tuple>
#include <type_traits>

namespace headlight::core {

/// A field of the state: its member in the model or input, and its member in a patch.
template <typename Owner, typename FieldValue, typename Said>
struct StateField {
    using Value = FieldValue;
    const char *name; ///< name in files
    StatePart part;
    Value Owner::*place;
    Said StatePatch::*inPatch;
};
template <typename Owner, typename Value, typename Said>
StateField(const char *, StatePart, Value Owner::*, Said StatePatch::*)
    -> StateField<Owner, Value, Said>;

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

/// Switches, which files also have as fields of `model`.
inline constexpr std::tuple kSwitches{
    StateField{"positions", StatePart::Positions, &Config::positions, &StatePatch::positions},
    StateField{"scale", StatePart::Scale, &Config::scale, &StatePatch::scale},
    StateField{"score_cap", StatePart::Structure, &Config::scoreCap, &StatePatch::scoreCap},
    StateField{"temperature", StatePart::Temperature, &Config::temperature,
               &StatePatch::temperature},
    StateField{"softmax", StatePart::Softmax, &Config::softmax, &StatePatch::softmax},
    StateField{"norm", StatePart::Structure, &Config::norm, &StatePatch::norm},
    StateField{"query_key_norm", StatePart::Structure, &Config::queryKeyNorm,
               &StatePatch::queryKeyNorm},
    StateField{"residual", StatePart::Structure, &Config::residual, &StatePatch::residual},
    StateField{"parallel", StatePart::Structure, &Config::parallel, &StatePatch::parallel},
    StateField{"shared_norm", StatePart::Structure, &Config::sharedNorm, &StatePatch::sharedNorm},
    StateField{"feed_forward", StatePart::Structure, &Config::feedForward,
               &StatePatch::feedForward},
    StateField{"scale_embeddings", StatePart::Structure, &Config::scaleEmbeddings,
               &StatePatch::scaleEmbeddings},
    StateField{"sinusoid_order", StatePart::Structure, &Config::sinusoidOrder,
               &StatePatch::sinusoidOrder},
    StateField{"rotary", StatePart::Structure, &Config::rotary, &StatePatch::rotary},
    StateField{"relative", StatePart::Structure, &Config::relative, &StatePatch::relative},
    StateField{"windows", StatePart::Structure, &Config::windows, &StatePatch::windows},
    StateField{"alibi_slopes", StatePart::Structure, &Config::alibiSlopes,
               &StatePatch::alibiSlopes},
    StateField{"head", StatePart::Structure, &Config::outputLayer, &StatePatch::head},
    StateField{"logit_cap", StatePart::Structure, &Config::logitCap, &StatePatch::logitCap},
};

/// All fields, in the order in which they are applied and written. Other fields (sizes,
/// vocabularies) never change while a document is open.
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
template <typename State, typename Owner, typename Value, typename Said>
auto &valueIn(State &state, const StateField<Owner, Value, Said> &field) {
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
