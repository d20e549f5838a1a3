// Thumbnails and measures that are computed while a pass runs equal those of the finished trace to
// the last bit. Each row is computed once.
#include "core/analysis/heads_of_trace.h"
#include "core/analysis/pass_glances.h"
#include "core/transformer/plan/trace_bytes.h"
#include "core_test.h"
#include "random_transformers.h"
#include "tests/support/large_model.h"

#include <mutex>

namespace {

constexpr Detail kDetails[] = {Detail::Everything, Detail::Ends, Detail::Heads, Detail::Rows};

/// Counts how often each row of weights is passed.
class RowCounter : public WeightsObserver {
  public:
    void begin(const TracePointer &unfinished, const Trace *) override { m_trace = unfinished; }
    void reuse(AttentionId, Reused) override {}
    void take(AttentionId attention, Index sequence, Index head, Index first,
              const MatrixView &rows) override {
        const std::scoped_lock lock(m_mutex);
        for (Index row = 0; row < rows.rows; ++row)
            ++m_counts[{attention, sequence, head, first + row}];
    }
    const TracePointer &trace() const { return m_trace; }
    Index rows() const { return std::ssize(m_counts); }
    bool areAllOnce() const {
        return std::ranges::all_of(m_counts, [](const auto &each) { return each.second == 1; });
    }

  private:
    TracePointer m_trace;
    std::mutex m_mutex;
    std::map<std::tuple<AttentionId, Index, Index, Index>, int> m_counts;
};

Result<TracePointer> observed(const Model &model, const Input &input, Detail detail,
                              WeightsObserver &observer, const TracePointer &previous = nullptr) {
    const auto computable = Computable::of(model, input);
    if (!computable)
        return computable.error();
    return headlight::core::forward(*computable, previous, {}, detail, nullptr, &observer);
}

void checkSame(const HeadGlances &made, const HeadGlances &expected) {
    CHECK(made.attention == expected.attention);
    REQUIRE(made.heads.size() == expected.heads.size());
    for (std::size_t head = 0; head < made.heads.size(); ++head) {
        CHECK(made.heads[head].measures == expected.heads[head].measures);
        const HeadSample &ours = made.heads[head].sample, &theirs = expected.heads[head].sample;
        CHECK(ours.ofRows == theirs.ofRows);
        CHECK(ours.ofColumns == theirs.ofColumns);
        REQUIRE(ours.numbers.rows == theirs.numbers.rows);
        REQUIRE(ours.numbers.columns == theirs.numbers.columns);
        for (Index row = 0; row < ours.numbers.rows; ++row)
            CHECK(std::ranges::equal(ours.numbers.row(row), theirs.numbers.row(row)));
    }
    REQUIRE(bool(made.hidden) == bool(expected.hidden));
    if (made.hidden)
        CHECK(hideTheSame(*made.hidden, *expected.hidden));
}

} // namespace

TEST_CASE("a pass yields the overviews of the finished trace") {
    int passes = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        input.interventions = randomTransformerInterventions(random, model, input);
        for (const Detail detail : kDetails) {
            const Index sequence = between(random, 0, input.batch->count() - 1);
            PassGlances pass(sequence);
            const auto trace = observed(model, input, detail, pass);
            if (!trace)
                continue; // an overflow
            ++passes;
            const auto taken = pass.glancesOf(**trace, sequence);
            REQUIRE(taken);
            auto made = *taken;
            // A pass that keeps no weights does not compute the weights of a head whose output it
            // replaces. In all other layers, nothing has to be computed again.
            const bool isReplaced =
                std::ranges::any_of(input.interventions.heads, [](const HeadIntervention &each) {
                    return each.state == HeadState::Zero;
                });
            if (!isReplaced || detail == Detail::Everything)
                CHECK_FALSE(made.next());
            while (const auto next = made.next())
                made.take(*next, made.make(*next, nullptr, {}));
            CHECK_FALSE(made.error);
            CHECK(made.attentions == attentionsWithWeights(**trace));
            for (const AttentionId attention : made.attentions)
                checkSame(*made.of(attention),
                          valueOf(glanceAt(**trace, attention, sequence, made.side())));
        }
    }
    CHECK(passes > 100);
}

/// The text is longer than a thumbnail, and than the rows that a thread computes at a time.
TEST_CASE("long texts are sampled during a pass as after it") {
    Model model = headlight::test::largeModel(16, 4);
    model.parameters.main.layers.resize(2, model.parameters.main.layers.front());
    std::vector<std::string> words;
    for (int word = 0; word < 700; ++word)
        words.push_back(std::to_string(word % 50));
    const Input input{*Batch::ofWords({std::move(words)}), {CausalMask{}, WindowMask{90}}};
    for (const Detail detail : kDetails) {
        PassGlances pass(0);
        const TracePointer trace = valueOf(observed(model, input, detail, pass));
        const auto made = pass.glancesOf(*trace, 0);
        REQUIRE(made);
        REQUIRE_FALSE(made->next());
        for (const AttentionId attention : made->attentions) {
            CHECK(made->of(attention)->heads.front().measures.entropy);
            checkSame(*made->of(attention), valueOf(glanceAt(*trace, attention, 0, made->side())));
        }
    }
}

TEST_CASE("a pass computes each row of the weights once") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        for (const Detail detail : kDetails) {
            RowCounter counter;
            const auto trace = observed(model, input, detail, counter);
            if (!trace)
                continue;
            Index expected = 0;
            for (const AttentionId attention : attentionsWithWeights(**trace))
                expected += (*trace)->batch().count() * model.headsOf(attention) *
                            (*trace)->queries(attention).length();
            CHECK(counter.rows() == expected);
            CHECK(counter.areAllOnce());
            // The observer's trace is of the same pass, but has no numbers and computes none.
            CHECK(&counter.trace()->plan() == &(*trace)->plan());
            for (const AttentionId attention : attentionsWithWeights(**trace)) {
                CHECK_FALSE(counter.trace()->isReady(Stage::AttentionWeights, attention));
                CHECK(counter.trace()->stage(Stage::AttentionWeights, attention).isNull());
            }
        }
    }
}

/// The weights of earlier rows are reused with their contexts, so the pass does not have them.
TEST_CASE("what a pass has reused is computed from its trace") {
    Random random(3);
    const Model model = randomTransformer(random);
    const Input input = randomTransformerInput(random, model);
    const TracePointer before =
        valueOf(forward(model, input, nullptr, {}, RetainedStages(Detail::Ends)));
    PassGlances pass(0);
    const TracePointer again = valueOf(observed(model, input, Detail::Ends, pass, before));
    const auto reused = pass.glancesOf(*again, 0);
    REQUIRE(reused);
    auto made = *reused;
    REQUIRE(made.next());
    while (const auto next = made.next())
        made.take(*next, made.make(*next, nullptr, {}));
    CHECK_FALSE(made.error);
    for (const AttentionId attention : made.attentions)
        checkSame(*made.of(attention), valueOf(glanceAt(*again, attention, 0, made.side())));
}

TEST_CASE("unchanged layers are taken from the earlier overviews") {
    Model model = headlight::test::largeModel(16, 4);
    model.parameters.main.layers.resize(5, model.parameters.main.layers.front());
    Input input{*Batch::ofWords({{"a", "cat", "sat", "on", "a", "mat"}}), {CausalMask{}}};
    for (const Detail detail : kDetails) {
        PassGlances first(0), second(0), third(0);
        input.interventions = {};
        const TracePointer before = valueOf(observed(model, input, detail, first));
        const auto known = first.glancesOf(*before, 0);
        REQUIRE(known);
        REQUIRE_FALSE(known->next());
        input.interventions.setHead(AttentionId(2), 1, HeadState::Uniform);
        const TracePointer after = valueOf(observed(model, input, detail, second, before));
        CHECK(second.glancesOf(*after, 0)->next() == std::size_t(0)); // layers 0 and 1 are reused
        const auto made = second.glancesOf(*after, 0, known.get());
        REQUIRE(made);
        CHECK(made->made[0] == known->made[0]);
        CHECK(made->made[1] == known->made[1]);
        for (std::size_t layer = 2; layer < 5; ++layer)
            CHECK(made->made[layer] != known->made[layer]);
        auto whole = *made;
        while (const auto next = whole.next())
            whole.take(*next, whole.make(*next, nullptr, {}));
        for (const AttentionId attention : whole.attentions)
            checkSame(*whole.of(attention), valueOf(glanceAt(*after, attention, 0, whole.side())));
        // A different trace cannot use these overviews. Neither can different tokens with the same
        // weights.
        const TracePointer again = valueOf(observed(model, input, detail, third, after));
        CHECK(third.glancesOf(*again, 0, known.get())->next());
        input.batch = *Batch::ofWords({{"a", "cat", "sat", "on", "a", "mat"}});
        const TracePointer other = valueOf(observed(model, input, detail, third, after));
        CHECK(third.glancesOf(*other, 0, &whole)->next());
    }
}

/// A pass computes only the new rows of a text that has become longer.
TEST_CASE("a longer text is measured from its trace") {
    Model model = headlight::test::largeModel(16, 4);
    model.parameters.main.layers.resize(3, model.parameters.main.layers.front());
    Input input{*Batch::ofWords({{"a", "cat", "sat", "on", "a"}}), {CausalMask{}}};
    for (const Detail detail : {Detail::Ends, Detail::Heads}) {
        input.batch = *Batch::ofWords({{"a", "cat", "sat", "on", "a"}});
        const TracePointer before =
            valueOf(forward(model, input, nullptr, {}, RetainedStages(detail)));
        input.batch = *Batch::ofWords({{"a", "cat", "sat", "on", "a", "mat"}});
        PassGlances pass(0);
        RowCounter counter;
        (void)valueOf(observed(model, input, detail, counter, before));
        CHECK(counter.rows() == 3 * 4); // one of each head
        const TracePointer after = valueOf(observed(model, input, detail, pass, before));
        auto made = *pass.glancesOf(*after, 0);
        CHECK(made.next() == std::size_t(0));
        while (const auto next = made.next())
            made.take(*next, made.make(*next, nullptr, {}));
        for (const AttentionId attention : made.attentions)
            checkSame(*made.of(attention), valueOf(glanceAt(*after, attention, 0, made.side())));
    }
}

TEST_CASE("the requested layers are computed before the others") {
    Model model = headlight::test::largeModel(16, 4);
    model.parameters.main.layers.resize(5, model.parameters.main.layers.front());
    const Input input{*Batch::ofWords({{"a", "cat", "sat"}}), {CausalMask{}}};
    const TracePointer trace = valueOf(forward(model, input));
    TraceGlances made(*trace, 0);
    const std::vector<AttentionId> first{AttentionId(3), AttentionId(9), AttentionId(1)};
    std::vector<std::size_t> order;
    while (const auto next = made.next(first)) {
        order.push_back(*next);
        made.take(*next, made.make(*next, nullptr, {}));
        CHECK(made.made[*next]->attention == made.attentions[*next]);
    }
    CHECK(order == std::vector<std::size_t>{3, 1, 0, 2, 4});
}

TEST_CASE("overviews belong to one pass and one sequence") {
    Random random(5);
    const Model model = randomTransformer(random);
    const Input input = randomTransformerInput(random, model);
    PassGlances pass(0);
    CHECK_FALSE(pass.glances());
    const TracePointer trace = valueOf(observed(model, input, Detail::Ends, pass));
    const TracePointer other = valueOf(forward(model, input));
    CHECK(pass.glancesOf(*trace, 0));
    CHECK(pass.glancesOf(*trace->withoutDetails(), 0));
    CHECK_FALSE(pass.glancesOf(*other, 0));
    CHECK_FALSE(pass.glancesOf(*trace, 1));
    (void)valueOf(observed(model, input, Detail::Ends, pass)); // the overviews begin again
    CHECK_FALSE(pass.glancesOf(*trace, 0));
}

TEST_CASE("the memory of a layer's details is at least that of its stages") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const auto trace = forward(model, input, nullptr, {}, RetainedStages(Detail::Ends));
        if (!trace)
            continue;
        Index largest = 0;
        for (const AttentionId attention : attentionsWithWeights(**trace)) {
            const TracePointer with =
                valueOf((*trace)->prepared(Stage::AttentionWeights, attention));
            std::map<const float *, Index> bytes; // renamed stages share their numbers
            for (StepId step = 0; step < with->plan().size(); ++step)
                if (const Tensor held = with->held(step);
                    !held.isNull() && (*trace)->held(step).isNull())
                    bytes[held.values().data()] = std::ssize(held.values()) * 4;
            Index sum = 0;
            for (const auto &each : bytes)
                sum += each.second;
            largest = std::max(largest, sum);
        }
        // Stages that share their numbers with a layer's output are kept anyway, but are counted.
        CHECK(detailBytes((*trace)->plan(), false) >= largest);
        CHECK(detailBytes((*trace)->plan(), false) <= 2 * endsBytes(model, Extent(input)));
    }
}

TEST_CASE("a pass measures the similarity to a head in the layers after it") {
    int compared = 0, computed = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const std::vector<AttentionId> attentions = model.attentions();
        const AttentionId attention =
            attentions[static_cast<std::size_t>(between(random, 0, std::ssize(attentions) - 1))];
        const HeadId chosen{attention, between(random, 0, model.headsOf(attention) - 1)};
        const Index sequence = between(random, 0, input.batch->count() - 1);
        PassGlances pass(sequence, chosen);
        const auto trace = observed(model, input, kDetails[seed % 4], pass);
        if (!trace)
            continue; // an overflow
        const auto known = pass.glancesOf(**trace, sequence);
        REQUIRE(known);
        bool isAfter = false;
        for (const AttentionId each : known->attentions) {
            const HeadGlances *layer = known->of(each);
            if (layer && isAfter)
                CHECK(layer->similarTo == chosen);
            if (layer && !isAfter)
                CHECK_FALSE(layer->similarTo);
            (isAfter ? compared : computed) += layer != nullptr;
            isAfter = isAfter || each == attention;
        }
        const auto all = valueOf(
            measuresOfHeads(**trace, sequence, {}, {.similarTo = chosen, .known = known.get()}));
        const auto expected =
            valueOf(measuresOfHeads(**trace, sequence, {}, {.similarTo = chosen}));
        REQUIRE(all.size() == expected.size());
        for (std::size_t head = 0; head < all.size(); ++head)
            CHECK(all[head].measures == expected[head].measures);
        // Similarities to another head are not mistaken for similarities to this one.
        const HeadId other{attentions.front(), 0};
        CHECK(
            valueOf(
                measuresOfHeads(**trace, sequence, {}, {.similarTo = other, .known = known.get()}))
                .back()
                .measures ==
            valueOf(measuresOfHeads(**trace, sequence, {}, {.similarTo = other})).back().measures);
    }
    CHECK(compared > 30);
    CHECK(computed > 30);
}
