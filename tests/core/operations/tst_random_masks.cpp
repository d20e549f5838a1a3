// Masks of random layers, compared cell by cell with a plain table.
#include "core/operations/mask.h"
#include "core/random.h"
#include "core_test.h"

namespace {

struct Place {
    Index sequence = 0;
    Index queries = 1;
    Index keys = 1;
    Index sourceLength = 1;
};

Mask maskOf(const MaskLayers &layers, const Place &at) {
    return {layers, at.sequence, at.queries, at.keys, at.sourceLength};
}

/// Returns true if a rule hides a key from a query.
struct Hides {
    Index query, key, sourceLength;

    bool operator()(const CausalMask &) const { return key > query; }
    bool operator()(const PaddingMask &) const { return key >= sourceLength; }
    bool operator()(const WindowMask &window) const {
        const Index back = query - key;
        return window.bothWays ? std::abs(back) > window.width : back < 0 || back >= window.width;
    }
    bool operator()(const CellMask &) const { return false; }
    bool operator()(const PrefixMask &of) const { return key > query && key >= of.length; }
    bool operator()(const BlockMask &of) const { return query / of.size != key / of.size; }
    bool operator()(const DiagonalMask &) const { return key == query; }
};

using Marks = std::vector<std::vector<std::size_t>>;

/// Returns the [T, S] table of the layer that hides each cell: 0 if visible, else 1 + its index.
Marks marksOf(const MaskLayers &layers, const Place &at) {
    Marks marks(static_cast<std::size_t>(at.queries),
                std::vector<std::size_t>(static_cast<std::size_t>(at.keys), 0));
    for (std::size_t index = 0; index < layers.size(); ++index)
        for (Index i = 0; i < at.queries; ++i)
            for (Index j = 0; j < at.keys; ++j) {
                std::size_t &mark = marks[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
                if (mark == 0 && std::visit(Hides{i, j, at.sourceLength}, layers[index]))
                    mark = index + 1;
                if (const auto *by = std::get_if<CellMask>(&layers[index]))
                    for (const MaskCell &cell : by->cells)
                        if (cell.sequence.value_or(at.sequence) == at.sequence && cell.query == i &&
                            cell.key == j)
                            mark = cell.visible ? 0 : index + 1;
            }
    return marks;
}

class Drawing {
  public:
    explicit Drawing(std::uint64_t seed) : m_random(seed) {}

    /// Returns a number from `least` to `most`.
    Index number(Index least, Index most) {
        const auto count = static_cast<std::uint64_t>(most - least + 1);
        return least + static_cast<Index>(m_random.next() % count);
    }
    bool coin() { return number(0, 1) == 1; }
    /// Returns a number for a mask rule: usually about the table's size, sometimes the largest
    /// Index.
    Index setting(Index least) {
        return number(0, 9) == 0 ? std::numeric_limits<Index>::max() : number(least, 14);
    }
    Place place() {
        Place at{number(0, 2), number(1, 11), number(1, 11), 0};
        at.sourceLength = coin() ? at.keys : number(0, at.keys);
        return at;
    }
    MaskLayers layers() {
        MaskLayers layers;
        for (Index count = number(0, 5); count > 0; --count)
            layers.push_back(layer());
        return layers;
    }
    float value() { return static_cast<float>(m_random.normal()); }

  private:
    MaskLayer layer() {
        switch (number(0, 8)) {
        case 0:
            return CausalMask();
        case 1:
            return PaddingMask();
        case 2:
            return WindowMask{setting(1), coin()};
        case 3:
            return PrefixMask{setting(0)};
        case 4:
            return BlockMask{setting(1)};
        case 5:
            return DiagonalMask();
        default:
            return cells();
        }
    }
    /// Returns cells that include duplicates, neighbours, cells outside the table and cells of
    /// other sequences.
    CellMask cells() {
        CellMask mask;
        for (Index count = number(0, 30); count > 0; --count) {
            const Index query = number(-1, 11), key = number(-1, 11);
            for (Index width = coin() ? 1 : number(1, 4), j = key; j < key + width; ++j)
                mask.cells.push_back(
                    {number(0, 3) == 0 ? std::optional(number(0, 2)) : std::nullopt, query, j,
                     coin()});
        }
        return mask;
    }

    Random m_random;
};

/// Returns an empty string if the runs match the marks.
std::string problemOf(const std::vector<MaskRun> &runs, const std::vector<std::size_t> &marks,
                      Index first, Index end) {
    Index next = first;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (runs[r].first != next || runs[r].end <= next || runs[r].end > end)
            return "the runs leave keys out, or overlap";
        if (r > 0 && runs[r].mark == runs[r - 1].mark)
            return "a run ends too soon";
        for (; next < runs[r].end; ++next)
            if (marks[static_cast<std::size_t>(next)] != runs[r].mark)
                return "a run has another mark";
    }
    return next == end ? "" : "the runs end too soon";
}

std::vector<MaskRun> runsOf(const Mask &mask, Index query, Index first, Index end) {
    std::vector<MaskRun> runs;
    mask.forEachRun(query, first, end, [&](const MaskRun &run) { runs.push_back(run); });
    return runs;
}

bool sameBits(const Matrix &a, const Matrix &b) {
    const auto x = a.values(), y = b.values();
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

} // namespace

TEST_CASE("masks of random layers match a table") {
    Drawing draw(1);
    for (int round = 0; round < 800; ++round) {
        CAPTURE(round);
        const Place at = draw.place();
        const MaskLayers layers = draw.layers();
        const Mask mask = maskOf(layers, at);
        const Marks marks = marksOf(layers, at);
        bool hidesAnything = false;
        for (Index i = 0; i < at.queries; ++i) {
            CAPTURE(i);
            const auto &row = marks[static_cast<std::size_t>(i)];
            for (Index j = 0; j < at.keys; ++j) {
                CAPTURE(j);
                const std::size_t mark = row[static_cast<std::size_t>(j)];
                REQUIRE(mask.hidden(i, j) == (mark != 0));
                const auto by = mask.hiddenBy(i, j);
                REQUIRE((by ? *by + 1 : 0) == mark);
            }
            const Index visible = std::ranges::count(row, std::size_t(0));
            REQUIRE(mask.visibleKeys(i) == visible);
            REQUIRE(mask.seesNothing(i) == (visible == 0));
            hidesAnything |= visible < at.keys;
            const Index first = draw.number(0, at.keys), end = draw.number(first, at.keys);
            REQUIRE(problemOf(runsOf(mask, i, 0, at.keys), row, 0, at.keys) == "");
            REQUIRE(problemOf(runsOf(mask, i, first, end), row, first, end) == "");
        }
        REQUIRE(mask.hidesAnything() == hidesAnything);
    }
}

TEST_CASE("random masks change numbers and gradients exactly as a table does") {
    Drawing draw(2);
    const float infinity = std::numeric_limits<float>::infinity();
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        const Place at = draw.place();
        const MaskLayers layers = draw.layers();
        const Mask mask = maskOf(layers, at);
        const Marks marks = marksOf(layers, at);
        Matrix numbers(at.queries, at.keys), expected(at.queries, at.keys),
            expectedGradient(at.queries, at.keys), expectedShares(at.queries, at.keys);
        for (Index i = 0; i < at.queries; ++i) {
            const auto &row = marks[static_cast<std::size_t>(i)];
            const auto visible = static_cast<float>(std::ranges::count(row, std::size_t(0)));
            for (Index j = 0; j < at.keys; ++j) {
                const bool hidden = row[static_cast<std::size_t>(j)] != 0;
                const float number = draw.coin() ? draw.value() : -0.0f;
                numbers(i, j) = number;
                expected(i, j) = hidden ? -infinity : number;
                expectedGradient(i, j) = hidden ? 0 : number;
                expectedShares(i, j) = hidden ? 0 : 1 / visible;
            }
        }
        Matrix made(at.queries, at.keys);
        applyMask(numbers.view(), mask, -infinity, made.view());
        REQUIRE(sameBits(made, expected));
        uniformWeights(mask, made.view());
        REQUIRE(sameBits(made, expectedShares));
        // Computing blocks of rows gives the same result.
        Matrix inParts(at.queries, at.keys), shares(at.queries, at.keys);
        for (Index first = 0, count; first < at.queries; first += count) {
            count = draw.number(1, at.queries - first);
            applyMask(std::as_const(numbers).view().rowBlock(first, count), mask, -infinity,
                      inParts.view().rowBlock(first, count), {}, first);
            uniformWeights(mask, shares.view().rowBlock(first, count), first);
        }
        REQUIRE(sameBits(inParts, expected));
        REQUIRE(sameBits(shares, expectedShares));
        maskBackward(numbers.view(), mask, made.view());
        REQUIRE(sameBits(made, expectedGradient));
        maskBackward(numbers.view(), mask, numbers.view());
        REQUIRE(sameBits(numbers, expectedGradient));
    }
}

TEST_CASE("two masks hide the same cells if and only if their tables do") {
    Drawing draw(3);
    int same = 0, different = 0;
    for (int round = 0; round < 1500; ++round) {
        CAPTURE(round);
        const Place at = draw.place();
        Place other = draw.coin() ? at : draw.place();
        const MaskLayers layers = draw.layers();
        MaskLayers others = draw.coin() ? layers : draw.layers();
        if (draw.coin())
            std::ranges::reverse(others);
        const auto hiddenIn = [](const MaskLayers &in, const Place &of) {
            Marks marks = marksOf(in, of);
            for (auto &row : marks)
                for (std::size_t &mark : row)
                    mark = std::min(mark, std::size_t(1));
            return marks;
        };
        const bool expected = hiddenIn(layers, at) == hiddenIn(others, other);
        REQUIRE(hideTheSame(maskOf(layers, at), maskOf(others, other)) == expected);
        ++(expected ? same : different);
    }
    CHECK(same > 300);
    CHECK(different > 300);
}

TEST_CASE("a mask of any size needs no table") {
    const Index huge = 1'000'000'000; // so large that allocating a table would throw
    const CellMask cells{{{{}, huge - 1, 0, false}, {{}, 0, huge - 1, true}}};
    const Mask mask({CausalMask(), cells}, 0, huge, huge, huge);
    CHECK(runsOf(mask, 0, 0, huge) ==
          std::vector<MaskRun>{{0, 1, 0}, {1, huge - 1, 1}, {huge - 1, huge, 0}});
    CHECK(runsOf(mask, huge - 1, 0, huge) == std::vector<MaskRun>{{0, 1, 2}, {1, huge, 0}});
    CHECK(mask.hidesAnything());

    const Index large = 100'000;
    const Mask window({WindowMask{1000, false}, DiagonalMask()}, 0, large, large, large - 7);
    CHECK(runsOf(window, 50'000, 0, large) ==
          std::vector<MaskRun>{
              {0, 49'001, 1}, {49'001, 50'000, 0}, {50'000, 50'001, 2}, {50'001, large, 1}});
    CHECK(window.visibleKeys(large - 1) == 999);
    CHECK(window.hiddenBy(0, 0) == 1);
    CHECK(window.seesNothing(0));
    CHECK_FALSE(Mask({BlockMask{large}, PrefixMask{large}}, 0, large, large, 0).hidesAnything());
    CHECK(Mask({PrefixMask{large - 1}}, 0, large, large, 0).hidesAnything());
}

TEST_CASE("a mask of a table hides its cells") {
    Random random(5);
    const Index queries = 7, keys = 9;
    std::vector<bool> hidden(static_cast<std::size_t>(queries * keys));
    for (std::size_t cell = 0; cell < hidden.size(); ++cell)
        hidden[cell] = random.normal() > 0;
    const Mask mask(hidden, queries, keys);
    for (Index query = 0; query < queries; ++query)
        for (Index key = 0; key < keys; ++key) {
            const bool expected = hidden[static_cast<std::size_t>(query * keys + key)];
            CHECK(mask.hidden(query, key) == expected);
        }
    CHECK(mask.hidesAnything());
    CHECK_FALSE(Mask(std::vector<bool>(63), queries, keys).hidesAnything());
}
