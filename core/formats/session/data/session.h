// A session: everything the user sees and does, and optionally a lesson. docs/session-file.md
// describes every field; resources/lessons/ contains the built-in lessons.
#pragma once

#include "core/formats/pretrained/tower.h"
#include "core/formats/session/data/lesson.h"
#include "core/formats/warning.h"
#include "core/selection/view_states.h"
#include "core/training/run/training_run.h"
#include "core/transformer/plan/computable.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The user's state at the last save: lesson step, edits, and view. Reset still returns to the
/// session's own state.
struct SavedState {
    Index step = 0;
    StatePatch set{}; ///< changes to the step's state
    SelectionPatch show{};
    /// Seed of the file's random numbers, if one was set. A seed passed to the reader overrides it.
    std::optional<std::uint64_t> seed{};
    TrainingRunPointer training{}; ///< the run in which the user continued training; null: none
    BirthState birth{};            ///< position of the run's replay
    ModelViewState modelView{};    ///< choices in the Model view
    /// The model and the input with `set` applied, as the reader has checked them. Unset for a
    /// state that does not come from a file.
    std::optional<Computable> computable{};
};

struct Capture;

/// A file with values from another program.
struct CapturedFile {
    std::string path;        ///< relative to the document's folder until it is resolved
    std::string fingerprint; ///< identifies the file's contents (fingerprintOf())
    std::shared_ptr<const Capture> content{};
    TracePointer trace{}; ///< null until it is read (formats/capture/captured_session.h)
};
struct PretrainedFolder;

/// The location of a model that is not in the document.
struct ModelReference {
    std::string folder; ///< relative to the document's folder
    std::optional<std::string> hash{};
    std::optional<std::string> expression{};
    Tower tower = Tower::Texts;
};

/// A patch of a lesson, applied to the state before it and checked by the reader.
struct CheckedPatch {
    StatePatch patch;
    Computable computable; ///< the model and the input with the patch applied
    SelectionPatch viewBefore;
    SelectionPatch view; ///< `viewBefore`, without positions beyond the patch's text
};
/// States of a lesson step that the reader has checked. Null: the step does not change the state,
/// changes the vectors of words, or is beyond kMaxCheckedWork.
struct CheckedStep {
    std::shared_ptr<const CheckedPatch> state, solution;
};
/// Limit on the total size of all CheckedStep objects: the sum of tokens, mask cells and
/// parameters.
inline constexpr Index kMaxCheckedWork = Index(1) << 20;

/// The members of the document that depend on nothing else in it. A field table describes them.
struct SessionHeader {
    std::string title{};
};

struct Session : SessionHeader {
    Model model;
    Input input;
    Index minimumLength = 0; ///< minimum length of the padded batch, even after edits of the text
    Index sourceMinimumLength = 0; ///< minimum length for the second sequences
    SelectionPatch view;
    /// The capture that the session shows instead of a model. Nothing can then be computed or
    /// edited, the model and the input are incomplete, and there is no lesson.
    std::optional<CapturedFile> capture{};
    /// The model's folder or file, if the model is not in the document.
    std::shared_ptr<const PretrainedFolder> pretrained{};
    std::optional<Lesson> lesson;
    TrainingRunPointer training{};   ///< the run that produced the parameters; null: unknown
    std::optional<SavedState> now;   ///< the user's state at the last save
    std::string json;                ///< the document as read, including unknown fields
    std::vector<Warning> warnings{}; ///< warnings about the document
    /// The model and the input, as the reader has checked them; unset for a capture. Code that
    /// changes `model` or `input` need not update this, because computableOf() compares.
    std::optional<Computable> computable{};
    /// The states of the lesson's steps, by LessonStep::documentStep; null without a lesson. They
    /// belong to `computable` and the steps as they were read. Code that changes the session or the
    /// lesson need not update them, because atStep() compares.
    std::shared_ptr<const std::vector<CheckedStep>> checkedSteps{};
};

/// Returns the model and the input for forward() if the reader of `session` has checked them. They
/// may be in the session, a lesson step, a solution or `now`. Otherwise returns null.
const Computable *findChecked(const Session &session, const Model &model, const Input &input);
/// Returns the model and the input for forward(). Does not check them again if the reader of
/// `session` has checked the same ones. Errors: see Computable::of().
Result<Computable> computableOf(const Session &session, const Model &model, const Input &input);

/// Returns the state of a lesson step (counted from 0): the base with the step's patch applied,
/// without lesson, `now` and `json`. It has the matrices that the reader has checked. Errors: no
/// such step; a text without a word.
Result<Session> atStep(const Session &session, Index step);

/// Applies the patch to the model and input of `session`. Removes parameters that its new switches
/// do not use. Errors: a text without a word; an unknown parameter, cell, head or score; the error
/// names its field below "set".
Result<Session> patched(Session session, const StatePatch &patch);

/// Returns the state of an exercise's step with its solution applied. Errors: no such step; a step
/// without an exercise; see patched().
Result<Session> solved(const Session &session, Index step);

/// Returns the patch from `base` to `model` and `input`, which must have the same sizes. Empty if
/// they are equal. For a parameter with few changes, stores single cells.
StatePatch differenceOf(const Session &base, const Model &model, const Input &input);

/// Returns the session with another text instead of its batch. Errors: see tokenized().
Result<Session> withText(const Session &session, std::string_view text);
/// Like withText(), for the second sequences.
Result<Session> withSourceText(const Session &session, std::string_view text);

/// Reads a JSON document without computing anything. Reports the first error, with the field and
/// the expected value. `seed` is mixed into the seeds of the file's random numbers, so that the
/// same lesson gets different parameters. Returns "cancelled" (core/cancelled.h) once `stop` is
/// requested, which is checked every few thousand values. `folder` is the base of the path of an
/// external model.
Result<Session> readSession(std::string_view json, std::optional<std::uint64_t> seed = {},
                            std::stop_token stop = {}, const std::string &folder = {});

/// Larger files are rejected before reading.
inline constexpr std::size_t kMaxSessionBytes = std::size_t(256) << 20;

/// Reads a session file. Errors name the file.
Result<Session> readSessionFile(const std::string &path, std::optional<std::uint64_t> seed = {},
                                std::stop_token stop = {});

/// The result of readers that list all problems (core/checks/session_check.h).
struct SessionReading {
    std::optional<Session> session; ///< set only if there are no problems
    Findings findings;
};
SessionReading readWithFindings(std::string_view json, std::stop_token stop = {},
                                const std::string &folder = {});
/// Reads a session file and returns all problems. Findings do not name the file.
SessionReading readFileWithFindings(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
