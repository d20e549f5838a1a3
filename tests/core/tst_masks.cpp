#include "core/operations/mask.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <string>

using namespace headlight::core;

namespace {

/// Returns the mask as text, with one row per query: '.' if visible, else the number of the layer
/// that hides the cell.
std::string drawn(const MaskLayers &layers, Index length, Index sourceLength, Index sequence = 0) {
    const Mask mask(layers, sequence, length, length, sourceLength);
    std::string text;
    for (Index i = 0; i < length; ++i) {
        for (Index j = 0; j < length; ++j) {
            const auto by = mask.hiddenBy(i, j);
            CHECK(by.has_value() == mask.hidden(i, j));
            text += by ? static_cast<char>('0' + *by) : '.';
        }
        text += '|';
    }
    return text;
}

} // namespace

TEST_CASE("each kind hides what it says") {
    CHECK(drawn({}, 3, 3) == "...|...|...|");
    CHECK(drawn({CausalMask{}}, 3, 3) == ".00|..0|...|");
    CHECK(drawn({PaddingMask{}}, 3, 2) == "..0|..0|..0|");
    CHECK(drawn({WindowMask{2, false}}, 4, 4) == ".000|..00|0..0|00..|");
    CHECK(drawn({WindowMask{1, false}}, 3, 3) == ".00|0.0|00.|");
    CHECK(drawn({WindowMask{1, true}}, 4, 4) == "..00|...0|0...|00..|");
    CHECK(drawn({WindowMask{100, true}}, 2, 2) == "..|..|");
}

TEST_CASE("the first layer that hid a cell is the one that is named") {
    CHECK(drawn({CausalMask{}, PaddingMask{}}, 3, 2) == ".00|..0|..1|");
    CHECK(drawn({PaddingMask{}, CausalMask{}}, 3, 2) == ".10|..0|..0|");
}

TEST_CASE("cells on top hide what was visible and show what was hidden") {
    const CellMask cells{{{std::nullopt, 0, 0, false}, {std::nullopt, 0, 2, true}}};
    CHECK(drawn({CausalMask{}, cells}, 3, 3) == "10.|..0|...|");
    SUBCASE("a layer above the cells hides again") {
        CHECK(drawn({cells, CausalMask{}}, 3, 3) == "011|..1|...|");
    }
    SUBCASE("the last word about a cell counts") {
        const CellMask twice{{{std::nullopt, 1, 1, false}, {std::nullopt, 1, 1, true}}};
        CHECK(drawn({twice}, 2, 2) == "..|..|");
    }
    SUBCASE("a cell of one sequence leaves the others alone") {
        const CellMask second{{{Index(1), 0, 0, false}}};
        CHECK(drawn({second}, 2, 2, 0) == "..|..|");
        CHECK(drawn({second}, 2, 2, 1) == "0.|..|");
    }
    SUBCASE("cells outside the text say nothing") {
        const CellMask outside{{{std::nullopt, 5, 0, false},
                                {std::nullopt, 0, 5, false},
                                {std::nullopt, -1, 0, false},
                                {std::nullopt, 1, -1, false}}};
        CHECK(drawn({outside}, 2, 2) == "..|..|");
    }
}

TEST_CASE("a query that sees nothing is known") {
    const CellMask blind{{{std::nullopt, 1, 0, false}, {std::nullopt, 1, 1, false}}};
    const Mask mask({blind}, 0, 2, 2, 2);
    CHECK_FALSE(mask.seesNothing(0));
    CHECK(mask.seesNothing(1));
    CHECK(mask.hidesAnything());
    CHECK_FALSE(Mask({WindowMask{5, true}}, 0, 2, 2, 2).hidesAnything());
}

TEST_CASE("applying a mask writes minus infinity and nothing else") {
    const Matrix scores(2, 2, {1, 2, 3, 4});
    Matrix masked(2, 2);
    applyMask(scores.view(), Mask({CausalMask{}}, 0, 2, 2, 2),
              -std::numeric_limits<float>::infinity(), masked.view());
    CHECK(masked == Matrix(2, 2, {1, -std::numeric_limits<float>::infinity(), 3, 4}));
}

TEST_CASE("layers have the names that session files use") {
    CHECK(kindOf(CausalMask{}) == "causal");
    CHECK(kindOf(PaddingMask{}) == "padding");
    CHECK(kindOf(WindowMask{}) == "window");
    CHECK(kindOf(CellMask{}) == "cells");
    CHECK(kindOf(PrefixMask{}) == "prefix");
    CHECK(kindOf(BlockMask{}) == "blocks");
    CHECK(kindOf(DiagonalMask{}) == "diagonal");
}

TEST_CASE("prefix, blocks and diagonal, every query and key by the rule in words") {
    for (Index length = 1; length <= 7; ++length)
        for (Index n = 0; n <= 8; ++n) {
            const Mask prefix({PrefixMask{n}}, 0, length, length, length);
            const Mask blocks({BlockMask{n + 1}}, 0, length, length, length);
            const Mask diagonal({DiagonalMask{}}, 0, length, length, length);
            for (Index i = 0; i < length; ++i)
                for (Index j = 0; j < length; ++j) {
                    CAPTURE(n);
                    CAPTURE(i);
                    CAPTURE(j);
                    const bool inPrefix = j < n;
                    const bool later = j > i;
                    CHECK(prefix.hidden(i, j) == (later && !inPrefix));
                    // In one group: there is no border, a multiple of the size, between the
                    // positions.
                    bool border = false;
                    for (Index k = std::min(i, j) + 1; k <= std::max(i, j); ++k)
                        border |= k % (n + 1) == 0;
                    CHECK(blocks.hidden(i, j) == border);
                    CHECK(diagonal.hidden(i, j) == (i == j));
                }
        }
}

TEST_CASE("uniform weights share 1 among the keys in sight") {
    const CellMask blind{
        {{std::nullopt, 2, 0, false}, {std::nullopt, 2, 1, false}, {std::nullopt, 2, 2, false}}};
    Matrix weights(3, 3);
    uniformWeights(Mask({CausalMask{}, blind}, 0, 3, 3, 3), weights.view());
    CHECK(weights == Matrix(3, 3, {1, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0}));
}
