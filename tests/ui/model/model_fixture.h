// A model view with its own document, for tests.
#pragma once

#include "tests/support/large_model.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/views/model_panel.h"
#include "ui/views/model_view.h"

#include <QLabel>
#include <QTextDocument>

namespace headlight::test {

/// Returns a session of a model with an output layer, and a text of `tokens` words.
inline OpenedSource layersAndWords(core::Index layers = 3, core::Index tokens = 6) {
    OpenedSource made = withModel(opened("cat"), gptModel(layers, tokens + 1),
                                  {wordBatch(tokens), {core::CausalMask{}}});
    made.selection = {};
    return made;
}

struct ModelFixture : test::Fixture<ModelView> {
    explicit ModelFixture(OpenedSource opened = layersAndWords()) : Fixture(std::move(opened)) {
        (void)view.grab(); // starts computing the thumbnails
        untilReady();
    }
    void untilReady() {
        QCoreApplication::processEvents();
        if (!test::until([&] { return !view.isComputing(); }))
            qFatal("the heads were not computed");
        QCoreApplication::processEvents();
        (void)view.figure();
    }
    /// Waits until the effect of silencing the chosen head, which painting requests, is displayed.
    bool untilSilenced() {
        return test::until([&] {
            (void)view.grab();
            return !find<QLabel>("modelSilencingMore")->text().isEmpty();
        });
    }
    const ModelFigure::Tile &tile(const core::HeadId &place) const {
        const auto found =
            std::ranges::find(view.model()->tiles(), place, &ModelFigure::Tile::place);
        if (found == view.model()->tiles().end())
            qFatal("no such head");
        return *found;
    }
    QPointF centre(const core::HeadId &place) const {
        return view.model()->picture(view.geometry(), tile(place)).center();
    }
    core::HeadId chosen() const { return {selection().attention(), selection().head}; }
    ModelPanel &panel() const { return *find<ModelPanel>("modelPanel"); }
    QString silencing() const {
        QTextDocument text;
        text.setHtml(find<QLabel>("modelSilencing")->text());
        return text.toPlainText().replace(QChar::Nbsp, QLatin1Char(' '));
    }
};

} // namespace headlight::test
