// Options of the Heads view: the large matrix may combine heads instead of showing one.
#pragma once

#include "core/analysis/combined_attention.h"
#include "ui/figures/base/head_lines.h"

#include <QString>

#include <optional>

namespace headlight::ui {

/// Returns the name used on the command line and in settings: "none", "special", "first" or
/// "special,first".
QString nameOf(const core::LeftOutKeys &keys);
std::optional<core::LeftOutKeys> findLeftOutKeys(const QString &name);

/// Returns "all", "0.05" for weights of at least that size, or "90%" for a share of each row.
QString nameOf(const core::KeptWeights &kept);
/// Accepts minimum weights of 0 … 1 and shares of 0 % … 100 %.
std::optional<core::KeptWeights> findKeptWeights(const QString &name);

/// Returns the heads as written in settings, such as "1,4". An empty text means all heads.
QString settingOf(const std::vector<core::Index> &heads);
/// Parses a list of heads in ascending order, such as "1,4". Empty if it is malformed.
std::vector<core::Index> headsOfSetting(const QString &word);

struct HeadCombination {
    core::Combination combination = core::Combination::None;
    bool words = false; ///< tokens are merged into words
    core::LeftOutKeys leftOut;
    core::KeptWeights kept;
    bool operator==(const HeadCombination &) const = default;

    bool isOn() const { return combination != core::Combination::None; }
    /// True if tokens can be merged and keys left out. Flow does not allow this, because the flow
    /// to several tokens is not the sum of the flows to each of them.
    bool canMerge() const { return combination != core::Combination::Flow; }
    /// Returns what to compute for a layer with `count` heads. Combines all heads if none of the
    /// chosen ones exists. The combination must be on.
    core::CombinationRequest request(const LineHeads &heads, core::Index count) const;
};

} // namespace headlight::ui
