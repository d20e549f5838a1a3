#include "core/tensor/presets.h"
#include "tests/support/opened.h"
#include "tests/ui/document/lesson_tries/try.h"

namespace headlight::test {

using ui::Document;
using ui::InputSide;

std::vector<Try> triesOfModels() {
    return {
        Try("batch", 2, "other numbers in W_Q", edited([](const Document &document) {
                return ui::edits::setMatrix(document.state(), matrixOf(core::ParameterKind::Query),
                                            core::randomMatrix(32, 16, 7), "random");
            }),
            {"(6, 1, 8, 16)"}),
        Try("batch", 5, "no mask", masked({}), {"it is not hidden now"}, {"Each [PAD] gets"}),
        Try("translation", 5, "no adjective", typed("the house.", InputSide::Source),
            {"what a word is, not where it stands"}, {"looks back"}),
        Try("translation", 6, "a book", typed("the red book.", InputSide::Source), {"softmax"},
            {"it is la with"}),
        Try("translation", 7, "a green book",
            [](Document &document) {
                typed("a very green book.", InputSide::Source)(document);
                typed("« un livre très vert")(document);
            },
            {"vert 0.9"}, {"So after très the word verte gets"}),

        Try("shapes", 7, "a longer sentence",
            typed("The old man walked along the river slowly and looked at the boats"),
            {"T occur in none"}, {},
            both(holds("size embeddings 1 = 13 & size weights 3 = 13"),
                 [](const Document &after, const core::Trace &) {
                     return after.state().model == after.session().model;
                 })),
        Try("block", 11, "Liked or not?", nothing, {"liked"}, {},
            [](const Document &, const core::Trace &) {
                Document model;
                model.open(opened("sentiment"));
                if (!settled(model) || model.session().title != "Liked or not?")
                    return false;
                const auto likes = [&model] {
                    const core::SharedMatrix logits =
                        model.trace()->stage(core::Stage::ClassLogits).matrix(0);
                    return logits(0, 1) > logits(0, 0);
                };
                const bool before = likes();
                typed("the music was boring but the film was not bad.")(model);
                return settled(model) && likes() != before;
            }),
        Try("who-is-it", 0, "crowded in place of tired",
            typed("the animal didn't cross the street because it was too crowded"),
            {"It takes most from street"}, {},
            holds("most layers.1.self_attention.weights 0 0 it street & most logits 0 it street")),
        Try("who-is-it", 1, "crowded in place of tired",
            typed("the animal didn't cross the street because it was too crowded"),
            {"takes most from crowded"}, {},
            holds("most layers.0.self_attention.weights 0 1 it crowded")),
        Try("who-is-it", 1, "another word", selected([](core::Selection &at) { at.query = 8; })),
        Try("who-is-it", 2, "K and V",
            inTurn({selected([](core::Selection &at) { at.stage = core::Stage::Key; }),
                    selected([](core::Selection &at) { at.stage = core::Stage::Value; })})),
        Try("who-is-it", 4, "temperature 2", edited([](const Document &document) {
                return ui::edits::setTemperature(document.state(), 2);
            }),
            {}, {}, holds("layers.1.self_attention.weights 0 0 it @most < 0.9")),
        Try("who-is-it", 5, "the other head, too", edited([](const Document &document) {
                return ui::edits::setHead(document.state(), core::AttentionId(1), 1,
                                          core::HeadState::Zero);
            }),
            {"Head 0 is silenced: the answer is"}, {},
            holds("probability logits 0 it animal < 0.01")),
        Try("who-is-it", 5, "the head on again", edited([](const Document &document) {
                return ui::edits::setHead(document.state(), core::AttentionId(1), 0,
                                          core::HeadState::On);
            }),
            {"With head 0:", "still animal"}, {"is silenced", "It is not in the sentence"},
            holds("most logits 0 it animal")),
        Try("who-is-it", 6, "a sentence of one's own",
            typed("the wolf didn't follow the cat because it was too fast"), {"cat gets"}, {},
            holds("most logits 0 it cat")),
        Try("ten-things", 0, "the other head",
            inTurn({edited([](const Document &document) {
                        return ui::edits::setHead(document.state(), core::AttentionId(1), 1,
                                                  core::HeadState::On);
                    }),
                    edited([](const Document &document) {
                        return ui::edits::setHead(document.state(), core::AttentionId(0), 0,
                                                  core::HeadState::Zero);
                    })}),
            {"The model now predicts bear"}, {"with a probability of"},
            holds("probability logits 0 it animal < 0.1 & "
                  "layers.0.self_attention.weights 0 0 it @most < 0.2")),
        Try("whose-kite", 0, "Tom took his",
            typed("It was a windy day . Mia had a big red kite . Tom found a small blue boat . "
                  "Tom took his boat to the mill . Tom laughed because he loved his boat . The "
                  "birds that Tom saw near the house were pretty . The dog that Tom saw near the "
                  "trees was old . Tom took his"),
            {}, {"It ends with Mia took her"}, holds("most logits 0 his#3 boat")),
        Try("whose-kite", 2, "head 2", selected([](core::Selection &at) { at.head = 2; }),
            {"takes 0.95 from Mia"}, {}, holds("layers.0.self_attention.weights 0 2 60 57 > 0.9")),
        Try("depth", 0, "crowded in place of tired",
            typed("the animal didn't cross the street because it was too crowded"),
            {"This model now predicts street and street"}, {"A small model learned"},
            holds("most logits 0 it street")),
        Try("depth", 3, "no positions", edited([](const Document &document) {
                return ui::edits::setPositions(document.state(), core::Positions::None,
                                               document.session().model.parameters);
            }),
            {"the same in both"}, {},
            [](const Document &after, const core::Trace &before) {
                const auto ratio = [](const core::Trace &trace, core::Index sequence) {
                    const core::SharedMatrix weights =
                        trace.stage(core::Stage::AttentionWeights).matrix(sequence, 1);
                    return weights(7, 1) / weights(7, 5);
                };
                const core::Trace &now = *after.trace();
                return std::abs(ratio(now, 0) - ratio(now, 1)) < 1e-4f &&
                       std::abs(ratio(now, 0) - ratio(before, 0)) > 0.01f;
            }),
        Try("depth", 10, "no look-ahead mask", masked({core::PaddingMask{}}), {}, {},
            holds("weights 0 0 it tired > 0 & distance layers.1.output 0 it with layers.1.output 1 "
                  "it "
                  "> 0.1")),
        Try("cross-attention", 1, "Q and K",
            inTurn({selected([](core::Selection &at) { at.stage = core::Stage::Query; }),
                    selected([](core::Selection &at) { at.stage = core::Stage::Key; })}),
            {"7 queries, and 4 keys"}, {}, holds("size query 2 = 7 & size key 2 = 4")),
        Try("cross-attention", 6, "the masks of both",
            selected([](core::Selection &at) { at.block = core::Block::CrossAttention; }),
            {"look-ahead mask"}, {},
            [](const Document &after, const core::Trace &before) {
                const core::AttentionId cross = after.selection().attention();
                const core::AttentionId self{cross.layer, core::Block::SelfAttention, cross.stack};
                return before.stage(core::Stage::AttentionWeights, self).matrix(0)(0, 1) == 0 &&
                       before.stage(core::Stage::AttentionWeights, cross).matrix(0)(0, 3) > 0 &&
                       after.state().input.masksOf(self) != after.state().input.masksOf(cross);
            }),
    };
}

} // namespace headlight::test
