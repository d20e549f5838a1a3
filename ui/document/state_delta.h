// The difference that an edit makes to a document's state, in a compact form. Changing one
// parameter of a large model takes a few bytes, not two models.
#pragma once

#include "core/formats/session/data/state_fields.h"
#include "ui/document/field_delta.h"
#include "ui/document/state/document_state.h"

namespace headlight::ui {

/// A field of a document's state that a session's state does not have.
template <typename FieldValue>
struct OwnField {
    using Value = FieldValue;
    Value DocumentState::*place;
};

template <typename State, typename Value>
auto &valueIn(State &state, const OwnField<Value> &field) {
    return state.*field.place;
}

/// All fields that undo restores. DocumentState::edits follows from them.
inline constexpr std::tuple kDocumentFields =
    std::tuple_cat(core::kStateFields,
                   std::tuple{OwnField{&DocumentState::lessonStep},
                              OwnField{&DocumentState::training}, OwnField{&DocumentState::softmax},
                              OwnField{&DocumentState::lesson}, OwnField{&DocumentState::pairs}});

class StateDelta {
  public:
    StateDelta(const DocumentState &before, const DocumentState &after);

    /// Returns the state before the edit. `present` is the state after the edit.
    DocumentState before(DocumentState present) const;
    /// Returns the state after the edit. `present` is the state before the edit.
    DocumentState after(DocumentState present) const;
    /// Combines this edit with the edit that followed.
    StateDelta then(const StateDelta &later) const;

    bool empty() const;
    /// Returns the parts of the state that differ.
    ChangedParts parts() const;
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
