// Workspaces of the training pass are allocated once, so a training step allocates no memory.
// Counts the allocations of the whole program.
#include "core/training/pass/training_pass.h"
#include "core/training/run/trainer.h"
#include "core/training/tasks/batch_of.h"
#include "core_test.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> asked = 0;

void *counted(std::size_t size) {
    ++asked;
    return std::malloc(size > 0 ? size : 1);
}
void *counted(std::size_t size, std::align_val_t place) {
    ++asked;
    const auto step = static_cast<std::size_t>(place);
    return std::aligned_alloc(step, (size + step - 1) / step * step);
}

void *orThrow(void *memory) {
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

} // namespace

// Not inlined, because the compiler would otherwise see new paired with free(), or malloc() with
// delete.
[[gnu::noinline]] void *operator new(std::size_t size) {
    return orThrow(counted(size));
}
[[gnu::noinline]] void *operator new(std::size_t size, std::align_val_t place) {
    return orThrow(counted(size, place));
}
[[gnu::noinline]] void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    return counted(size);
}
[[gnu::noinline]] void *operator new(std::size_t size, std::align_val_t place,
                                     const std::nothrow_t &) noexcept {
    return counted(size, place);
}
[[gnu::noinline]] void operator delete(void *memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void *memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

TEST_CASE("a pass allocates nothing, of one stack or two, on one thread or several") {
    for (const char *id : {"repeat", "number-words", "sentiment"}) {
        CAPTURE(id);
        const TaskPointer task = findTask(id);
        const TaskInfo &info = task->info();
        Architecture wide = info.recipe.architecture;
        wide.width = 64;
        wide.feedForward = 256;
        for (const Architecture &architecture : {info.recipe.architecture, wide}) {
            const auto model = valueOf(initialModel(info, architecture, 1));
            auto pass = valueOf(TrainingPass::create(model, masksOf(info, architecture),
                                                     {32, info.length, info.sourceLength}));
            AlignedNumbers weights(pass.parameters().size());
            AlignedNumbers gradient(pass.parameters().size());
            REQUIRE(pass.parameters().read(model.parameters, weights.data()).ok());
            TrainingBatch batch;
            const auto examples = examplesOf(*task, Split::Train, 1, 0, 32);
            fillBatch(examples, info, batch);
            REQUIRE(pass.run(batch, weights.data(), gradient.data())); // creates the threads
            const long before = asked;
            bool isMade = true;
            for (int i = 0; i < 5; ++i)
                isMade = pass.run(batch, weights.data(), gradient.data()).has_value() && isMade;
            const long after = asked;
            CHECK(isMade);
            CHECK(after == before);
        }
    }
}
