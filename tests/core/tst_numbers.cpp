// Buffers of numbers: they are aligned, and large ones are reused.
#include "core/tensor/numbers.h"
#include "core_test.h"

#include <cstdint>
#include <new>

namespace {

constexpr std::size_t kLarge = std::size_t(5) << 20;

/// True if freed buffers are reused. Sanitizers have their own allocators.
bool isUsedAgain() {
    releasePool();
    releaseMemory(takeMemory(kLarge), kLarge);
    const bool kept = pool() > 0;
    releasePool();
    return kept;
}

} // namespace

TEST_CASE("buffers of every size can be written to their end") {
    for (const std::size_t bytes : {1, 63, 4096, 1 << 20, (1 << 20) + 1, 5 << 20}) {
        CAPTURE(bytes);
        void *const room = takeMemory(bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(room) % 64 == 0);
        std::memset(room, 7, bytes);
        releaseMemory(room, bytes);
    }
    releasePool();
    CHECK(pool() == 0);
}

TEST_CASE("large buffers are reused, small ones are returned to the system") {
    if (!isUsedAgain()) {
        MESSAGE("skipped: a sanitizer gives out the room");
        return;
    }
    void *const first = takeMemory(kLarge);
    releaseMemory(first, kLarge);
    CHECK(pool() >= kLarge);
    void *const again = takeMemory(kLarge - 100); // rounded up to the same size
    CHECK(again == first);
    CHECK(pool() == 0);
    releaseMemory(again, kLarge - 100);
    releasePool();
    CHECK(pool() == 0);
    releaseMemory(takeMemory(1000), 1000);
    CHECK(pool() == 0);
}

TEST_CASE("numbers are a vector that is not cleared") {
    Numbers numbers(3, 2.5f);
    CHECK(numbers == Numbers{2.5f, 2.5f, 2.5f});
    numbers.resize(2'000'000);
    CHECK(numbers[2] == 2.5f);
    numbers.back() = 1;
    const Numbers copy = numbers;
    CHECK(copy.back() == 1);
}

TEST_CASE("requests for more memory than exists throw") {
    CHECK_THROWS_AS((void)takeMemory(std::size_t(1) << 60), std::bad_alloc);
    CHECK_THROWS_AS((void)takeMemory(static_cast<std::size_t>(-1)), std::bad_alloc);
}

TEST_CASE("threads take and return buffers at the same time") {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([thread] {
            for (int round = 0; round < 30; ++round) {
                const std::size_t count = 300'000 * static_cast<std::size_t>(1 + round % 4);
                Numbers numbers(count);
                numbers.front() = numbers.back() = static_cast<float>(thread);
                if (numbers.front() != static_cast<float>(thread))
                    std::abort();
            }
        });
}
