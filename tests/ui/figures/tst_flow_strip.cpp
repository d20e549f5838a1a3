// The line of numbers under the flow in a file, where it cannot scroll.
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/painting_record.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/figures/flow/flow_figure.h"

#include <QRegularExpression>

using namespace headlight;
using namespace headlight::ui;
using test::PaintingRecord;

class FlowStripTest : public QObject {
    Q_OBJECT

    /// Returns the results of the line: the selected numbers, or the first one after the last "=".
    static QStringList resultsOf(const Spans &line, const FigureStyle &style) {
        QStringList results;
        for (const Span &span : line)
            if (span.bold && span.colour == style.selection)
                results.append(span.text);
        if (!results.isEmpty())
            return results;
        for (qsizetype i = line.size() - 1; i >= 0; --i) {
            if (line[i].text.trimmed() != "=")
                continue;
            for (++i; i < line.size(); ++i)
                if (line[i].text.contains(QRegularExpression("[0-9]")))
                    return {line[i].text};
        }
        return {};
    }

    static void check(const FlowFigure &figure, const QSizeF &size, const FigureStyle &style,
                      int &shortened) {
        const Spans &line = figure.strip().arithmetic;
        const QRectF strip = figure.geometry(QRectF(QPointF(), size)).formula;
        const QRectF numbers = figure.strip().numbersIn(strip, style);
        const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
        QStringList painted;
        for (const PaintingRecord::Text &text : record.texts)
            if (numbers.adjusted(-1, -1, 1, 1).contains(text.centre)) {
                painted.append(text.text);
                QVERIFY2(text.centre.x() + text.width / 2 <= numbers.right() + 1,
                         qPrintable(text.text + " goes beyond the strip"));
            }
        for (const QString &result : resultsOf(line, style))
            QVERIFY2(painted.contains(result),
                     qPrintable(result + " is not in: " + painted.join(QString())));
        // The painted texts are the line in order, with an ellipsis for omitted parts. A piece with
        // symbols is painted in several texts.
        qsizetype at = 0, offset = 0;
        bool isLeftOut = false;
        for (const QString &text : painted) {
            if (text == QStringLiteral("…")) {
                isLeftOut = true;
                continue;
            }
            const qsizetype before = offset > 0 ? at + 1 : at;
            qsizetype found = -1;
            while (at < line.size() && (found = line[at].text.indexOf(text, offset)) < 0) {
                ++at;
                offset = 0;
            }
            QVERIFY2(at < line.size(), qPrintable(text + " is no part of the line"));
            if (!isLeftOut)
                for (qsizetype i = before; i < at; ++i)
                    QVERIFY2(line[i].text.trimmed().isEmpty(), qPrintable(line[i].text));
            isLeftOut = false;
            offset = found + text.size();
            if (offset >= line[at].text.size()) {
                ++at;
                offset = 0;
            }
        }
        shortened += painted.contains(QStringLiteral("…")) ? 1 : 0;
        if (figure.strip().length(strip, style) <= numbers.width())
            QVERIFY(!painted.contains(QStringLiteral("…")));
    }

  private slots:
    void everyStepOfEveryLessonKeepsItsResult() {
        const FigureStyle style = FigureStyle::light();
        int shortened = 0, lines = 0;
        for (const QString &id : lessonIds()) {
            const auto steps = test::opened(id).session.lesson->steps.size();
            for (std::size_t step = 0; step < steps; ++step) {
                const OpenedSource source = test::opened(id, static_cast<core::Index>(step));
                const auto trace = test::forward(source.state.model, source.state.input);
                QVERIFY(trace.ok());
                for (const bool wholeRow : {false, true}) {
                    core::Selection selection = source.selection;
                    if (wholeRow)
                        selection.key = selection.dimension = std::nullopt;
                    const auto figure = FlowFigure::fromTrace(*trace, selection, style);
                    if (figure.strip().arithmetic.isEmpty())
                        continue;
                    ++lines;
                    for (const double width : {figure.naturalSize().width(), 760.0, 1900.0})
                        check(figure, {width, figure.naturalSize().height()}, style, shortened);
                    if (QTest::currentTestFailed())
                        qFatal("%s, step %zu", qPrintable(id), step);
                }
            }
        }
        QVERIFY(lines > 20);
        QVERIFY(shortened > 10);
    }

    /// A long row shows the beginning of its result.
    void aLongRowKeepsTheBeginningOfItsResult() {
        const OpenedSource source = test::opened("sentence");
        const auto trace = test::forward(source.state.model, source.state.input);
        core::Selection selection = source.selection;
        selection.query = 1;
        const FigureStyle style = FigureStyle::light();
        int shortened = 0;
        for (const core::StageInfo &info : core::allStages()) {
            selection.stage = info.stage;
            const auto figure = FlowFigure::fromTrace(*trace, selection, style);
            if (!figure.strip().arithmetic.isEmpty())
                check(figure, figure.minimumSize(), style, shortened);
        }
        QVERIFY(shortened > 0);
    }
};

HEADLIGHT_WIDGET_TEST(FlowStripTest)
#include "tst_flow_strip.moc"
