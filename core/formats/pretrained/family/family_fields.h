// Reads the fields of a folder's config.json. Fields that are never requested are reported to the
// user.
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

/// Limit on the declared text length. It is high, because only learned positions take memory.
inline constexpr Index kMaxConfigPositions = Index(1) << 40;

/// Treats null fields as missing. Every function reports invalid values and returns a harmless one
/// instead.
class FamilyFields {
  public:
    /// `root`: the whole document, which must be an object.
    explicit FamilyFields(const Field &root) : m_root(root) {}

    bool has(const char *name) const { return isSet(m_root.member(name)); }
    /// Returns the field, for callers that need more than the functions below.
    Field field(const char *name) const { return m_root.member(name); }
    /// Returns the name that the file uses for a field with two possible names; `usual` if it has
    /// neither.
    const char *nameOf(const char *usual, const char *other) const {
        return !has(usual) && has(other) ? other : usual;
    }
    /// Reads a required whole number from 1 to `maximum`.
    Index size(const char *name, Index maximum) const;
    /// Like the function above, but returns `otherwise` if the field is missing.
    Index size(const char *name, Index maximum, Index otherwise) const;
    /// Reads a whole number of at least 0, such as a token id; nullopt if missing.
    std::optional<Index> id(const char *name) const;
    /// Returns the head size d. Reports a problem if the width is not a multiple of `heads`, the
    /// value of `headsField`.
    Index headSize(Index width, const char *headsField, Index heads) const;
    /// Returns the attention window of each layer, as in Config::windows. The field is a list of
    /// "full_attention" and "sliding_attention"; if it is missing, `hasWindow` decides. A `window`
    /// of 0 means that no layer has one.
    std::vector<Index> windows(const char *name, Index layers, Index window,
                               const std::function<bool(Index layer)> &hasWindow) const;
    /// Reads a number greater than 0.
    float positive(const char *name, float otherwise) const;
    /// Reads a softcap's limit. Null means no softcap; `otherwise` is used if the field is missing.
    Softcap softcap(const char *name, Softcap otherwise) const;
    bool flag(const char *name, bool otherwise) const;
    /// Returns nullopt if the field is missing.
    std::optional<bool> optionalFlag(const char *name) const;
    std::string text(const char *name, const char *otherwise) const;
    /// Reads an activation by its name in transformers. Rejects other names and lists the known
    /// ones.
    Activation activation(const char *name, const char *otherwise) const;
    /// Reports an unsupported feature unless the field equals `value`. A missing field means false.
    void mustBe(const char *name, bool value) const;
    /// Like mustBe(), for a list of allowed words. The first word is the default.
    void mustBeOneOf(const char *name, std::initializer_list<std::string_view> words) const;
    void refuse(const char *name, Message what, Message possible) const {
        m_root.member(name).fail(std::move(what), std::move(possible));
    }
    /// True if no problem has been reported so far.
    bool isSound() const { return m_root.reading().problems.empty(); }
    /// Rejects models with pruned heads, because all layers must have the same number of heads.
    void refusePrunedHeads() const;
    /// Marks fields as known, although they have no effect.
    void ignore(std::span<const std::string_view> names) const;

  private:
    static bool isSet(const Field &field) {
        return field.present() && !field.is(JsonValue::Kind::Null);
    }

    Field m_root;
};

/// Fields to ignore in all families: they concern training, execution or generation.
extern const std::span<const std::string_view> kUnusedFields;

/// A family's defaults for missing fields of its rotary positions.
struct RotaryDefaults {
    float base = 10000;
    double share = 1; ///< share of a head's dimensions that is rotated
    // Older names of the fields rope_theta and partial_rotary_factor; null: none.
    const char *olderBase = nullptr;
    const char *olderShare = nullptr;
};

/// Reads the rotary positions: rope_theta and rope_scaling, or rope_parameters, which transformers
/// has written since version 5, and partial_rotary_factor. `positions`: the model's maximum text
/// length.
RotaryConfig readRotary(const FamilyFields &fields, Index headSize, Index positions,
                        const RotaryDefaults &defaults = {});
/// Like the function above, with `parameters` instead of the field rope_parameters.
RotaryConfig readRotary(const FamilyFields &fields, const Field &parameters, Index headSize,
                        Index positions, const RotaryDefaults &defaults);

/// Returns YaRN's factor for queries and keys (Peng et al. 2023) for texts `factor` times as long
/// as in training. `strength` multiplies the logarithm. It is 1 in YaRN; DeepSeek changes it.
double yarnFactor(float factor, double strength);

} // namespace headlight::core
