// What an edit changed of a document's state, kept small: an undo step of one weight of a large
// model is a few bytes, not two models.
#pragma once

#include "ui/document/document_state.h"
#include "ui/document/matrix_delta.h"

#include <map>

namespace headlight::ui {

class StateDelta {
  public:
    StateDelta(const DocumentState &before, const DocumentState &after);

    /// `present` is the state that the edit made; the one before it.
    DocumentState before(const DocumentState &present) const;
    /// `present` is the state before the edit; the one that it made.
    DocumentState after(const DocumentState &present) const;
    /// This edit and the one that followed it, as one.
    StateDelta then(const StateDelta &later) const;

    bool empty() const;
    /// What keeping it costs.
    std::size_t bytes() const;

  private:
    /// A part that is kept by value, where it changed: a step that leaves it alone keeps a pointer.
    template <typename Value>
    struct Part {
        struct Change {
            Value before, after;
        };
        std::shared_ptr<const Change> change;
        Part() = default;
        Part(const Value &before, const Value &after) {
            if (!(before == after))
                change = std::make_shared<const Change>(Change{before, after});
        }
        Part then(const Part &later) const {
            if (!change || !later.change)
                return change ? *this : later;
            return Part(change->before, later.change->after);
        }
    };
    /// The masks of every attention.
    struct Masks {
        core::MaskLayers own, encoder, cross;
        bool operator==(const Masks &) const = default;
    };
    /// The sequences' own embeddings, where the tokens are the same; else the whole batch.
    struct BatchDelta {
        Part<core::BatchPointer> whole;
        std::map<core::Index, MatrixDelta> embeddings; // by sequence
        BatchDelta() = default;
        BatchDelta(const core::BatchPointer &before, const core::BatchPointer &after);
        bool empty() const { return !whole.change && embeddings.empty(); }
    };
    /// The words' vectors, each a matrix of one row; null where the word was given none. The whole
    /// where more than vectors differs.
    struct WordsDelta {
        Part<core::EmbeddingsPointer> whole;
        std::map<std::string, MatrixDelta> words;
        std::weak_ptr<const core::Embeddings> knownBefore, knownAfter;
        WordsDelta() = default;
        WordsDelta(const core::EmbeddingsPointer &before, const core::EmbeddingsPointer &after);
        bool empty() const { return !whole.change && words.empty(); }
    };
    using Parameters = std::map<core::ParameterId, MatrixDelta>;

    StateDelta() = default;
    static Masks masksOf(const core::Input &input);
    static std::size_t bytesOf(const Masks &masks);
    DocumentState patched(const DocumentState &present, bool forward) const;
    static BatchDelta then(const BatchDelta &first, const BatchDelta &later);
    static WordsDelta then(const WordsDelta &first, const WordsDelta &later);
    static core::BatchPointer patched(const BatchDelta &delta, const core::BatchPointer &present,
                                      bool forward);
    static core::EmbeddingsPointer patched(const WordsDelta &delta,
                                           const core::EmbeddingsPointer &present, bool forward);

    Part<core::Config> m_config;
    Part<Masks> m_masks;
    Part<core::Interventions> m_interventions;
    Part<core::Index> m_lessonStep;
    Part<PersonsEdits> m_edits;
    Parameters m_parameters;
    BatchDelta m_batch;
    BatchDelta m_source; // the second sequences
    WordsDelta m_words;
};

} // namespace headlight::ui
