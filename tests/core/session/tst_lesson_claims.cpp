// Claims of the lessons that their texts do not evaluate, because they are about other texts, other
// switches, and every token. tst_lessons checks each {if} of a text, each question and each
// exercise.
#include "core_test.h"
#include "support.h"

#include "core/analysis/attention_contribution.h"
#include "core/analysis/heads_of_trace.h"
#include "core/analysis/projection.h"
#include "core/analysis/text_vectors.h"
#include "core/lesson/mark_words.h"
#include "core/lesson/step_text.h"
#include "core/training/tasks/tale_words.h"
#include "core/training/tasks/task.h"

#include <functional>
#include <iomanip>
#include <sstream>

namespace {

Session reading(const Session &session, const char *text) {
    auto changed = withText(session, text);
    REQUIRE(changed);
    return *std::move(changed);
}

SharedMatrix weights(const TracePointer &trace, Index sequence = 0, Index head = 0) {
    return trace->stage(Stage::AttentionWeights).matrix(sequence, head);
}

Session withPositions(Session session) {
    session.model.config.positions = Positions::Sinusoidal;
    return session;
}

/// Returns the session at the lesson's step with this title.
Session stepOf(const std::string &id, const std::string &title) {
    const Session session = lesson(id);
    const auto &steps = session.lesson->steps;
    for (std::size_t index = 0; index < steps.size(); ++index)
        if (steps[index].title == title) {
            return valueOf(atStep(session, static_cast<Index>(index)));
        }
    FAIL("no step " << title);
    return session;
}

/// Returns the text of the lesson's step with this title, with its marks.
std::string textOfStep(const Session &session, const std::string &title) {
    std::string text;
    for (const LessonStep &step : session.lesson->steps)
        if (step.title == title)
            for (const std::string &paragraph : step.text)
                text += paragraph + '\n';
    REQUIRE_MESSAGE(!text.empty(), title);
    return text;
}

std::string twoDecimals(double number) {
    std::ostringstream text;
    text.imbue(std::locale::classic()); // lessons write a point
    text << std::fixed << std::setprecision(2) << number;
    return text.str();
}

} // namespace

TEST_CASE("sentence: swapped words keep their vectors") {
    const TracePointer trace = traceAt(lesson("sentence"), 1);
    const SharedMatrix w = weights(trace), z = trace->stage(Stage::Context).matrix(0);
    const TracePointer swapped =
        traceOf(reading(lesson("sentence"), "She visited the river bank, near the money bank."));
    const SharedMatrix other = swapped->stage(Stage::Context).matrix(0);
    for (Index d = 0; d < 16; ++d) {
        CHECK(std::abs(z(4, d) - other(4, d)) < 1e-5f);
        CHECK(std::abs(z(3, d) - other(8, d)) < 1e-5f);
    }
    CHECK(weights(swapped)(4, 8) == doctest::Approx(w(4, 3)).epsilon(1e-5));
}

TEST_CASE("sentence: with positions each token finds the one before it") {
    const Session session = withPositions(lesson("sentence"));
    const TracePointer trace = traceOf(session);
    const SharedMatrix w = weights(trace);
    CHECK(largest(w.row(0)) == 0);
    for (Index t = 1; t < 11; ++t) {
        CHECK(largest(w.row(t)) == t - 1);
        CHECK(w(t, t - 1) > 0.5f);
    }
    const SharedMatrix z = trace->stage(Stage::Context).matrix(0);
    CHECK(z(4, 8) > z(9, 8) + 0.5f);   // money
    CHECK(z(9, 10) > z(4, 10) + 0.5f); // water
    for (Index key = 0; key < 11; ++key)
        if (key != 8)
            CHECK(trace->stage(Stage::ScaledScores).matrix(0)(9, key) <
                  trace->stage(Stage::ScaledScores).matrix(0)(9, 8));

    // In other sentences, the claim holds for most tokens.
    Index found = 0, tokens = 0;
    for (const char *text :
         {"Nobody expected the snow to fall so early in the year, least of all the gardeners.",
          "We walked along the shore until the sun went down behind the hills.",
          "Attention is all you need", "To be, or not to be, that is the question:"}) {
        const TracePointer typed = traceOf(reading(session, text));
        const SharedMatrix read = weights(typed);
        for (Index t = 1; t < typed->batch().length(); ++t, ++tokens)
            found += largest(read.row(t)) == t - 1 ? 1 : 0;
    }
    CHECK(static_cast<double>(found) > 0.9 * static_cast<double>(tokens));
}

TEST_CASE("bank: an attraction that is neither symmetric nor similarity") {
    const TracePointer trace = traceOf(lesson("bank"));
    const SharedMatrix w = weights(trace);
    CHECK(w(0, 1) < w(1, 0) / 10);
    // The key of money has a wider angle to the query of bank than bank's own key, but is longer.
    const auto query = vectorAt(*trace, {}, Stage::Query, 1);
    const VectorPair money = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 0));
    const VectorPair itself = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 1));
    CHECK(money.degrees > itself.degrees);
    CHECK(money.lengthB > itself.lengthB);
    CHECK(money.dot > itself.dot);
    CHECK(money.projection * money.lengthA ==
          doctest::Approx(trace->stage(Stage::Scores).matrix(0)(1, 0)));
    // In both phrases, attention moves bank towards its neighbour.
    for (const Index sequence : {0, 1}) {
        const auto gravity = valueOf(attentionShiftOf(*trace, sequence, 0));
        CHECK(gravity.toContext);
        const auto distance = [&](const Matrix &of) {
            return std::hypot(static_cast<double>(of(1, 0) - gravity.from(0, 0)),
                              static_cast<double>(of(1, 1) - gravity.from(0, 1)));
        };
        CHECK(distance(gravity.to) < distance(gravity.from) / 3);
    }
    // The values, times their weights, add up to the context.
    const auto pulls = valueContributionsOf(*trace, {}, 1);
    REQUIRE(pulls.size() == 2);
    CHECK(pulls.back().to[0] == doctest::Approx(trace->stage(Stage::Context).matrix(0)(1, 0)));
}

TEST_CASE("sentence: the rightmost key has the largest weight") {
    const TracePointer trace = traceOf(withPositions(lesson("sentence")));
    const SharedMatrix scores = trace->stage(Stage::Scores).matrix(0);
    const SharedMatrix keys = trace->stage(Stage::Key).matrix(0);
    const SharedMatrix shares = weights(trace);
    for (Index t = 0; t < 11; ++t) {
        const auto plane = valueOf(dotProductPlane(vectorAt(*trace, {}, Stage::Query, t), keys));
        Index rightmost = 0;
        for (Index key = 1; key < 11; ++key)
            if (plane.of(keys.row(key)).x > plane.of(keys.row(rightmost)).x)
                rightmost = key;
        CHECK(rightmost == largest(shares.row(t)));
        CHECK(rightmost == largest(scores.row(t)));
    }
    std::vector<float> last(scores.row(9).begin(), scores.row(9).end());
    last[8] = -1e9f;
    CHECK(largest(last) == 9);
}

TEST_CASE("cat: head 0 sees positions, head 1 kinds of words") {
    const Session session = lesson("cat");
    const TracePointer trace = traceOf(session);
    const SharedMatrix places = weights(trace, 0, 0), kinds = weights(trace, 0, 1);
    for (Index t = 1; t < 6; ++t)
        CHECK(largest(places.row(t)) == t - 1);
    CHECK(largest(places.row(0)) == 0);
    const Index looksAt[] = {1, 2, 1, 5, 5, 3};
    for (Index t = 0; t < 6; ++t) {
        CHECK(largest(kinds.row(t)) == looksAt[t]);
        CHECK(kinds(t, looksAt[t]) > 0.5f);
    }
    const SharedMatrix swapped = weights(traceOf(reading(session, "The mat sat on the cat")), 0, 1);
    CHECK(largest(swapped.row(2)) == 5);

    // The weights of head 0 depend only on the positions, as long as all words are known.
    const TracePointer other = traceOf(reading(session, "A dog slept under the box"));
    for (Index t = 0; t < 6; ++t)
        for (Index s = 0; s < 6; ++s)
            CHECK(std::abs(weights(other)(t, s) - weights(trace)(t, s)) < 1e-6f);
}

TEST_CASE("depth: within a head of the first layer the ratio is bounded, whatever the positions") {
    const Session learned = lesson("depth");
    for (const Positions positions : {Positions::Learned, Positions::None, Positions::Sinusoidal,
                                      Positions::Rotary, Positions::Alibi}) {
        Session session = learned;
        session.model.config.positions = positions;
        if (positions != Positions::Learned)
            session.model.parameters.main.positions = {};
        const TracePointer trace = traceOf(session);
        for (const Index head : {0, 1}) {
            const SharedMatrix tired = weights(trace, 0, head), crowded = weights(trace, 1, head);
            CHECK(tired(7, 1) / tired(7, 5) ==
                  doctest::Approx(crowded(7, 1) / crowded(7, 5)).epsilon(1e-5));
            CHECK(std::abs(tired(7, 1) - crowded(7, 1)) > 1e-5f); // the weights do change
        }
    }
}

TEST_CASE("bank: the first number of W_Q turned to −1") {
    Session session = stepOf("bank", "Turn a number");
    const TracePointer before = traceOf(session);
    CHECK(weights(before)(1, 0) > weights(before)(1, 1));
    float last = weights(before)(1, 0);
    for (const float value : {0.5f, 0.0f, -0.5f, -1.0f}) { // moves gradually to the left
        StatePatch patch;
        patch.parameters = {{{0, ParameterKind::Query}, {{0, 0, value}}, {}}};
        session = *patched(session, patch);
        const TracePointer trace = traceOf(session);
        CHECK(weights(trace)(1, 0) < last);
        last = weights(trace)(1, 0);
    }
    CHECK(last < 0.5f); // bank attends more to itself than to money
}

TEST_CASE("bank: a score overridden with 0, with W_Q as the previous step leaves it") {
    // The weight of money then rises from 0.19, because the score of money was below 0.
    Session session = stepOf("bank", "Turn a number");
    StatePatch turned;
    turned.parameters = {{{0, ParameterKind::Query}, {{0, 0, -1.0f}}, {}}};
    session = *patched(session, turned);
    const float before = weights(traceOf(session))(1, 0);
    Session byHand = stepOf("bank", "What if the two did not match?");
    byHand = *patched(byHand, turned);
    const TracePointer trace = traceOf(byHand);
    CHECK(weights(trace)(1, 0) > before);
    const std::string said = valueOf(
        expandNumbers(textOfStep(lesson("bank"), "What if the two did not match?"), *trace));
    CHECK(said.find("less than *bank* itself") != std::string::npos);
    CHECK(said.find("only") == std::string::npos); // “only” would mean that it has fallen
}

TEST_CASE("look-ahead: a fully masked row, and one in which all scores are −1e9") {
    Session session = stepOf("look-ahead", "A row that may see nothing");
    const TracePointer nothing = traceOf(session);
    CHECK(nothing->mask(0).seesNothing(2));
    session.model.config.masking.value = -1e9f;
    const TracePointer alike = traceOf(session);
    for (Index key = 0; key < 6; ++key) {
        CHECK(weights(nothing)(2, key) == 0);
        CHECK(weights(alike)(2, key) == doctest::Approx(1.0 / 6));
    }
}

TEST_CASE("scaling: the spread of scores, and a slope that vanishes") {
    const Session session = lesson("scaling");
    const TracePointer trace = traceOf(session);
    double squares = 0;
    for (const float score : trace->stage(Stage::Scores).values())
        squares += static_cast<double>(score) * static_cast<double>(score);
    // 8 heads with 36 scores each: their standard deviation is about √64.
    CHECK(std::sqrt(squares / 288) == doctest::Approx(8).epsilon(0.2));
    // The largest entry of softmax's Jacobian at a row of weights, aᵢ(δᵢⱼ − aⱼ).
    const auto steepest = [&](Index step) {
        double most = 0;
        const SharedMatrix shown = weights(traceAt(session, step));
        for (const float a : shown.row(3))
            most = std::max(most, static_cast<double>(a) * (1 - static_cast<double>(a)));
        return most;
    };
    CHECK(steepest(3) > 0.18);
    CHECK(steepest(4) < 0.007);
}

TEST_CASE(
    "softmax: the largest numbers of 32 and of 16 bits, and the scores whose powers exceed them") {
    const std::string title = "Too large for a computer";
    const Session session = lesson("softmax");
    const auto &steps = session.lesson->steps;
    const auto step = std::ranges::find(steps, title, &LessonStep::title);
    REQUIRE(step != steps.end());
    const TracePointer trace = traceAt(session, step - steps.begin());
    const float score = trace->stage(Stage::Scores).matrix(1)(3, 2);
    CHECK(std::isinf(std::exp(score))); // in 32 bits, without subtracting the largest score
    // Writes 5.4 · 10⁴⁴ as "5.4e+44".
    const auto scientific = [](double number) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << std::scientific << std::setprecision(1) << number;
        return text.str();
    };
    const std::string question = valueOf(expandNumbers(step->question->text, *trace));
    CHECK(scientific(std::numeric_limits<float>::max()) == "3.4e+38");
    CHECK(question.find("32 bits can hold is about 3.4 · 10³⁸") != std::string::npos);
    CHECK(score == 103.0f);
    CHECK(scientific(std::exp(103.0)) == "5.4e+44");
    CHECK(question.find("e to the power of 103 is about 5.4 · 10⁴⁴") != std::string::npos);
    // Finds the first tenth whose power is rounded to infinity. The limit is the largest number
    // plus half a unit of its last digit.
    const auto firstTooLarge = [](double limit) {
        int tenths = 0;
        while (std::exp(tenths / 10.0) < limit)
            ++tenths;
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
    };
    const std::string in32 = firstTooLarge(std::ldexp(2.0 - std::ldexp(1.0, -24), 127));
    const std::string in16 = firstTooLarge(std::ldexp(2.0 - std::ldexp(1.0, -11), 15));
    CHECK(textOfStep(session, title)
              .find("powers of e become ∞ from a score of " + in32 + " in 32 bits, and from " +
                    in16 + " in 16 bits") != std::string::npos);
}

TEST_CASE("words: the factors of TF-IDF, and sentences that become less alike") {
    const std::string title = "TF-IDF: rare words count more";
    const Session session = stepOf("words", title);
    const auto texts = std::span(session.input.batch->sequences()).first(2);
    const std::vector<std::string> words = vocabularyOf(texts);
    const std::vector<double> factors = inverseDocumentFrequency(texts, words);
    CHECK(words.size() == 8);
    std::set<std::string> others;
    for (std::size_t word = 0; word < words.size(); ++word) {
        const std::string factor = twoDecimals(factors[word]);
        if (words[word] == "the" || words[word] == "on")
            CHECK(factor == "1.00");
        else
            others.insert(factor);
    }
    REQUIRE(others.size() == 1);
    CHECK(textOfStep(lesson("words"), title)
              .find("The number is 1.00 for *the* and *on*, and " + *others.begin() +
                    " for all other words") != std::string::npos);
    const auto tokensOf = [](const Sequence &text) {
        std::vector<std::string> tokens;
        for (const Token &token : text.tokens)
            tokens.push_back(token.text);
        return tokens;
    };
    const auto cosine = [](std::span<const float> a, std::span<const float> b) {
        return comparedVectors(a, b).cosine;
    };
    const Matrix weighted = tfIdf(texts, words);
    CHECK(cosine(weighted.view().row(0), weighted.view().row(1)) <
          cosine(bagOfWords(tokensOf(texts[0]), words), bagOfWords(tokensOf(texts[1]), words)));
    const std::vector<std::string> cats{"cat", "kitten"};
    const Matrix each = oneHot(cats, words);
    CHECK(cosine(each.view().row(0), each.view().row(1)) == 0);
}

TEST_CASE("writing: Mia has a kite in no training story") {
    const TaleWords words = taleWords();
    const auto numberOf = [&](const std::vector<Index> &ids, const char *word) {
        for (std::size_t at = 0; at < ids.size(); ++at)
            if (words.words[static_cast<std::size_t>(ids[at])] == word)
                return static_cast<Index>(at);
        FAIL("there is no " << word);
        return Index(-1);
    };
    CHECK(isHeldOutThing(numberOf(words.names, "Mia"), numberOf(words.things, "kite")));
    CHECK_FALSE(isHeldOutThing(numberOf(words.names, "Tom"), numberOf(words.things, "boat")));
}

TEST_CASE("heads: the measures find the heads that the lesson names, with the lesson's numbers") {
    const Session session = lesson("heads");
    const TracePointer trace = traceOf(session);
    const std::vector<HeadOfTrace> heads = valueOf(measuresOfHeads(*trace, 0));
    CHECK(heads.size() == 12);
    const auto sorted = [&heads](std::optional<double> HeadMeasures::*measure) {
        std::vector<HeadOfTrace> all = heads;
        std::ranges::sort(all, std::greater<>(), [measure](const HeadOfTrace &head) {
            return (head.measures.*measure).value_or(-1);
        });
        return all;
    };
    const auto isHead = [](const HeadOfTrace &head, Index layer, Index number) {
        return head.attention.layer == layer && head.head == number;
    };
    const auto previous = sorted(&HeadMeasures::previousToken);
    CHECK(isHead(previous[0], 0, 1));
    CHECK(isHead(sorted(&HeadMeasures::induction)[0], 1, 2));
    const std::string measured = textOfStep(session, "A measure for all rows");
    CHECK(measured.find("it is " + twoDecimals(*previous[0].measures.previousToken) +
                        " for head 1") != std::string::npos);
    CHECK(measured.find("at most " + twoDecimals(*previous[1].measures.previousToken) +
                        " for every other") != std::string::npos);

    // Measured on random words, as the file next to the model states.
    const Json note = Json::parse(contentOf(HEADLIGHT_LESSONS "/../models/tales.json"));
    const auto measureOf = [](const Json &run, const char *kind) {
        return twoDecimals(run[kind]["measure"].get<double>());
    };
    CHECK(measured.find("written twice, it is " +
                        measureOf(note["held_out"], "previous_token_head")) != std::string::npos);
    const std::string induction = measureOf(note["held_out"], "induction_head");
    CHECK(textOfStep(session, "The word that came next").find("it gives " + induction) !=
          std::string::npos);
    std::vector<std::string> others;
    for (const Json &run : note["seeds"])
        if (run["seed"] != session.training->recipe.seed) {
            CHECK(run["previous_token_head"]["layer"] == 1);
            CHECK(run["induction_head"]["layer"] == 2);
            others.push_back(measureOf(run, "induction_head"));
        }
    REQUIRE(others.size() == 2);
    CHECK(textOfStep(session, "Formed, not planned")
              .find(others[0] + " and " + others[1] + ", and head 2 in the picture has " +
                    induction) != std::string::npos);
}

TEST_CASE("long-range: Emma has a book in no training story, and the book is far back") {
    const TaleWords words = taleWords();
    const auto numberOf = [&words](const std::vector<Index> &ids, const char *word) {
        return std::ranges::find(
                   ids, word,
                   [&words](Index id) { return words.words[static_cast<std::size_t>(id)]; }) -
               ids.begin();
    };
    CHECK(isHeldOutThing(numberOf(words.names, "Emma"), numberOf(words.things, "book")));
    CHECK_FALSE(isHeldOutThing(numberOf(words.names, "Max"), numberOf(words.things, "ball")));
    const auto distanceIn = [](const Session &session, Index sequence) {
        const Batch &batch = *session.input.batch;
        return tokenCalled("her", batch, sequence) - tokenCalled("book", batch, sequence);
    };
    CHECK(distanceIn(stepOf("long-range", "Near"), 0) == 11);
    CHECK(distanceIn(stepOf("long-range", "Far"), 1) == 54);
    const Session farther = stepOf("long-range", "Farther than in training");
    CHECK(distanceIn(farther, 0) == 100);
    CHECK(farther.input.batch->length() == 106);
    CHECK(findTask("tales")->info().length == 72);
    CHECK(farther.model.config.positions == Positions::Rotary);
}

TEST_CASE("whose-kite: the kite is 49 words back") {
    const Session far = lesson("whose-kite");
    const auto place = [&](const char *word) { return tokenCalled(word, *far.input.batch, 0); };
    CHECK(place("her") - place("kite") == 49);
}

TEST_CASE("ten-things: dimension 12 is the largest product of sixteen, a quarter of the score") {
    const Session session = stepOf("ten-things", "“It keeps a dimension from dominating”");
    const TracePointer trace = traceOf(session);
    const AttentionId layer(1);
    const SharedMatrix query = trace->stage(Stage::Query, layer).matrix(0, 1);
    const SharedMatrix key = trace->stage(Stage::Key, layer).matrix(0, 1);
    const float score = trace->stage(Stage::Scores, layer).matrix(0, 1)(7, 1);
    std::vector<float> products;
    for (Index d = 0; d < query.columns; ++d)
        products.push_back(query(7, d) * key(1, d));
    CHECK(products.size() == 16);
    CHECK(largest(products) == 12);
    CHECK(products[12] / score == doctest::Approx(0.25).epsilon(0.02));
}
