// Opens a source for a test, or fails the test.
#pragma once

#include "tests/support/forward.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/document.h"

#include <QSignalSpy>

namespace headlight::test {

inline ui::OpenedSource opened(const QString &source, core::Index step = 0) {
    ui::SourceRequest request;
    request.source = source;
    if (step > 0) // a session without a lesson has no steps
        request.step = step;
    return valueOf(ui::openSource(request));
}

/// Returns the source with another model and input, and without its lesson.
inline ui::OpenedSource withModel(ui::OpenedSource source, core::Model model, core::Input input) {
    source.session.lesson.reset();
    source.session.model = source.state.model = std::move(model);
    source.session.input = source.state.input = std::move(input);
    return valueOf(ui::withComputable(std::move(source)));
}

inline core::TracePointer passOf(const core::Model &model, const core::Input &input) {
    return valueOf(forward(model, input));
}
inline core::TracePointer passOf(const ui::DocumentState &state) {
    return passOf(state.model, state.input);
}
inline core::TracePointer passOf(const QString &source) {
    return passOf(opened(source).state);
}

inline std::optional<core::Index> some(core::Index index) {
    return index;
}

/// The parts of a selection that a test sets. A part set to none() is cleared.
struct Place {
    using Part = std::optional<std::optional<core::Index>>;
    std::optional<core::Stage> stage{};
    Part query{}, key{}, dimension{};
    std::optional<core::Index> head{}, layer{}, sequence{};
    std::optional<bool> opened{};
};

inline Place::Part none() {
    return std::optional<core::Index>();
}

inline core::Selection placed(const Place &place, core::Selection selection = {}) {
    selection.stage = place.stage.value_or(selection.stage);
    selection.query = place.query.value_or(selection.query);
    selection.key = place.key.value_or(selection.key);
    selection.dimension = place.dimension.value_or(selection.dimension);
    selection.head = place.head.value_or(selection.head);
    selection.layer = place.layer.value_or(selection.layer);
    selection.sequence = place.sequence.value_or(selection.sequence);
    selection.opened = place.opened.value_or(selection.opened);
    return selection;
}

/// True if the selection has all parts that the place sets. Otherwise prints both.
inline bool isAt(const core::Selection &selection, const Place &place) {
    const core::Selection wanted = placed(place, selection);
    const auto words = [](const core::Selection &at) {
        const auto number = [](const std::optional<core::Index> &part) {
            return part ? QString::number(*part) : QString("none");
        };
        return QString("%1, query %2, key %3, dimension %4, head %5, layer %6, sequence %7")
            .arg(QString::fromStdString(core::stageName(at.stage, at.attention())),
                 number(at.query), number(at.key), number(at.dimension))
            .arg(at.head)
            .arg(at.layer)
            .arg(at.sequence);
    };
    if (wanted != selection)
        qWarning("%s\ninstead of %s", qPrintable(words(selection)), qPrintable(words(wanted)));
    return wanted == selection;
}

/// Selects as a click does: parts that the place does not set stay unchanged.
inline void select(ui::Document &document, const Place &place) {
    document.select(placed(place, document.selection()));
}

/// Returns the paths of the sessions in tests/data, one for each kind of model.
inline QStringList allSessions() {
    QStringList paths;
    for (const QFileInfo &file : QDir(HEADLIGHT_SESSIONS).entryInfoList({"*.headlight"}))
        paths << file.filePath();
    return paths;
}
inline QString sessionPath(const QString &name) {
    return QString(HEADLIGHT_SESSIONS "/%1.headlight").arg(name);
}

/// Waits until the document's trace is up to date.
inline bool settled(ui::Document &document) {
    return until([&] { return document.trace() && !document.traceIsStale(); });
}

/// Waits until a document or a runner has finished all computations and delivered its last report.
template <typename Computing>
bool idle(const Computing &computing) {
    const bool ended = until([&] { return !computing.isBusy(); });
    QCoreApplication::processEvents(); // delivers the last report
    return ended;
}

} // namespace headlight::test
