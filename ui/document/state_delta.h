// What an edit changed of a document's state, kept small: an undo step of one weight of a large
// model is a few bytes, not two models.
#pragma once

#include "core/formats/session/data/state_fields.h"
#include "ui/document/field_delta.h"
#include "ui/document/state/document_state.h"

namespace headlight::ui {

/// What a document's state has beyond a session's.
template <typename FieldValue>
struct OwnField {
    using Value = FieldValue;
    Value DocumentState::*place;
};

template <typename State, typename Value>
auto &valueIn(State &state, const OwnField<Value> &field) {
    return state.*field.place;
}

/// All that an undo step brings back.
inline constexpr std::tuple kDocumentFields =
    std::tuple_cat(core::kStateFields,
                   std::tuple{OwnField{&DocumentState::lessonStep}, OwnField{&DocumentState::edits},
                              OwnField{&DocumentState::training}, OwnField{&DocumentState::softmax},
                              OwnField{&DocumentState::lesson}});

class StateDelta {
  public:
    StateDelta(const DocumentState &before, const DocumentState &after);

    /// `present` is the state that the edit made; the one before it.
    DocumentState before(DocumentState present) const;
    /// `present` is the state before the edit; the one that it made.
    DocumentState after(DocumentState present) const;
    /// This edit and the one that followed it, as one.
    StateDelta then(const StateDelta &later) const;

    bool empty() const;
    /// Which parts of the state differ.
    ChangedParts parts() const;
    /// What keeping it costs.
    std::size_t bytes() const;

  private:
    template <typename Fields>
    struct Deltas;
    template <typename... Field>
    struct Deltas<std::tuple<Field...>> {
        using type = std::tuple<FieldDelta<typename Field::Value>...>;
    };
    using FieldDeltas = Deltas<std::remove_const_t<decltype(kDocumentFields)>>::type;

    StateDelta() = default;
    template <typename Visit>
    static void forEachIndex(Visit visit);
    DocumentState laid(DocumentState state, Way way) const;

    FieldDeltas m_deltas; // one for each of kDocumentFields
};

} // namespace headlight::ui
