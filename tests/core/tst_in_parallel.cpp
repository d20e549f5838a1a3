#include "core/tensor/in_parallel.h"
#include "core_test.h"

#include <atomic>
#include <stdexcept>

TEST_CASE("every item is done once, and no two of a lane at the same time") {
    for (const Index count : {0, 1, 2, 3, 7, 100, 5000}) {
        CAPTURE(count);
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        std::vector<std::atomic<int>> busy(static_cast<std::size_t>(maxThreads()));
        std::atomic<int> wrong = 0;
        inParallel(count, [&](Index item, Index lane) {
            if (lane < 0 || lane >= maxThreads()) {
                ++wrong;
                return;
            }
            std::atomic<int> &mine = busy[static_cast<std::size_t>(lane)];
            wrong += mine.fetch_add(1) != 0;
            ++done[static_cast<std::size_t>(item)];
            --mine;
        });
        CHECK(wrong == 0);
        int missing = 0;
        for (const std::atomic<int> &times : done)
            missing += times != 1;
        CHECK(missing == 0);
    }
}

TEST_CASE("a lane begins with its own consecutive items") {
    constexpr Index kItems = 1000;
    std::vector<std::vector<Index>> order(static_cast<std::size_t>(maxThreads()));
    std::atomic<bool> hasBegun = false; // other lanes wait, or they could take lane 0's items
    inParallel(kItems, [&](Index item, Index lane) {
        if (lane == 0)
            hasBegun = true;
        while (!hasBegun)
            std::this_thread::yield();
        order[static_cast<std::size_t>(lane)].push_back(item);
    });
    for (Index lane = 0; lane < maxThreads(); ++lane) {
        CAPTURE(lane);
        const std::vector<Index> &items = order[static_cast<std::size_t>(lane)];
        const Index first = kItems * lane / maxThreads(), end = kItems * (lane + 1) / maxThreads();
        if (items.empty() || items[0] != first)
            continue; // other lanes took all of its items before its thread woke
        for (std::size_t i = 1; i < items.size() && first <= items[i] && items[i] < end; ++i)
            CHECK(items[i] == items[i - 1] + 1);
    }
    REQUIRE(!order[0].empty());
    CHECK(order[0][0] == 0);
}

TEST_CASE("nested work is done by the thread that starts it") {
    std::atomic<int> elsewhere = 0, done = 0;
    inParallel(20, [&](Index, Index) {
        const std::thread::id here = std::this_thread::get_id();
        inParallel(10, [&](Index, Index lane) {
            elsewhere += std::this_thread::get_id() != here || lane != 0;
            ++done;
        });
    });
    CHECK(elsewhere == 0);
    CHECK(done == 200);
}

TEST_CASE("an exception of the work reaches the caller, and the next work is done as usual") {
    // Too many to be finished before the thread that throws is scheduled.
    constexpr Index kItems = 1'000'000'000;
    std::atomic<Index> begun = 0;
    CHECK_THROWS_AS(inParallel(kItems,
                               [&](Index item, Index) {
                                   ++begun;
                                   if (item == 3)
                                       throw std::runtime_error("three");
                               }),
                    std::runtime_error);
    CHECK(begun < kItems); // the remaining items were skipped
    std::atomic<int> done = 0;
    inParallel(50, [&](Index, Index) { ++done; });
    CHECK(done == 50);
}

TEST_CASE("several threads start work at the same time") {
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&wrong] {
                for (int round = 0; round < 200; ++round) {
                    std::atomic<Index> sum = 0;
                    inParallel(30, [&](Index item, Index) { sum += item; });
                    wrong += sum != 435;
                }
            });
    }
    CHECK(wrong == 0);
}
