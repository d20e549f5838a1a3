// What a lesson's *Try it* says, as it is done: through the document, without a window.
#pragma once

#include "tests/support/edits.h"
#include "ui/document/edits/matrix_edits.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace headlight::test {

using Act = std::function<void(ui::Document &)>;

/// Whether it came true: of the document afterwards, and of what was there before.
using Promise = std::function<bool(const ui::Document &after, const core::Trace &before)>;

struct Try {
    QString lesson;
    core::Index step;
    QString name;
    Act act;
    QStringList said{};   ///< what the step must say then
    QStringList struck{}; ///< and must not say any more
    Promise promised{};   ///< what it says would happen; null: nothing that has numbers
};

/// Or the test fails: a *Try it* that is refused cannot be tried.
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

/// One edit, of what is there then.
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

/// Of the words of a sequence.
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
            qFatal("there is no such place");
    };
}

/// One after the other, each computed before the next.
Act inTurn(std::vector<Act> acts);

/// A condition of a lesson (core/lesson/step_condition.h), of the trace that is there then.
Promise holds(const char *conditions);
/// No number of these stages is another one than before.
Promise unchanged(std::vector<core::Stage> stages);
Promise both(Promise a, Promise b);

// By what the lessons are about. A step that says another *Try it* needs another entry.
std::vector<Try> triesOfWordsAndVectors();
std::vector<Try> triesOfScoresAndWeights();
std::vector<Try> triesOfSentences();
std::vector<Try> triesOfModels();
std::vector<Try> triesOfLearning();

/// Of the exercises, by the hint's own words: one of other words needs another entry.
std::vector<Try> triesOfHints();

inline std::vector<Try> allTries() {
    std::vector<Try> all;
    for (std::vector<Try> group : {triesOfWordsAndVectors(), triesOfScoresAndWeights(),
                                   triesOfSentences(), triesOfModels(), triesOfLearning()})
        std::ranges::move(group, std::back_inserter(all));
    return all;
}

} // namespace headlight::test
