// The difference that an edit makes to one field of a document's state, in a compact form.
#pragma once

#include "core/analysis/token_partners.h"
#include "ui/document/matrix_delta.h"
#include "ui/document/state/changed_parts.h"

#include <map>
#include <memory>
#include <string>

namespace headlight::ui {

/// Direction of a delta: undo or redo.
enum class Way { Back, Forward };

/// A field that is stored as a whole if it changed. An unchanged field costs one null pointer. The
/// specializations below have the same functions and store less than the whole value.
template <typename Value>
class FieldDelta {
  public:
    FieldDelta() = default;
    FieldDelta(const Value &before, const Value &after) {
        if (!(before == after))
            m_change = std::make_shared<const Change>(Change{before, after});
    }

    /// Sets `present` to the field's value after the edit (Forward) or before it (Back).
    void lay(Value &present, Way way) const {
        if (m_change)
            present = way == Way::Forward ? m_change->after : m_change->before;
    }
    /// Combines this edit with the edit that followed.
    FieldDelta then(const FieldDelta &later) const {
        if (empty() || later.empty())
            return empty() ? later : *this;
        return {m_change->before, later.m_change->after};
    }
    bool empty() const { return !m_change; }
    /// Returns the memory used outside this object, in bytes.
    std::size_t bytes() const;

    const Value &before() const { return m_change->before; } ///< requires !empty()
    const Value &after() const { return m_change->after; }   ///< requires !empty()

  private:
    struct Change {
        Value before, after;
    };
    std::shared_ptr<const Change> m_change;
};

/// Returns the memory that a value uses outside itself.
inline std::size_t bytesOf(const auto &) {
    return 0;
}
std::size_t bytesOf(const core::BatchPointer &batch);
std::size_t bytesOf(const core::MaskLayers &layers);
std::size_t bytesOf(const core::EmbeddingsPointer &embeddings);
std::size_t bytesOf(const core::Interventions &interventions);
std::size_t bytesOf(const ChangedParts &parts);
std::size_t bytesOf(const core::TrainingRunPointer &run);
std::size_t bytesOf(const core::SoftmaxLook &look);
std::size_t bytesOf(const core::OwnPairsPointer &pairs);
/// Counts the whole draft, because each undo step has its own.
std::size_t bytesOf(const LessonDraftPointer &draft);

template <typename Value>
std::size_t FieldDelta<Value>::bytes() const {
    return empty() ? 0 : sizeof(Change) + bytesOf(before()) + bytesOf(after());
}

/// Stores only the parameters that differ.
template <>
class FieldDelta<core::ModelParameters> {
  public:
    FieldDelta() = default;
    FieldDelta(const core::ModelParameters &before, const core::ModelParameters &after);
    void lay(core::ModelParameters &present, Way way) const;
    FieldDelta then(const FieldDelta &later) const;
    bool empty() const { return m_parameters.empty(); }
    std::size_t bytes() const;
    void addTo(ChangedParts &parts) const;

  private:
    std::map<core::ParameterId, MatrixDelta> m_parameters;
};

/// Stores only the sequences' own embeddings if the tokens are unchanged, otherwise the whole
/// batch.
template <>
class FieldDelta<core::BatchPointer> {
  public:
    FieldDelta() = default;
    FieldDelta(const core::BatchPointer &before, const core::BatchPointer &after);
    void lay(core::BatchPointer &present, Way way) const;
    FieldDelta then(const FieldDelta &later) const;
    bool empty() const { return !m_whole && m_embeddings.empty(); }
    std::size_t bytes() const;

  private:
    struct Whole {
        core::BatchPointer before, after;
    };
    std::shared_ptr<const Whole> m_whole;
    std::map<core::Index, MatrixDelta> m_embeddings; // key: the sequence
};

/// Stores word vectors as matrices of one row, null where a word had none. Stores the whole value
/// if anything else differs.
template <>
class FieldDelta<core::EmbeddingsPointer> {
  public:
    FieldDelta() = default;
    FieldDelta(const core::EmbeddingsPointer &before, const core::EmbeddingsPointer &after);
    void lay(core::EmbeddingsPointer &present, Way way) const;
    FieldDelta then(const FieldDelta &later) const;
    bool empty() const { return !m_whole && m_words.empty(); }
    std::size_t bytes() const;

  private:
    struct Whole {
        core::EmbeddingsPointer before, after;
    };
    std::shared_ptr<const Whole> m_whole;
    std::map<std::string, MatrixDelta> m_words;
    std::weak_ptr<const core::Embeddings> m_knownBefore, m_knownAfter;
};

} // namespace headlight::ui
