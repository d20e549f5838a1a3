// A session: everything the user sees and does, and a lesson if it has one. docs/session-file.md
// describes every field; resources/lessons/ holds the built-in lessons.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/formats/warning.h"
#include "core/training/run/training_run.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The user's state at the last save: lesson step, edits, and view. Reset still returns to the
/// base.
struct SavedState {
    Index step = 0;
    StatePatch set{}; ///< applied to the step
    SelectionPatch show{};
    /// Seed of the file's random numbers, if one was set. A seed passed to the reader overrides it.
    std::optional<std::uint64_t> seed{};
    TrainingRunPointer training{}; ///< training since the base; null: none
};

struct Capture;

/// A file with values computed by another program.
struct CapturedFile {
    std::string path;        ///< relative to the document's folder before resolution
    std::string fingerprint; ///< identifies the file (formats/files/fingerprint.h)
    std::shared_ptr<const Capture> content{};
    TracePointer trace{}; ///< null until it is read (formats/capture/captured_session.h)
};
struct PretrainedFolder;

struct Session {
    std::string title;
    Model model;
    Input input;
    Index minimumLength = 0; ///< minimum length of the padded batch, also after edits of the text
    Index sourceMinimumLength = 0; ///< the same for the second sequences
    SelectionPatch view;
    /// The capture shown instead of a model. Nothing can be computed or edited then. Model and
    /// input hold what is known, and there is no lesson.
    std::optional<CapturedFile> capture{};
    /// Source of the model, if it is not in the document.
    std::shared_ptr<const PretrainedFolder> pretrained{};
    std::optional<Lesson> lesson;
    TrainingRunPointer training{};   ///< the run that produced the parameters; null: unknown
    std::optional<SavedState> now;   ///< the user's state at the last save
    std::string json;                ///< the document as read, for unknown fields
    std::vector<Warning> warnings{}; ///< warnings about the document
};

/// Returns the state of a lesson step (from 0): the base with the step's patch, without lesson,
/// `now` and `json`. Errors: unknown step; a text without a word.
Result<Session> atStep(const Session &session, Index step);

/// Applies the patch to the model and input of `session`. Removes parameters that have no place
/// after its switches. Errors: a text without a word; an unknown parameter, cell, head or score,
/// with its field below "set".
Result<Session> patched(Session session, const StatePatch &patch);

/// Returns the state of an exercise's step with its solution applied. Errors: unknown step; a step
/// without an exercise; see patched().
Result<Session> solved(const Session &session, Index step);

/// Returns the patch from `base` to `model` and `input`, which must have the same sizes. Empty if
/// nothing differs. Stores single cells if few of a parameter differ.
StatePatch differenceOf(const Session &base, const Model &model, const Input &input);

/// Returns the session with another text instead of its batch. Errors: see tokenized().
Result<Session> withText(const Session &session, std::string_view text);
/// The same for the second sequences.
Result<Session> withSourceText(const Session &session, std::string_view text);

/// Reads one JSON document without computing anything. Reports the first error, with the field and
/// the expected value. `seed` is mixed into the seeds of the file's random numbers, which gives the
/// same lesson other parameters. Returns "cancelled" (core/cancelled.h) once `stop` is requested,
/// checked every few thousand values. An external model is looked up relative to `folder`.
Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed = {},
                            std::stop_token stop = {}, const std::string &folder = {});

/// Larger files are rejected unread.
inline constexpr std::size_t kMaxSessionBytes = std::size_t(256) << 20;

/// Reads a session file. Errors name the file.
Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed = {},
                                std::stop_token stop = {});

/// The result for callers that list every problem (core/checks/session_check.h).
struct SessionReading {
    std::optional<Session> session; ///< set if there are no problems
    Findings findings;
};
SessionReading readWithFindings(std::string_view json, std::stop_token stop = {},
                                const std::string &folder = {});
/// Findings do not name the file.
SessionReading readFileWithFindings(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
