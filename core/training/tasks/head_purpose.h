// A table of measures: which tokens the heads of each layer learn to attend to in a task. The head
// itself is found by its measure at the end of a run (training/run/recorded_run.h).
#pragma once

#include "core/message.h"
#include "core/training/tasks/task.h"

#include <span>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The keys that a measure counts for each query.
enum class KeyTarget {
    PreviousToken, ///< the token before
    AfterSame,     ///< the tokens after earlier occurrences of the query's token: induction
    Answer,        ///< the token that is the answer, where it occurs in the text
    Origin,        ///< Task::originsOf(), where the answer depends on
    LastToken,     ///< the last token, for queries with an answer
    OpenBracket,   ///< the innermost bracket that is still open, for queries with an answer
};
/// The measure of a layer's heads in a task.
struct HeadPurpose {
    Index layer = 0;
    KeyTarget keys = KeyTarget::PreviousToken;
    Message looks; ///< "looks at the letter before"
    Message finds; ///< "finds the letter before", for the step at which it does
};

/// A task whose heads can be watched while they form.
struct WatchableTask {
    std::string_view id;               ///< TaskInfo::id
    Message title;                     ///< "Say it again"
    Message learned;                   ///< one sentence: what the model has to find out
    std::vector<HeadPurpose> purposes; ///< in the order of the layers
};

/// In display order.
std::span<const WatchableTask> watchableTasks();
/// Returns null for any other task.
const WatchableTask *findWatchableTask(std::string_view task);

/// Returns for each token of the example the keys that the measure counts; empty for queries that
/// it leaves out.
std::vector<std::vector<Index>> targetKeysOf(KeyTarget target, const Task &task,
                                             const Example &example);

} // namespace headlight::core
