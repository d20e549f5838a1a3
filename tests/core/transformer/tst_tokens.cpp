// Tokens with ids: in a vocabulary with two equal words, the id selects the embedding, the
// gradient, the explanation and the rows that are reused.
#include "core/explain/derivation.h"
#include "core/generation/generator.h"
#include "core/transformer/run/backward.h"
#include "core_test.h"
#include "random_transformers.h"

namespace {

/// Returns a vocabulary with "bank" as words 2 and 4.
VocabularyPointer alikeWords() {
    return *Vocabulary::create({"[PAD]", "[UNK]", "bank", "money", "bank", "river"});
}

Model alikeModel() {
    Random random(6);
    return drawnDecoder(random, languageConfig(8, 2, 4), alikeWords());
}

Input inputOfTokens(std::vector<Token> tokens) {
    return {*Batch::create({TokenizedText{std::move(tokens)}}), {CausalMask{}}};
}

const Token kFirst{"bank"}, kSecond{"bank", 4};

} // namespace

TEST_CASE("two words of a vocabulary may have the same text, which means the first one") {
    const VocabularyPointer words = alikeWords();
    CHECK(words->idOf("bank") == 2);
    CHECK(words->idOf(kFirst) == 2);
    CHECK(words->idOf(kSecond) == 4);
    CHECK(words->idOf("frog") == 1);
    CHECK(words->idOf(Token{"frog", 5}) == 5);
    CHECK(words->token(2) == kFirst);
    CHECK(words->token(4) == kSecond);
    CHECK(words->token(3) == Token{"money"});
    CHECK(words->readsLikeAnother(2));
    CHECK(words->readsLikeAnother(4));
    CHECK_FALSE(words->readsLikeAnother(3));
    CHECK(words->hasWordsAlike());
    CHECK_FALSE(smallVocabulary()->hasWordsAlike());
    const auto empty = Vocabulary::create({"a", ""});
    REQUIRE_FALSE(empty.ok());
    CHECK(empty.error().where == "vocabulary[1]");
}

TEST_CASE("a token is looked up by its id") {
    const Model model = alikeModel();
    const TracePointer trace = traceOf(model, inputOfTokens({{"money"}, kFirst, kSecond}));
    const SharedMatrix rows = trace->matrix(Stage::Embeddings, {}, 0, 0);
    const ParameterBlock table(model.parameters.main.embeddings);
    CHECK(std::ranges::equal(rows.row(1), table.row(2)));
    CHECK(std::ranges::equal(rows.row(2), table.row(4)));
    CHECK_FALSE(std::ranges::equal(rows.row(1), rows.row(2)));
    Selection cell;
    cell.stage = Stage::Embeddings;
    cell.query = 2;
    cell.dimension = 3;
    const std::vector<Derivation> made = derivationsOf(*trace, cell);
    REQUIRE(made.size() == 1);
    CHECK(made.front().matrixRow == 4);
}

TEST_CASE("each row has its own gradient") {
    const Model model = alikeModel();
    const TracePointer trace = traceOf(model, inputOfTokens({kSecond, kFirst, kSecond}));
    const auto gradients =
        backward(*trace, {{"embeddings", Tensor(Shape{1, 3, 8}, Numbers(24, 1.0f))}}, false);
    REQUIRE(gradients.ok());
    const ParameterBlock of((*gradients)->parameters.main.embeddings);
    for (Index row = 0; row < of.rows; ++row)
        CHECK(of(row, 0) == (row == 4 ? 2 : row == 2 ? 1 : 0));
}

TEST_CASE("another id with the same text is recomputed, another span is not") {
    const Model model = alikeModel();
    std::vector<Token> tokens{{"money"}, {"river"}, kFirst, {"money"}};
    const TracePointer before = traceOf(model, inputOfTokens(tokens));
    const auto rerun = [&] { return traceOf(model, inputOfTokens(tokens), before); };
    CHECK(rerun()->recomputed().empty());
    tokens[1].span = TextSpan{0, 2};
    CHECK(rerun()->recomputed().empty());
    tokens[2] = kSecond;
    const TracePointer after = rerun(), fresh = traceOf(model, inputOfTokens(tokens));
    CHECK(std::ranges::count(after->recomputed(), "embeddings") == 1);
    for (const std::string &name : fresh->names()) {
        CAPTURE(name);
        CHECK(after->stage(name).values() == fresh->stage(name).values());
    }
    CHECK(after->stage("logits").values() != before->stage("logits").values());
    // The text changes only after its first tokens, whose rows are reused.
    CHECK(after->recomputedNumbers() < fresh->recomputedNumbers());
}

TEST_CASE("an id that the model does not have is refused") {
    const Model model = alikeModel();
    for (const Index id : {-1, 6, 1 << 20}) {
        const auto outcome = Computable::of(model, inputOfTokens({{"money"}, {"bank", id}}));
        REQUIRE_FALSE(outcome.ok());
        CHECK(outcome.error().where == "batch.sequences[0].ids");
        CHECK(outcome.error().remedy == "use 0 to 5");
    }
    CHECK(Computable::of(model, inputOfTokens({{"anything", 5}})).ok());
}
