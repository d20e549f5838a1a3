// A table of measures: the tokens that the heads of each layer learn to attend to in a task. The
// head is found by its measure at the end of a run (training/run/recorded_run.h).
#pragma once

#include "core/message.h"
#include "core/training/tasks/task.h"

#include <span>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The keys whose attention weights a measure adds up, for each query.
enum class KeyTarget {
    PreviousToken, ///< the token before the query
    AfterSame,     ///< tokens after earlier occurrences of the query's token (induction)
    Answer,        ///< occurrences of the answer's token in the text
    Origin,        ///< the tokens that the answer depends on (Task::originsOf())
    LastToken,     ///< the last token, for queries with an answer
    OpenBracket,   ///< the innermost open bracket, for queries with an answer
};
/// The measure for the heads of one layer in a task.
struct HeadPurpose {
    Index layer = 0;
    KeyTarget keys = KeyTarget::PreviousToken;
    Message looks; ///< such as "looks at the letter before"
    Message finds; ///< such as "finds the letter before", shown at the step where the head forms
};

/// A task whose heads can be watched as they form.
struct WatchableTask {
    std::string_view id; ///< TaskInfo::id
    Message title;       ///< such as "Say it again"
    Message learned;     ///< short description of the task and its solution
    std::vector<HeadPurpose> purposes; ///< in layer order
};

/// In display order.
std::span<const WatchableTask> watchableTasks();
/// Returns null for any other task.
const WatchableTask *findWatchableTask(std::string_view task);

/// For each token of the example, returns the keys whose weights the measure adds up. Empty for
/// queries that the measure ignores.
std::vector<std::vector<Index>> targetKeysOf(KeyTarget target, const Task &task,
                                             const Example &example);

} // namespace headlight::core
