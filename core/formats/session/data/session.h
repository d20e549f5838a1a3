// A session: everything that is kept of what a person sees and does, and a lesson where the session
// is one. docs/session-file.md describes the file field by field; resources/lessons/ holds the
// built-in ones.
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

/// Where a person was when the session was saved: the lesson's step, what they had changed since,
/// and what they looked at. The base, and so "Reset", stays as it was.
struct SavedState {
    Index step = 0;
    StatePatch set{}; ///< laid over the step
    SelectionPatch show{};
    /// That the file's random numbers were made with, where it was given one; another one that is
    /// asked for when the file is read counts instead.
    std::optional<std::uint64_t> seed{};
    TrainingRunPointer training{}; ///< how far the model was trained since; null: no further
};

struct Capture;

/// A file in which another program left what it computed.
struct CapturedFile {
    std::string path;        ///< in a document that was only read, relative to its folder
    std::string fingerprint; ///< by which it is known again (formats/files/fingerprint.h)
    std::shared_ptr<const Capture> content{};
    TracePointer trace{}; ///< null until it has been read (formats/capture/captured_session.h)
};
struct PretrainedFolder;

struct Session {
    std::string title;
    Model model;
    Input input;
    Index minimumLength =
        0; ///< the batch is padded to at least this, also after its text has been changed
    Index sourceMinimumLength = 0; ///< the same for the second sequences
    SelectionPatch view;
    /// What is shown instead of a model: then nothing can be computed or edited, model and input
    /// say what is known of it, and there is no lesson.
    std::optional<CapturedFile> capture{};
    /// Where the model is from, if it is not in the document.
    std::shared_ptr<const PretrainedFolder> pretrained{};
    std::optional<Lesson> lesson;
    TrainingRunPointer training{}; ///< of which the model's weights are; null: none is known
    std::optional<SavedState> now; ///< what a person had made of it when it was saved
    std::string json; ///< the document as it was read, for the fields this version does not know
    std::vector<Warning> warnings{}; ///< what was odd about it
};

/// The state of a lesson at one of its steps (0 …): the base with the step's patch, without the
/// lesson itself, `now` and `json`. Errors: no such step; a text without a word.
Result<Session> atStep(const Session &session, Index step);

/// `session` with the patch laid over its model and input; parameters that its switches leave
/// without a place are taken away. Errors: a text without a word; a parameter, cell, head or score
/// that does not exist there, with its field below "set".
Result<Session> patched(Session session, const StatePatch &patch);

/// The state of an exercise's step with its solution laid over it. Errors: no such step, or it has
/// no exercise; as patched().
Result<Session> solved(const Session &session, Index step);

/// The patch that makes `model` and `input` of `base`, whose sizes are the same: empty where
/// nothing differs. A parameter that differs in few cells is said cell by cell.
StatePatch differenceOf(const Session &base, const Model &model, const Input &input);

/// The session reading another text instead of its batch. Errors: as tokenized().
Result<Session> withText(const Session &session, std::string_view text);
/// The same for its second sequences.
Result<Session> withSourceText(const Session &session, std::string_view text);

/// Reads one JSON document, and computes nothing. Errors name the field and what was expected
/// there, the first of them. A `seed` is mixed into those that the file gives its random numbers:
/// the same lesson with other weights. "cancelled" (core/cancelled.h) once `stop` is requested,
/// which is looked at every few thousand values.
/// A model that is not in the document is looked for from `folder` on.
Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed = {},
                            std::stop_token stop = {}, const std::string &folder = {});

/// A file over this is refused unread.
inline constexpr std::size_t kMaximumSessionBytes = std::size_t(256) << 20;

/// The same from a file, which the errors name.
Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed = {},
                                std::stop_token stop = {});

/// The same for who lists everything that is wrong (core/checks/session_check.h).
struct SessionReading {
    std::optional<Session> session; ///< where there are no problems
    Findings findings;
};
SessionReading readWithFindings(std::string_view json, std::stop_token stop = {},
                                const std::string &folder = {});
/// Leaves it to its callers to name the file.
SessionReading readFileWithFindings(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
