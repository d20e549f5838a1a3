// From the words of a command line, or of a click, to a session in a state: the same for the window
// and every command.
#pragma once

#include "ui/document/open_course.h"
#include "ui/document/state/document_state.h"

#include <QString>

#include <stop_token>

namespace headlight::ui {

/// A source and what is changed of it before anything is computed. What is not said stays as the
/// source has it.
struct SourceRequest {
    QString source;                  ///< a lesson's id or a file's path; empty: the first lesson
    std::optional<std::string> text; ///< of two sequences that which is attended to
    std::optional<std::string> pair; ///< read behind `text`, which is there
    std::optional<std::string> targetText;
    /// What a token is, for a folder whose vocab.txt comes without its tokenizer.
    std::optional<std::string> expression;
    std::optional<std::vector<core::Index>> tokenIds, targetTokenIds; ///< words by their numbers
    enum class Mask { Own, None, Causal, Padding, CausalAndPadding };
    Mask mask = Mask::Own;
    std::optional<core::Index> step;
    std::optional<core::Positions> positions;
    std::optional<core::Scale> scale;
    std::optional<core::Index> layer, head, sequence;
    std::optional<core::Block> block;
    std::optional<core::Stack> stack;
    std::optional<core::StageId> place;               ///< a stage by its full name
    std::optional<core::Index> query, key, dimension; ///< −1: none, whatever the source selects
    std::optional<bool> opened;                       ///< the arithmetic of the selected number
    core::SoftmaxPatch softmax{};                     ///< of what the softmax view looks at
    std::optional<quint64> seed;
    std::optional<QString> vectors; ///< a file of word vectors for the words that are read
    OpenCoursePointer course{};     ///< that the source is a lesson of, where that is known
    /// A session's document that is read instead of what stands there: what it names beside itself,
    /// such as a model's folder, by its whole path.
    std::optional<std::string> document{};
};

struct OpenedSource {
    core::Session session;
    QString source;
    DocumentState state;
    core::Selection selection;
    QString view;                ///< the tab that the session or its step asks for; may be empty
    std::optional<quint64> seed; ///< the request's, else that the session was saved with
    OpenCoursePointer course{};  ///< that it is a lesson of; null: of none
};

enum class SourceKind {
    Lesson,
    Session,
    Figure,
    ModelFolder,
    Capture,
    Course,       ///< a folder of lessons, or the file of a course: its first lesson is opened
    CourseLesson, ///< within the file of a course
    Unknown
};

/// By the word alone, without a look into the file, and of a folder by the names in it: a path that
/// exists, else a lesson's id; a word with a slash or a known ending is a path in any case.
SourceKind kindOfSource(const QString &word);

/// A source as others may read of it: a file by its name, without the folder that it lies in.
QString withoutFolder(const QString &source);

/// Lays the indices of the request over the selection, which is made to fit the state first. Errors
/// name the option whose index does not exist.
core::Outcome applySelection(const SourceRequest &request, OpenedSource &opened);

/// Errors say which part of the request is impossible, and what would be possible.
/// "cancelled" (core/cancelled.h) once `stop` is requested.
core::Result<OpenedSource> openSource(const SourceRequest &request, std::stop_token stop = {});

} // namespace headlight::ui
