// Opens a source from a request. The window and all commands use this code.
#pragma once

#include "core/formats/pretrained/tower.h"
#include "core/transformer/plan/computable.h"
#include "ui/document/open_course.h"
#include "ui/document/state/document_state.h"

#include <QString>

#include <memory>
#include <stop_token>
#include <vector>

namespace headlight::ui {

/// A head as named in a request. Unset members default to the main stack and to self-attention, or
/// to cross-attention if the layer has no self-attention.
struct HeadName {
    std::optional<core::Stack> stack{};
    std::optional<core::Block> block{};
    core::Index layer = 0, head = 0;
    bool operator==(const HeadName &) const = default;
};

/// Returns the attention module of the head. The error names the option.
core::Result<core::AttentionId> attentionNamed(const HeadName &name, const core::Model &model,
                                               const char *option);

/// A head whose output is multiplied by a factor.
struct ScaledHead {
    HeadName head;
    float factor = 1;
    bool operator==(const ScaledHead &) const = default;
};

/// A source and changes made before anything is computed. Fields that are not set keep the
/// source's values.
struct SourceRequest {
    QString source;                  ///< lesson id or file path; empty: the first lesson
    std::optional<std::string> text; ///< with two sequences, the text attended to
    std::optional<std::string> pair; ///< second part of the text; requires `text`
    std::optional<std::string> targetText;
    std::optional<QString> picture; ///< file of a picture, for a model that reads pictures
    std::optional<QString> sound;   ///< WAV file, for a model that reads audio
    /// The model to open if the folder contains two. If unset, opens the model that reads pictures
    /// if the request has a picture, otherwise the model that reads texts.
    std::optional<core::Tower> tower;
    /// Regular expression of a token, for a folder that has vocab.txt but no tokenizer.
    std::optional<std::string> expression;
    std::optional<std::vector<core::Index>> tokenIds, targetTokenIds; ///< bypass the tokenizer
    std::optional<quint64> randomRepeats; ///< seed; the text is random tokens, repeated once
    enum class Mask { Own, None, Causal, Padding, CausalAndPadding };
    Mask mask = Mask::Own;
    std::optional<core::Index> step;
    std::optional<core::Positions> positions;
    std::optional<core::Scale> scale;
    std::vector<HeadName> silencedHeads;
    std::vector<ScaledHead> scaledHeads;
    std::optional<core::Index> layer, head, sequence;
    std::optional<core::Block> block;
    std::optional<core::Stack> stack;
    std::optional<core::StageId> place;               ///< a stage by its full name
    std::optional<core::Index> query, key, dimension; ///< −1 clears the source's selection
    std::optional<bool> opened;                       ///< expand the arithmetic
    core::SoftmaxPatch softmax{};                     ///< settings of the softmax view
    std::optional<quint64> seed;
    std::optional<QString> vectors; ///< file of word vectors for the words of the input
    OpenCoursePointer course{};     ///< course of the source, if known
    /// A session document to read instead of the source's file. It refers to other files, such as
    /// a model's folder, by absolute paths.
    std::optional<std::string> document{};
    /// The content of the source, if the caller has already read it. Then no file is read.
    std::shared_ptr<const core::Session> content{};
};

struct OpenedSource {
    core::Session session;
    QString source;
    DocumentState state;
    core::Selection selection;
    QString view;                     ///< tab that the session or its step requests; may be empty
    std::optional<quint64> seed;      ///< seed of the request, otherwise the saved seed
    OpenCoursePointer course{};       ///< course of the lesson, or null
    core::BirthState birth{};         ///< saved position in the replay of the run
    core::ModelViewState modelView{}; ///< saved choices in the Model view
    std::vector<std::string> importedFiles{}; ///< word vectors, pictures and audio of the request
    /// The model and the input of `state`, checked. Unset for a capture.
    std::optional<core::Computable> computable{};
};

/// Sets `computable`, and checks the state only if neither the reader of its session nor an edit
/// has checked it. Errors: as core::Computable::of().
core::Result<OpenedSource> withComputable(OpenedSource opened);

enum class SourceKind {
    Lesson,
    Session,
    Figure,
    ModelFolder, ///< the folder of a model, or a GGUF file
    Capture,
    Course,       ///< a folder of lessons or a course file; opens its first lesson
    CourseLesson, ///< a lesson in a course file
    Unknown
};

/// Classifies a source by its name, and a folder also by the names of its files. A file without a
/// known extension is also checked for the start of a GGUF file. An existing path takes precedence
/// over a lesson id. A word with a slash or a known extension is always a path.
SourceKind kindOfSource(const QString &word);

/// Returns the source in a form to show to others: a file's name without its folder.
QString withoutFolder(const QString &source);

/// Applies the `view` or `show` of a file to the selection, the tab and the softmax settings.
void applyView(const core::SelectionPatch &view, OpenedSource &opened);

/// Fits the selection to the state and applies the request's indices. Errors name the option whose
/// index does not exist.
core::Outcome applySelection(const SourceRequest &request, OpenedSource &opened);

/// Errors: the part of the request that is impossible, and the allowed values; "cancelled"
/// (core/cancelled.h) once `stop` is requested.
core::Result<OpenedSource> openSource(const SourceRequest &request, std::stop_token stop = {});

} // namespace headlight::ui
