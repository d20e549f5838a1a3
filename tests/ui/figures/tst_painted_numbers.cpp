// Reads the numbers that figures paint, as the text of their SVGs, and finds each one in the trace.
#include "tests/ui/figures/figure_traces.h"
#include "ui/figures/cell_place.h"
#include "ui/figures/export.h"
#include "ui/figures/flow_arithmetic.h"
#include "ui/figures/flow_figure.h"
#include "ui/figures/heads_figure.h"
#include "ui/figures/number_text.h"
#include "ui/figures/similarity_figure.h"
#include "ui/figures/trace_heatmap.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;

namespace {

QStringList textsOf(const Figure &figure, QSizeF size) {
    ExportOptions options;
    options.size = size;
    const auto svg = render(figure, Format::Svg, options);
    if (!svg)
        qFatal("%s", svg.error().text().c_str());
    QStringList texts;
    QXmlStreamReader reader(*svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == u"text")
            texts.append(reader.readElementText().trimmed());
    return texts;
}

/// All that the trace's numbers may look like.
QSet<QString> looksOf(const core::Trace &trace) {
    QSet<QString> looks;
    const auto add = [&](std::span<const float> values) {
        for (const float value : values) {
            looks.insert(cellText(static_cast<double>(value)));
            looks.insert(termText(value));
            looks.insert(resultText(value));
            looks.insert(QStringLiteral("(%1)").arg(termText(value)));
        }
    };
    for (const std::string &name : trace.names())
        add(trace.stage(name).values());
    for (const core::LayerWeights &layer : trace.model().weights.main.layers)
        for (const core::Parameter &parameter :
             {layer.selfAttention.query, layer.selfAttention.key, layer.selfAttention.value,
              layer.selfAttention.output})
            if (parameter)
                add(parameter->values());
    return looks;
}

bool isNumber(const QString &text) {
    static const QRegularExpression pattern(
        QStringLiteral("^\\(?[−-]?(\\d*\\.\\d+|∞)(e[+-]?\\d+)?\\)?$"));
    return pattern.match(text).hasMatch();
}

} // namespace

class PaintedNumbersTest : public QObject {
    Q_OBJECT

    static void check(const Figure &figure, const core::TracePointer &trace, QStringList ends,
                      qsizetype least) {
        const QSet<QString> looks = looksOf(*trace);
        qsizetype found = 0;
        for (const QString &text : textsOf(figure, {1500, 950})) {
            if (!isNumber(text) || ends.contains(text) || text == QStringLiteral("(−∞)"))
                continue;
            QVERIFY2(looks.contains(text), qPrintable(text + " is not in the trace"));
            ++found;
        }
        QVERIFY2(found >= least, qPrintable(QString("only %1 numbers").arg(found)));
    }

  private slots:
    void flow_data() {
        QTest::addColumn<Stage>("stage");
        QTest::addColumn<bool>("wholeRow");
        for (const core::StageInfo &info : core::allStages())
            if (info.stage != Stage::Positioned)
                for (const bool row : {true, false})
                    QTest::addRow("%s, %s", info.name.data(), row ? "row" : "cell")
                        << info.stage << row;
    }
    void flow() {
        QFETCH(Stage, stage);
        QFETCH(bool, wholeRow);
        const auto trace = test::makeTrace();
        core::Selection selection;
        selection.stage = stage;
        selection = FlowFigure::shown(*trace, selection);
        selection.head = 1;
        selection = atCell(selection, 4, wholeRow ? std::optional<core::Index>() : 3);
        const auto figure = FlowFigure::fromTrace(trace, selection, FigureStyle::light());
        const ColourScale &scale = figure.current().content().scale;
        check(figure, trace, {scale.lowText(), scale.highText()}, wholeRow ? 8 : 1);
    }

    void heads() {
        const auto trace = test::makeTrace();
        core::Selection selection;
        selection.query = 4;
        for (const core::HeadOrder order : {core::HeadOrder::ByIndex, core::HeadOrder::Entropy}) {
            FigureOptions options;
            options.order = order;
            const auto figure =
                HeadsFigure::fromTrace(trace, selection, FigureStyle::light(), options);
            check(figure, trace, {}, 36); // what the causal mask leaves
        }
    }

    void heatmap() {
        const auto trace = test::makeTrace();
        core::Selection selection;
        selection.stage = Stage::Scores;
        const auto figure = HeatmapFigure::fromTrace(trace, selection, FigureStyle::light());
        const ColourScale &scale = figure.content().scale;
        check(figure, trace, {scale.lowText(), scale.highText()}, 64);
    }

    void similarity() {
        const auto trace = test::makeTrace();
        const auto figure = SimilarityFigure::fromTrace(trace, {}, FigureStyle::light());
        QSet<QString> looks;
        for (const std::size_t index : {std::size_t(0), std::size_t(1)})
            for (const float value : figure.heatmap(index).content().tensor.values())
                looks.insert(cellText(static_cast<double>(value)));
        qsizetype found = 0;
        for (const QString &text : textsOf(figure, {1500, 900}))
            if (isNumber(text)) {
                QVERIFY2(looks.contains(text), qPrintable(text));
                ++found;
            }
        QVERIFY(found >= 100);
    }
};

QTEST_MAIN(PaintedNumbersTest)
#include "tst_painted_numbers.moc"
