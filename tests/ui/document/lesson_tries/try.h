// A lesson's *Try it* as an action on a document, without a window.
#pragma once

#include "tests/support/edits.h"
#include "ui/document/edits/matrix_edits.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace headlight::test {

using Act = std::function<void(ui::Document &)>;

/// True if the promised effect occurred. Takes the document afterwards and the trace before.
using Promise = std::function<bool(const ui::Document &after, const core::Trace &before)>;

struct Try {
    QString lesson;
    core::Index step;
    QString name;
    Act act;
    QStringList said{};   ///< text that the step must show afterwards
    QStringList struck{}; ///< text that it must no longer show
    Promise promised{};   ///< promised effect on numbers; null if there is none
};

/// Fails the test if the action was refused.
inline void done(const core::Outcome &outcome) {
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
}

inline void nothing(ui::Document &) {}

inline Act typed(const char *text, ui::InputSide side = ui::InputSide::Own) {
    return [text = QString::fromUtf8(text), side](ui::Document &document) {
        done(typeText(document, text, side));
    };
}

/// Returns an action that makes one edit of the current document.
inline Act edited(std::function<core::Result<ui::Change>(const ui::Document &)> edit) {
    return
        [edit = std::move(edit)](ui::Document &document) { done(document.apply(edit(document))); };
}

inline ui::MatrixId matrixOf(core::ParameterKind which, core::Index layer = 0) {
    ui::MatrixId id;
    id.parameter = {layer, which};
    return id;
}

inline Act numbers(core::ParameterKind which, std::vector<ui::edits::CellValue> cells) {
    return edited([which, cells = std::move(cells)](const ui::Document &document) {
        return ui::edits::setCells(document.state(), matrixOf(which), cells);
    });
}

/// Sets cells of a sequence's embeddings.
inline Act embedding(core::Index sequence, std::vector<ui::edits::CellValue> cells) {
    return edited([sequence, cells = std::move(cells)](const ui::Document &document) {
        ui::MatrixId id;
        id.kind = ui::MatrixId::Kind::Embeddings;
        id.sequence = sequence;
        return ui::edits::setCells(document.state(), id, cells);
    });
}

inline Act headSet(core::Index head, core::HeadState to) {
    return edited([head, to](const ui::Document &document) {
        return ui::edits::setHead(document.state(), {}, head, to);
    });
}

inline Act masked(core::MaskLayers masks) {
    return [masks = std::move(masks)](ui::Document &document) { done(setMasks(document, masks)); };
}

inline Act scaled(core::Scale::Kind kind) {
    return [kind](ui::Document &document) {
        core::Scale scale;
        scale.kind = kind;
        done(setScale(document, scale));
    };
}

inline Act selected(std::function<void(core::Selection &)> change) {
    return [change = std::move(change)](ui::Document &document) {
        core::Selection selection = document.selection();
        change(selection);
        document.select(selection);
        if (document.selection() != selection)
            qFatal("there is no such position");
    };
}

/// Runs the actions in order, and computes the trace after each.
Act inTurn(std::vector<Act> acts);

/// Checks the condition of a lesson (core/lesson/step_condition.h) on the new trace.
Promise holds(const char *conditions);
/// Checks that no number of these stages changed.
Promise unchanged(std::vector<core::Stage> stages);
Promise both(Promise a, Promise b);

// Grouped by topic of the lessons. When a *Try it* text changes, its entry must change, too.
std::vector<Try> triesOfWordsAndVectors();
std::vector<Try> triesOfScoresAndWeights();
std::vector<Try> triesOfSentences();
std::vector<Try> triesOfModels();
std::vector<Try> triesOfLearning();

/// Entries for the hints of exercises, by the text of the hint. When a hint changes, its entry must
/// change, too.
std::vector<Try> triesOfHints();

inline std::vector<Try> allTries() {
    std::vector<Try> all;
    for (std::vector<Try> group : {triesOfWordsAndVectors(), triesOfScoresAndWeights(),
                                   triesOfSentences(), triesOfModels(), triesOfLearning()})
        std::ranges::move(group, std::back_inserter(all));
    return all;
}

} // namespace headlight::test
