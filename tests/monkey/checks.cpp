#include "tests/monkey/checks.h"

#include "core/formats/files/file_stamp.h"
#include "core/transformer/model/parameter_id.h"
#include "tests/support/forward.h"
#include "ui/document/fitting_selection.h"
#include "ui/views/figure_view.h"

#include <QFile>

#include <cmath>
#include <cstring>
#include <unistd.h>

namespace headlight::test {

namespace {

constexpr core::Index kMaxToCompute = 64 << 20; // maximum bytes of a trace that is recomputed
#ifdef __SANITIZE_ADDRESS__
constexpr qint64 kMaxMemory = 8000; // megabytes, most of them used by the sanitizer
#else
constexpr qint64 kMaxMemory = 3000;
#endif

QString differentWords(const core::EmbeddingsPointer &a, const core::EmbeddingsPointer &b) {
    if (a == b)
        return {};
    if (!a || !b)
        return "the words";
    for (const auto *one : {&a, &b})
        for (const auto &[word, vector] : (*one)->given().words)
            if (a->vectorOf(word) != b->vectorOf(word))
                return "the vector of " + QString::fromStdString(word);
    return {};
}

/// Returns what differs between the states, or nothing. Compares values, not pointers.
QString difference(const ui::DocumentState &a, const ui::DocumentState &b) {
    if (!(a.model.config == b.model.config))
        return "the config";
    if (a.lessonStep != b.lessonStep)
        return "the step";
    if (a.input.masks != b.input.masks)
        return "the masks";
    if (a.input.encoderMasks != b.input.encoderMasks)
        return "the encoder's masks";
    if (a.input.crossMasks != b.input.crossMasks)
        return "the masks of the cross-attention";
    if (!(a.input.interventions == b.input.interventions))
        return "the interventions";
    if (!core::sameNumbers(a.input.batch, b.input.batch))
        return "the sequences";
    if (!core::sameNumbers(a.input.source, b.input.source))
        return "the second sequences";
    for (const core::ParameterId &id : core::allParameters(a.model.parameters))
        if (!core::sameNumbers(core::parameterOf(a.model.parameters, id),
                               core::parameterOf(b.model.parameters, id)))
            return "the parameter " + QString::fromStdString(core::nameOf(id));
    return differentWords(a.model.embeddings, b.model.embeddings);
}

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

} // namespace

QString traceIsOfItsState(const ui::Document &document) {
    const core::TracePointer &shown = document.trace();
    if (!shown || document.traceIsStale()) // the computation failed, which the window shows
        return {};
    if (document.isCapture()) // another program computed it
        return {};
    const ui::DocumentState &state = document.state();
    if (core::traceBytes(state.model, core::Extent(state.input)) > kMaxToCompute)
        return {};
    const core::Result<core::TracePointer> fresh = test::forward(state.model, state.input);
    if (!fresh && core::isChangedFile(fresh.error())) // changedFileIsTold() checks this
        return {};
    if (!fresh)
        return "the state cannot be computed: " + QString::fromStdString(fresh.error().text());
    for (const core::StageId &at : core::stagesOf(state.model)) {
        const QString name = QString::fromStdString(core::stageName(at.stage, at.attention));
        const core::Tensor now = shown->stage(at.stage, at.attention);
        const core::Tensor anew = (*fresh)->stage(at.stage, at.attention);
        if (now.isNull() || anew.isNull())
            return name + " is not there";
        if (!(now.shape() == anew.shape()) || !sameBits(now.values(), anew.values()))
            return name + " is not what it would be if it was computed from the start";
        for (const float number : now.values())
            if (std::isnan(number))
                return name + " has a NaN";
    }
    return {};
}

QString selectionIsThere(const ui::Document &document) {
    const bool fits =
        ui::fittingSelection(document.selection(), document.state()) == document.selection();
    return fits ? QString() : "something is selected that is not there";
}

QString isReadAsItIsSaved(ui::MainWindow &window, const QString &folder) {
    ui::Document &document = window.document();
    const QString view = window.currentView()->viewName();
    const std::string bytes = document.snapshot(view).bytes();
    const QString path = folder + "/check.headlight";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
        return "the folder cannot be written";
    file.close();
    ui::SourceRequest request;
    request.source = path;
    const core::Result<ui::OpenedSource> read = ui::openSource(request);
    if (!read)
        return "what was saved cannot be read: " + QString::fromStdString(read.error().text());
    if (const QString what = difference(document.state(), read->state); !what.isEmpty())
        return "what was saved is not what is read: " + what;
    ui::Document again;
    again.open(*read);
    if (again.state().edits != document.state().edits)
        return "what was saved is read with other edits";
    // Answers are not saved. A question that was answered here is open again in the file, and its
    // view must not reveal the answer. This also holds if the user had opened the answer's view:
    // the step itself shows that view, so it is not saved.
    if (again.askedQuestion() && (!document.askedQuestion() || !again.session().now))
        return {};
    // A dimension that the stage does not have is not saved. tst_saved_states covers this.
    core::Selection selection = again.selection();
    selection.dimension = document.selection().dimension;
    if (selection != document.selection())
        return "what was saved is read with another selection";
    if (read->view != view)
        return QString("what was saved in %1 is read in %2").arg(view, read->view);
    if (again.snapshot(view).bytes() != bytes)
        return "what was saved would be saved otherwise once it is read";
    return {};
}

QString undoneAndDoneAgain(ui::Document &document, const ui::DocumentState &opened) {
    QUndoStack &stack = document.undoStack();
    if (stack.isClean() && document.isModified())
        return "nothing was done since it was saved, but it says that it is modified";
    const ui::DocumentState now = document.state();
    const int index = stack.index();
    stack.setIndex(0);
    if (const QString what = difference(document.state(), opened); !what.isEmpty())
        return "undoing everything does not lead back: " + what;
    stack.setIndex(stack.count());
    stack.setIndex(index);
    if (const QString what = difference(document.state(), now); !what.isEmpty())
        return "undone and done again it is not the same: " + what;
    return {};
}

qint64 memoryUsed() {
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE) >> 20;
}

QString memoryIsBounded() {
    const qint64 used = memoryUsed();
    return used > kMaxMemory ? QString("it uses %1 MB").arg(used) : QString();
}

} // namespace headlight::test
