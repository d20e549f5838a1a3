// Lists of interventions: at most one entry per place, in order, and only within the model.
#include "core_test.h"
#include "random_models.h"

#include "core/transformer/model/parameter_table.h"

TEST_CASE("interventions behave like a map, and equal ones are equal lists") {
    Random random(8);
    const Model model = smallModel(2);
    const Input input = inputOf({"a b c", "d"});
    using Place = std::tuple<Index, Index, Index, Index, Index>;
    std::map<Place, float> scores;
    std::map<std::pair<Index, Index>, HeadState> heads;
    Interventions list;
    for (int step = 0; step < 400; ++step) {
        const ScoreIntervention said = randomScore(random, model, *input.batch);
        const Place place{said.sequence, said.layer, said.head, said.query, said.key};
        if (oneIn(random, 3)) {
            list.removeScore(said.sequence, said.layer, said.head, said.query, said.key);
            scores.erase(place);
        } else {
            list.setScore(said);
            scores[place] = said.score;
        }
        const auto state = static_cast<HeadState>(random.next() % 4);
        list.setHead(said.layer, said.head, state);
        heads[{said.layer, said.head}] = state;
    }
    REQUIRE(list.scores.size() == scores.size());
    auto next = scores.begin();
    std::size_t ofHeads = 0;
    for (const ScoreIntervention &said : list.scores) {
        CHECK(Place{said.sequence, said.layer, said.head, said.query, said.key} == next->first);
        CHECK(said.score == next->second);
        CHECK(list.scoreAt(said.sequence, said.layer, said.head, said.query, said.key) ==
              said.score);
        ++next;
    }
    for (Index b = 0; b < 2; ++b)
        for (Index layer = 0; layer < 2; ++layer)
            for (Index head = 0; head < 2; ++head)
                for (const ScoreIntervention &said : list.scoresOf(b, layer, head)) {
                    CHECK((said.sequence == b && said.layer == layer && said.head == head));
                    ++ofHeads;
                }
    CHECK(ofHeads == list.scores.size());
    for (const auto &[place, state] : heads)
        CHECK(list.stateOf(place.first, place.second) == state);
    for (const HeadIntervention &said : list.heads)
        CHECK(said.state != HeadState::On);
    CHECK(validate(list, model, input).ok());
}

TEST_CASE("an intervention outside the model is refused and named") {
    const Model model = smallModel();
    const Input input = inputOf({"a b"});
    const auto whereOf = [&](const Interventions &list) {
        const auto trace = forward(model, {input.batch, {}, list});
        return trace.ok() ? std::string("fine") : trace.error().where;
    };
    Interventions list;
    CHECK(whereOf(list) == "fine");
    list.scores = {{0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 2, 1}};
    CHECK(whereOf(list) == "interventions.scores[1].key");
    list.scores = {{1, 0, 0, 0, 0, 1}};
    CHECK(whereOf(list) == "interventions.scores[0].sequence");
    list.scores = {{0, 0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN()}};
    CHECK(whereOf(list) == "interventions.scores[0].score");
    list.scores.clear();
    list.heads = {{0, 2, HeadState::Zero}};
    CHECK(whereOf(list) == "interventions.heads[0].head");
    list.heads = {{1, 0, HeadState::Zero}};
    CHECK(whereOf(list) == "interventions.heads[0].layer");
}

TEST_CASE("lists that a binary search would get wrong are refused and named") {
    const Model model = smallModel(2);
    const Input input = inputOf({"a b c", "d"});
    const auto errorOf = [&](const Interventions &list) {
        const auto trace = forward(model, {input.batch, {}, list});
        return trace.ok() ? std::string("fine") : trace.error().text();
    };
    Interventions list;
    list.heads = {{1, 0, HeadState::Zero}, {1, 1, HeadState::Mean}};
    list.scores = {{0, 1, 0, 0, 0, 1}, {0, 1, 0, 0, 1, 1}, {1, 0, 0, 0, 0, 1}};
    CHECK(errorOf(list) == "fine");
    std::swap(list.heads[0], list.heads[1]);
    CHECK(errorOf(list) == "interventions.heads[1]: it is out of order: it belongs before the "
                           "previous entry; sort the entries by attention block and position");
    list.heads = {{1, 1, HeadState::Zero}, {1, 1, HeadState::Mean}};
    CHECK(errorOf(list) ==
          "interventions.heads[1]: it has the same target as the previous entry; keep one of them");
    list.heads.clear();
    std::swap(list.scores[1], list.scores[2]);
    CHECK(errorOf(list) == "interventions.scores[2]: it is out of order: it belongs before the "
                           "previous entry; sort the entries by attention block and position");
    list.scores[2] = list.scores[1];
    CHECK(
        errorOf(list) ==
        "interventions.scores[2]: it has the same target as the previous entry; keep one of them");
}
