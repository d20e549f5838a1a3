// A session: everything that is kept of what a person sees and does, and a lesson where the session
// is one. docs/session-file.md describes the file field by field; resources/lessons/ holds the
// built-in ones.
#pragma once

#include "core/result.h"
#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The part of a selection that a file or a lesson's step says; what it leaves out stays as it is.
struct SelectionPatch {
    std::optional<Index> sequence, layer, head;
    std::optional<Stage> stage;
    std::optional<Index> query, key, dimension;
    bool clearsCell =
        false; ///< the step looks at no row and no cell: query, key and dimension are taken away
    std::optional<std::string> view; ///< the tab: "flow", "heads", "similarity"

    /// `before` with what the patch says laid over it.
    Selection applied(Selection before) const;
    bool operator==(const SelectionPatch &) const = default;
};

/// What a lesson's step changes of the lesson's base.
struct StatePatch {
    std::optional<std::string> text; ///< one text, split into words; replaces the batch
    std::optional<MaskLayers> masks;
    std::optional<Positions> positions;
    std::optional<Scale> scale;
    std::optional<float> temperature;
    bool operator==(const StatePatch &) const = default;
};

/// Text marks: *emphasis*, **strong**, and {weights 0 0 1 0}: the trace's value at [b, h, t, s]
/// with two decimals, as {weights 0 0 1 0 : 4} with four. Paragraphs are entries.
struct LessonStep {
    std::string title;
    std::vector<std::string> text;
    std::string tryIt; ///< a thing to do, in its own box; may be empty
    SelectionPatch show;
    StatePatch set;
};

struct Lesson {
    std::string summary; ///< one sentence: what it teaches
    std::vector<LessonStep> steps;
};

struct Session {
    std::string title;
    Model model;
    Input input;
    Index minimumLength =
        0; ///< the batch is padded to at least this, also after its text has been changed
    SelectionPatch view;
    std::optional<Lesson> lesson;
    std::string json; ///< the document as it was read, for the fields this version does not know
};

/// The state of a lesson at one of its steps (0 …): the base with the step's patch. Errors: no such
/// step; a text without a word.
Result<Session> atStep(const Session &session, Index step);

/// The session reading another text instead of its batch. Errors: as splitIntoWords().
Result<Session> withText(const Session &session, std::string_view text);

/// Reads one JSON document. Errors name the field and what was expected there; `check` lists all of
/// them, `read` the first. A `seed` is mixed into those that the file gives its random numbers: the
/// same lesson with other weights.
Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed = {});
std::vector<Error> checkSession(std::string_view json);

/// A file over this is refused unread.
inline constexpr std::size_t kMaximumSessionBytes = std::size_t(256) << 20;

/// The same from a file. `read` names the file in its errors; `check` leaves that to those who list
/// them.
Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed = {});
std::vector<Error> checkSessionFile(const std::string &path);

} // namespace headlight::core
