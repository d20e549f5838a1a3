// Head measures of tasks: the keys that each of them counts.
#include "core/training/tasks/head_purpose.h"
#include "core_test.h"

namespace {

using Keys = std::vector<std::vector<Index>>;

Keys keysOf(const char *task, KeyTarget target, Example example) {
    return targetKeysOf(target, *findTask(task), example);
}

} // namespace

TEST_CASE("every watchable task exists, and its purposes fit its recipe") {
    CHECK(watchableTasks().size() >= 5);
    CHECK(findWatchableTask("it") != nullptr);
    CHECK(findWatchableTask("tales") == nullptr);
    for (const WatchableTask &watched : watchableTasks()) {
        CAPTURE(watched.id);
        const TaskPointer task = findTask(watched.id);
        REQUIRE(task);
        CHECK_FALSE(watched.title.empty());
        CHECK_FALSE(watched.learned.empty());
        REQUIRE_FALSE(watched.purposes.empty());
        Index last = -1;
        for (const HeadPurpose &purpose : watched.purposes) {
            CHECK(purpose.layer > last);
            CHECK(purpose.layer < task->info().recipe.architecture.layers);
            CHECK_FALSE(purpose.looks.empty());
            CHECK_FALSE(purpose.finds.empty());
            last = purpose.layer;
            Index queries = 0;
            for (const Example &example : examplesOf(*task, Split::HeldOut, 0, 0, 20)) {
                const Keys keys = targetKeysOf(purpose.keys, *task, example);
                CHECK(keys.size() == example.tokens.size());
                for (std::size_t query = 0; query < keys.size(); ++query)
                    for (const Index key : keys[query]) {
                        ++queries;
                        CHECK(key >= 0);
                        const bool isCausal = task->info().asks == TargetPositions::NextToken;
                        CHECK(key < (isCausal ? static_cast<Index>(query) + 1
                                              : std::ssize(example.tokens)));
                    }
            }
            CHECK(queries > 0);
        }
    }
}

TEST_CASE("the keys of each measure") {
    const Example twice{{3, 5, 7, 3, 5}, {}, {kLeftOut, kLeftOut, kLeftOut, 5, 7}};
    CHECK(keysOf("repeat", KeyTarget::PreviousToken, twice) == Keys{{}, {0}, {1}, {2}, {3}});
    CHECK(keysOf("repeat", KeyTarget::AfterSame, twice) == Keys{{}, {}, {}, {1}, {2}});
    CHECK(keysOf("repeat", KeyTarget::Answer, twice) == Keys{{}, {}, {}, {1}, {2}});
    CHECK(keysOf("repeat", KeyTarget::LastToken, twice) == Keys{{}, {}, {}, {4}, {4}});
    // "( [ ] {", where the ids are in the order [PAD] ( [ { ) ] }
    const Example brackets{{1, 2, 5, 3}, {}, {kLeftOut, 5, kLeftOut, 6}};
    CHECK(keysOf("brackets", KeyTarget::OpenBracket, brackets) == Keys{{}, {1}, {}, {3}});
    const Example closed{{1, 2, 5}, {}, {kLeftOut, 5, 4}};
    CHECK(keysOf("brackets", KeyTarget::OpenBracket, closed) == Keys{{}, {1}, {0}});
    // A task with classes has one answer per example, at the last token.
    const TaskPointer bank = findTask("which-bank");
    const Example sentence = examplesOf(*bank, Split::Train, 1, 0, 1).front();
    const Keys origins = targetKeysOf(KeyTarget::Origin, *bank, sentence);
    CHECK_FALSE(origins.back().empty());
    const Keys last = targetKeysOf(KeyTarget::LastToken, *bank, sentence);
    CHECK(last.back() == std::vector<Index>{std::ssize(sentence.tokens) - 1});
    CHECK(last.front().empty());
}
