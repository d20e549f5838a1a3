// A handout for teachers: one page about a lesson.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <vector>

namespace headlight::core {

struct HandoutStep {
    LessonStep step;
    TracePointer trace;                 ///< the trace of the step without user edits
    std::optional<std::size_t> right{}; ///< index of the right answer, if it can be determined
};

struct Handout {
    std::string title;
    std::string aim; ///< the aim of the lesson, or its summary
    Index minutes = 0;
    std::vector<std::string> needs{}; ///< titles of the lessons that this one builds on
    std::vector<std::string> difficulties{};
    std::vector<HandoutStep> steps{};
};

} // namespace headlight::core
