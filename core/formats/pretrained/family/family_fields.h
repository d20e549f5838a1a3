// The fields of a folder's config.json, as a family asks for them. What is asked for is known; what
// nobody asks for is named to the person.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/operations/activation.h"
#include "core/operations/rotary.h"
#include "core/transformer/model/config.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Tokens that a model says it can read. Only learned positions take memory.
inline constexpr Index kMaximumConfigPositions = Index(1) << 40;

/// A field that is null is as good as absent. Every function notes a problem where the value is not
/// what it should be, and gives a harmless one.
class FamilyFields {
  public:
    /// `root` is the whole document, an object.
    explicit FamilyFields(const Field &root) : m_root(root) {}

    bool has(const char *name) const { return isSaid(m_root.member(name)); }
    /// The field itself, for who needs more than what is here.
    Field field(const char *name) const { return m_root.member(name); }
    /// A whole number from 1 to `maximum`, which must be said.
    Index size(const char *name, Index maximum) const;
    /// The same, or `otherwise` where it is not said.
    Index size(const char *name, Index maximum, Index otherwise) const;
    /// A whole number from 0 on, such as a token's id; none where it is not said.
    std::optional<Index> id(const char *name) const;
    /// d, of heads that share a width evenly: `heads` of the field of this name.
    Index headSize(Index width, const char *headsField, Index heads) const;
    /// Which layers see a window alone, as Config::windows: the field is a list of
    /// "full_attention" and "sliding_attention"; where it is not said, `hasWindow` tells. A window
    /// of 0: no layer has one.
    std::vector<Index> windows(const char *name, Index layers, Index window,
                               const std::function<bool(Index layer)> &hasWindow) const;
    /// Greater than 0.
    float positive(const char *name, float otherwise) const;
    bool flag(const char *name, bool otherwise) const;
    /// None where it is not said.
    std::optional<bool> said(const char *name) const;
    std::string text(const char *name, const char *otherwise) const;
    /// By the names that transformers has for them; others are refused with the list of ours.
    Activation activation(const char *name, const char *otherwise) const;
    /// Whether a feature is on that Headlight does not have: then it is refused. Not said: it is
    /// off.
    void mustBe(const char *name, bool value) const;
    /// The same of words; the first is what is meant where nothing is said.
    void mustBeOneOf(const char *name, std::initializer_list<std::string_view> words) const;
    void refuse(const char *name, Message what, Message possible) const {
        m_root.member(name).fail(std::move(what), std::move(possible));
    }
    /// No problem was noted yet.
    bool isSound() const { return m_root.reading().problems.empty(); }
    /// Heads that were taken out of single layers: every layer has as many here.
    void refusePrunedHeads() const;
    /// They are known, and change nothing.
    void ignore(std::span<const std::string_view> names) const;

  private:
    static bool isSaid(const Field &field) {
        return field.present() && !field.is(JsonValue::Kind::Null);
    }

    Field m_root;
};

/// What no family's computation depends on: how it was trained, is run, or generates.
extern const std::span<const std::string_view> kUnusedFields;

/// How queries and keys are turned: rope_theta and rope_scaling, or rope_parameters as transformers
/// writes them from version 5 on. `positions` are what the model can read.
RotaryConfig readRotary(const FamilyFields &fields, Index headSize, Index positions);

} // namespace headlight::core
