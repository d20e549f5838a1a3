// Options of the Heads view: the large matrix may combine heads instead of showing one.
#pragma once

#include "core/analysis/combined_attention.h"
#include "ui/figures/base/head_lines.h"

#include <QString>

#include <optional>

namespace headlight::ui {

/// Returns the word of the command line and the settings: "none", "special", "first" or
/// "special,first".
QString nameOf(const core::LeftOutKeys &keys);
std::optional<core::LeftOutKeys> findLeftOutKeys(const QString &name);

/// Returns "all", "0.05" for weights of at least that size, or "90%" for a share of each row.
QString nameOf(const core::KeptWeights &kept);
/// The least weight and the share are from 0 to 1, and 0 % to 100 %.
std::optional<core::KeptWeights> findKeptWeights(const QString &name);

/// Returns the heads as a word of the settings, such as "1,4"; empty: all heads.
QString settingOf(const std::vector<core::Index> &heads);
/// Returns the heads of such a word, in ascending order; empty if it is another text.
std::vector<core::Index> headsOfSetting(const QString &word);

struct HeadCombination {
    core::Combination combination = core::Combination::None;
    bool words = false; ///< pieces are merged into words
    core::LeftOutKeys leftOut;
    core::KeptWeights kept;
    bool operator==(const HeadCombination &) const = default;

    bool isOn() const { return combination != core::Combination::None; }
    /// True if pieces can be merged and keys left out. Flow to several tokens is not the sum of the
    /// flows to each of them.
    bool canMerge() const { return combination != core::Combination::Flow; }
    /// Returns what to compute for a layer with `count` heads. If none of the chosen heads exists,
    /// it is all of them. The combination must be on.
    core::CombinationRequest request(const LineHeads &heads, core::Index count) const;
};

} // namespace headlight::ui
