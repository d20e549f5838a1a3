// The close-up of every stage: which matrices are combined, where they are drawn, and what fits.
#include "tests/ui/figures/close_up_fixture.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/heatmap_painting.h"

using test::at;
using Form = CloseUpGeometry::Form;
using Placed = CloseUpGeometry::Placed;

namespace {

/// Returns each matrix of the close-up with its place, the result last.
std::vector<std::pair<const CloseUpPart *, const Placed *>>
placedParts(const CloseUpFigure &figure, const CloseUpGeometry &picture) {
    std::vector<std::pair<const CloseUpPart *, const Placed *>> all;
    for (std::size_t i = 0; i < picture.left.size(); ++i)
        all.emplace_back(&figure.parts().left[i], &picture.left[i]);
    for (std::size_t i = 0; i < picture.above.size(); ++i)
        all.emplace_back(&figure.parts().above[i], &picture.above[i]);
    all.emplace_back(&figure.parts().result, &picture.result);
    return all;
}

/// Returns the title of a left operand that runs into the row labels of an upper operand. A title
/// that is only a symbol is allowed, because there is no space for both.
QString coveredTitle(const CloseUpFigure &figure, const CloseUpGeometry &picture) {
    for (std::size_t i = 0; i < picture.left.size(); ++i)
        for (const Placed &above : picture.above) {
            const Placed &left = picture.left[i];
            const QRectF &cells = above.cells.cells;
            const double width = above.cells.rowLabelWidth;
            const QRectF labels(cells.left() - width, cells.top(), width, cells.height());
            const auto titleOf = [&](int detail) {
                return plainText(figure.parts().left[i].title(detail, test::style()));
            };
            if (titleOf(left.detail) != titleOf(0) && left.title.intersects(labels))
                return titleOf(left.detail);
        }
    return {};
}

/// Returns the part with this symbol; null if there is none.
const CloseUpPart *partNamed(const CloseUpParts &parts, const QString &symbol) {
    for (const auto *side : {&parts.left, &parts.above})
        for (const CloseUpPart &part : *side)
            if (plainText(part.symbol) == symbol)
                return &part;
    return nullptr;
}

/// Returns the symbols of the stages that are drawn as operands.
QString stagesReadBy(const CloseUpParts &parts) {
    QStringList symbols;
    for (const auto *side : {&parts.left, &parts.above})
        for (const CloseUpPart &part : *side)
            if (part.at)
                symbols << plainText(part.symbol);
    return symbols.join(" | ");
}

/// Returns models that together have all stages.
std::vector<std::pair<QString, core::TracePointer>> kindsOfModel() {
    std::vector<std::pair<QString, core::TracePointer>> kinds;
    for (const char *session :
         {"encoder_prenorm", "batch_norm", "decoder_rotary", "decoder_alibi", "encoder_decoder",
          "gemma_2", "t5_like", "deepseek", "deberta", "qwen_3", "olmo_2"})
        kinds.emplace_back(session, test::traceOf(session));
    for (const char *folder : {"vit", "gpt-oss", "mixtral", "llama4", "deit", "clip", "whisper"})
        kinds.emplace_back(folder,
                           test::passOf(QString(HEADLIGHT_TEST_DATA "/folders/%1").arg(folder)));
    TraceRecipe recipe;
    recipe.masking.afterSoftmax = true;
    kinds.emplace_back("masked_after_softmax", makeTrace(recipe));
    return kinds;
}

QStringList everySource() {
    QStringList sources;
    for (const LessonInfo &lesson : lessonInfos())
        sources << lesson.id;
    return sources + test::allSessions();
}

} // namespace

class CloseUpTest : public QObject {
    Q_OBJECT

  private slots:
    /// tests/data/meetings.txt names, for each stage of each kind of model, the matrices that are
    /// drawn and the edge that each shares with the result. A stage is listed once for each stack,
    /// and again in a layer that reads other stages.
    void theMatricesOfEveryStage() {
        QStringList lines;
        std::set<Stage> named;
        for (const auto &[name, trace] : kindsOfModel()) {
            std::map<std::tuple<Stage, core::Stack, core::Block>, QString> reads;
            for (const core::StageId &stage : test::stagesOf(*trace)) {
                const auto figure =
                    CloseUpFigure::fromTrace(trace, test::cellOf(stage), test::style());
                const QString read = stagesReadBy(figure.parts());
                const auto [before, isNew] = reads.emplace(
                    std::tuple(stage.stage, stage.attention.stack, stage.attention.block), read);
                if (!isNew && before->second == read)
                    continue;
                lines << QString("%1 %2: %3")
                             .arg(name,
                                  QString::fromStdString(
                                      core::stageName(stage.stage, stage.attention)),
                                  test::meetingText(figure.parts()));
                named.insert(figure.stage().stage);
            }
        }
        lines << QString();
        const QString made = HEADLIGHT_TEST_SCRATCH "/meetings.txt",
                      kept = HEADLIGHT_TEST_DATA "/meetings.txt";
        QFile out(made);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(lines.join('\n').toUtf8());
        out.close();
        QFile file(kept);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList wanted = QString::fromUtf8(file.readAll()).split('\n');
        for (qsizetype i = 0; i < std::max(lines.size(), wanted.size()); ++i)
            if (lines.value(i) != wanted.value(i))
                qWarning("%s\ninstead of %s", qPrintable(lines.value(i)),
                         qPrintable(wanted.value(i)));
        QVERIFY2(lines == wanted,
                 test::said("compare the lines; if they are meant, run: cp %1 %2", made, kept));
        for (const core::StageInfo &info : core::allStages())
            if (info.stage != Stage::HeadOutputs) // no close-up: only the Heads view shows it
                QVERIFY2(named.contains(info.stage), info.name.data());
    }

    void everyMatrixLiesWhereItMeets_data() { test::addRows("source", everySource()); }
    void everyMatrixLiesWhereItMeets() {
        QFETCH(QString, source);
        const core::TracePointer trace = test::passOf(source);
        for (const core::StageId &stage : test::stagesOf(*trace)) {
            const auto figure = CloseUpFigure::fromTrace(trace, test::cellOf(stage), test::style());
            const QString edge = test::edgeFaultOf(figure);
            QVERIFY2(edge.isEmpty(),
                     test::said("%1: %2", core::infoOf(stage.stage).name.data(), edge));
            for (const QSizeF &room :
                 {test::kSmall, test::kUsual, QSizeF(1500, 700), QSizeF(500, 300)}) {
                const CloseUpFigure::Places places = test::placesIn(figure, room);
                const QRectF area(QPointF(16, 16), room + QSizeF(8, 6));
                const QString name =
                    QString::fromStdString(core::stageName(stage.stage, stage.attention));
                const QString fault = test::faultOf(figure, places.picture, area);
                QVERIFY2(fault.isEmpty(), qPrintable(QString("%1 in %2 × %3: %4")
                                                         .arg(name)
                                                         .arg(room.width())
                                                         .arg(room.height())
                                                         .arg(fault)));
                const QString covered = coveredTitle(figure, places.picture);
                QVERIFY2(covered.isEmpty(),
                         test::said("%1 at %2 px: %3", name, room.width(), covered));
                if (room != test::kSmall && room != test::kUsual)
                    continue; // tst_close_up_sizes prints the forms in real windows
                // Results up to this size have numbers, whatever the width of the vectors.
                const Index most = room == test::kSmall ? 8 : 12;
                const core::SharedMatrix made = figure.parts().result.content.matrix();
                if (made.rows <= most &&
                    (made.columns <= most || figure.parts().result.content.columnLabels.isEmpty()))
                    QVERIFY2(places.picture.form == Form::Numbers, qPrintable(name));
            }
        }
    }

    /// All painted numbers of the matrices, and of a table next to the picture, have a font size of
    /// at least 13 px.
    void noNumberIsSmall_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QSizeF>("room");
        QTest::addColumn<double>("scale");
        for (const char *lesson : {"cat", "sentence", "block"}) {
            QTest::addRow("%s, small", lesson) << QString(lesson) << test::kSmall << 1.0;
            QTest::addRow("%s, usual", lesson) << QString(lesson) << test::kUsual << 1.0;
            QTest::addRow("%s, large text", lesson) << QString(lesson) << QSizeF(1400, 700) << 1.5;
        }
    }
    void noNumberIsSmall() {
        QFETCH(QString, lesson);
        QFETCH(QSizeF, room);
        QFETCH(double, scale);
        static const QRegularExpression number(
            QStringLiteral("^[−+]?(\\d*\\.\\d+|\\d+|∞|NaN)(e.*)?$"));
        const FigureStyle style = FigureStyle::light(scale);
        const auto least = static_cast<double>(std::lround(13 * scale));
        const core::TracePointer trace = test::traceOf(lesson);
        int numbers = 0, tables = 0;
        QStringList faults;
        for (const core::StageId &stage : test::stagesOf(*trace)) {
            const auto figure = CloseUpFigure::fromTrace(trace, test::cellOf(stage), style);
            const CloseUpFigure::Places places = test::placesIn(figure, room, scale);
            const test::PaintingRecord record =
                test::PaintingRecord::of(figure, test::sizeAround(room, scale), Device::Raster);
            const QString name =
                QString::fromStdString(core::stageName(stage.stage, stage.attention));
            for (const auto &[part, placed] : placedParts(figure, places.picture)) {
                int found = 0;
                for (const test::PaintingRecord::Text &text : record.texts) {
                    if (!placed->cells.cells.contains(text.centre) ||
                        !number.match(text.text).hasMatch())
                        continue;
                    ++found;
                    if (text.shown < least - 0.01)
                        faults << QString("%1, %2: %3 has %4 px")
                                      .arg(name, plainText(part->symbol), text.text)
                                      .arg(text.shown);
                }
                // A matrix that has space for numbers shows them.
                if (placed->hasNumbers && placed->cells.columns > 0 && found == 0)
                    faults << QString("%1, %2 has no numbers").arg(name, plainText(part->symbol));
                numbers += found;
            }
            if (!places.table.isEmpty()) {
                const ArithmeticLayout layout = figure.table().layout(places.table.adjusted(
                    kCardPadding, kCardPadding, -kCardPadding, -kCardPadding));
                for (const ArithmeticLayout::Block &block : layout.blocks)
                    for (const ArithmeticLayout::Place &place : block.places)
                        for (const QRectF &cell : place.cells)
                            for (const test::PaintingRecord::Text &text : record.texts)
                                if (cell.contains(text.centre) && text.shown < 13 - 0.01)
                                    faults << QString("%1, table: %2 has %3 px")
                                                  .arg(name, text.text)
                                                  .arg(text.shown);
                ++tables;
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
        QVERIFY2(numbers > 150, test::said("%1 numbers, %2 tables", numbers, tables));
    }

    /// Positions and token types are drawn with their own numbers.
    void embeddingsAreTheSumOfWhatIsDrawn() {
        for (const char *name : {"bert", "vit"}) {
            const core::TracePointer trace =
                test::passOf(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/") + name);
            const auto figure =
                CloseUpFigure::fromTrace(trace, at(Stage::EmbeddingSum), test::style());
            const core::SharedMatrix made = figure.parts().result.content.matrix();
            QCOMPARE(figure.parts().left.size(), std::size_t(3));
            for (core::Index row = 0; row < made.rows; ++row)
                for (core::Index column = 0; column < made.columns; ++column) {
                    float sum = 0;
                    for (const CloseUpPart &part : figure.parts().left)
                        sum += part.content.matrix()(row, column);
                    QVERIFY2(std::abs(sum - made(row, column)) < 1e-5F, name);
                }
        }
    }

    /// The intermediate results of softmax and norms match the formula.
    void whatIsMadeOnTheWay() {
        const core::TracePointer trace = test::traceOf("encoder_prenorm");
        const auto weights =
            CloseUpFigure::fromTrace(trace, at(Stage::AttentionWeights), test::style());
        const CloseUpPart *exponentials = partNamed(weights.parts(), "e^(S + M − max)");
        const CloseUpPart *sum = partNamed(weights.parts(), "sum");
        QVERIFY(exponentials && sum);
        const core::SharedMatrix e = exponentials->content.matrix(), s = sum->content.matrix();
        const core::SharedMatrix a = weights.parts().result.content.matrix();
        for (Index r = 0; r < a.rows; ++r)
            for (Index c = 0; c < a.columns; ++c)
                QVERIFY(std::abs(e(r, c) / s(r, 0) - a(r, c)) < 1e-5F);
        const auto norm = CloseUpFigure::fromTrace(trace, at(Stage::Norm), test::style());
        const CloseUpPart *mean = partNamed(norm.parts(), "μ");
        const CloseUpPart *variance = partNamed(norm.parts(), "σ²");
        QVERIFY(mean && variance && !norm.parts().left.empty());
        const core::SharedMatrix x = norm.parts().left.front().content.matrix();
        for (Index r = 0; r < x.rows; ++r) {
            double total = 0, squares = 0;
            for (const float value : x.row(r))
                total += static_cast<double>(value);
            const double average = total / static_cast<double>(x.columns);
            for (const float value : x.row(r))
                squares += std::pow(static_cast<double>(value) - average, 2);
            QVERIFY(std::abs(static_cast<double>(mean->content.matrix()(r, 0)) - average) < 1e-5);
            QVERIFY(std::abs(static_cast<double>(variance->content.matrix()(r, 0)) -
                             squares / static_cast<double>(x.columns)) < 1e-4);
        }
    }

    /// The outlined row and column are the ones whose product is the selected number.
    void theRowAndTheColumnThatMeet() {
        const core::TracePointer trace = test::traceOf("cat");
        const auto figure =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Scores, 3, 1), test::style());
        const CloseUpPart &queries = figure.parts().left.front(),
                          &keys = figure.parts().above.front();
        QCOMPARE(queries.content.marks.front().row, test::some(3));
        QCOMPARE(keys.content.marks.front().column, test::some(1));
        const core::SharedMatrix q = queries.content.matrix(), k = keys.content.matrix();
        double product = 0;
        for (Index i = 0; i < q.columns; ++i)
            product += static_cast<double>(q(3, i)) * static_cast<double>(k(i, 1));
        QVERIFY(std::abs(product -
                         static_cast<double>(figure.parts().result.content.matrix()(3, 1))) < 1e-4);
    }

    /// A long vector is shown around its largest term, with "…" for the rest.
    void aLongRowIsShownInPart() {
        TraceRecipe recipe;
        recipe.width = 300;
        recipe.headSize = 8;
        const core::TracePointer trace = makeTrace(recipe);
        const auto figure =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Query, 2, 3), test::style());
        const CloseUpGeometry picture = test::placesIn(figure, test::kUsual).picture;
        const HeatmapGeometry &x = picture.left.front().cells, &w = picture.above.front().cells;
        QVERIFY(picture.left.front().hasNumbers && picture.above.front().hasNumbers);
        QVERIFY(x.columns < 20 && x.columns >= 3);
        QCOMPARE(w.rows, x.columns);
        QCOMPARE(w.origin.row, x.origin.column);
        QVERIFY(figure.parts().largestTerm);
        QVERIFY(x.showsColumn(*figure.parts().largestTerm));
        QVERIFY(picture.left.front().hasMoreLeft || picture.left.front().hasMoreRight);
        QVERIFY(test::textOf(figure, {1100, 560}).contains("…"));
    }

    /// Tests eight tokens in a small window and twelve in a usual one. The row of X, a part of the
    /// column of W, b and the result still have numbers of at least 13 px. The same holds for the
    /// arithmetic.
    void aColumnHasNumbersBesideManyTokens() {
        for (const auto &[room, tokens] :
             {std::pair(test::kSmall, Index(7)), std::pair(test::kSmall, Index(8)),
              std::pair(test::kUsual, Index(12))}) {
            TraceRecipe recipe;
            recipe.tokens = {test::numberedWords(tokens)};
            recipe.width = 48;
            recipe.biases = true;
            const auto figure = CloseUpFigure::fromTrace(
                makeTrace(recipe), test::cellAt(Stage::Query, 3, 5), test::style());
            QCOMPARE(figure.parts().above.size(), std::size_t(2)); // W and b
            const CloseUpFigure::Places places = test::placesIn(figure, room);
            const test::PaintingRecord record =
                test::PaintingRecord::of(figure, test::sizeAround(room), Device::Raster);
            for (const auto &[part, placed] : placedParts(figure, places.picture)) {
                QVERIFY2(placed->hasNumbers, qPrintable(plainText(part->symbol)));
                int numbers = 0;
                for (const test::PaintingRecord::Text &text : record.texts)
                    if (placed->cells.cells.contains(text.centre)) {
                        QVERIFY2(text.shown > 12.99, qPrintable(text.text));
                        ++numbers;
                    }
                QCOMPARE(numbers, placed->cells.rows * placed->cells.columns);
            }
            const HeatmapGeometry &x = places.picture.left[0].cells,
                                  &w = places.picture.above[0].cells;
            QVERIFY(w.rows >= 2 && w.rows < 48);
            QVERIFY(w.showsRow(*figure.parts().largestTerm));
            // Each visible number of the column has its factor on the left.
            QVERIFY(x.showsColumn(w.origin.row) && x.showsColumn(w.endRow() - 1));
            QCOMPARE(x.rows, tokens);
            QVERIFY(figure.strip().numbersFont(places.strip, test::style()).pixelSize() >= 13);
        }
    }

    /// Parts of a wide vector's row, and of the row that it is computed from, have numbers.
    void aWideRowAndItsOperandHaveNumbers() {
        const core::TracePointer trace = test::traceOf("cross-attention");
        const core::AttentionId encoder{0, core::Block::SelfAttention, core::Stack::Encoder};
        for (const Stage stage : {Stage::Activated, Stage::Norm}) {
            const auto figure =
                CloseUpFigure::fromTrace(trace, test::cellOf({stage, encoder}), test::style());
            const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
            for (const auto &[part, placed] : placedParts(figure, picture))
                QVERIFY2(placed->hasNumbers, qPrintable(plainText(part->symbol)));
            const HeatmapGeometry &x = picture.left.front().cells;
            QVERIFY(x.columns >= 6 && x.columns < figure.parts().result.columns());
            QCOMPARE(x.columns, picture.result.cells.columns);
            QCOMPARE(x.origin.column, picture.result.cells.origin.column);
        }
    }

    /// Each stack looks its words up in its own table.
    void theTableOfAStackHasItsWords() {
        const core::TracePointer trace = test::traceOf("cross-attention");
        for (const core::Stack stack : {core::Stack::Encoder, core::Stack::Main}) {
            const core::StageId stage{Stage::Embeddings, {0, core::Block::SelfAttention, stack}};
            const auto figure = CloseUpFigure::fromTrace(trace, test::cellOf(stage), test::style());
            const HeatmapContent &table = figure.parts().above.at(0).content;
            QCOMPARE(table.rowLabels.value(static_cast<int>(*table.selectedRow)),
                     tokenText(trace->input().of(stack)[0][1].text));
        }
    }

    /// In a large area the cells are larger.
    void aLargeAreaHasLargeCells() {
        const auto figure = CloseUpFigure::fromTrace(
            test::traceOf("block"), test::cellAt(Stage::AttentionWeights, 2, 1), test::style());
        const auto cellIn = [&](const QSizeF &room) {
            return test::placesIn(figure, room).picture.result.cells.cell;
        };
        const QSizeF usual = cellIn(test::kUsual), large = cellIn({1900, 950});
        QVERIFY(large.height() > 1.5 * usual.height());
        QVERIFY(large.width() > 1.5 * usual.width());
    }

    /// An expert reads only its own columns, so these are visible to the left of its column.
    void anExpertReadsItsOwnColumns() {
        const core::TracePointer trace = test::traceOf("deepseek");
        const core::AttentionId layer{1};
        const core::SharedMatrix made =
            CloseUpFigure::fromTrace(trace, test::cellOf({Stage::ExpertOutputs, layer}),
                                     test::style())
                .parts()
                .result.content.matrix();
        int looked = 0;
        for (Index column = 0; column < made.columns; ++column) {
            core::Selection selection = test::cellOf({Stage::ExpertOutputs, layer});
            selection.query = 2;
            selection.dimension = column;
            const auto figure = CloseUpFigure::fromTrace(trace, selection, test::style());
            const CloseUpParts &parts = figure.parts();
            QCOMPARE(parts.left.size(), std::size_t(1));
            const core::SharedMatrix x = parts.left[0].content.matrix(),
                                     w = parts.above[0].content.matrix();
            const Index expert = column / (made.columns / (x.columns / w.rows));
            const HeatmapGeometry cells =
                test::placesIn(figure, test::kSmall).picture.left[0].cells;
            QCOMPARE(cells.origin.column, expert * w.rows);
            QCOMPARE(cells.columns, w.rows);
            double sum = 0;
            for (Index i = 0; i < w.rows; ++i)
                sum += double(x(2, cells.origin.column + i)) * double(w(i, column));
            QVERIFY(std::abs(sum - double(made(2, column))) < 1e-3);
            looked += sum != 0;
        }
        QVERIFY(looked > 5); // some of the experts are chosen
    }

    /// A bias that is the same for every token is one row above the result.
    void aBiasOfAllTokensIsOneRow() {
        const auto figure = CloseUpFigure::fromTrace(
            test::traceOf("deepseek"), test::cellOf({Stage::RouterScores, core::AttentionId{1}}),
            test::style());
        QCOMPARE(figure.parts().left.size(), std::size_t(1));
        QCOMPARE(figure.parts().above.size(), std::size_t(1));
        const core::SharedMatrix p = figure.parts().left[0].content.matrix(),
                                 b = figure.parts().above[0].content.matrix(),
                                 sum = figure.parts().result.content.matrix();
        QCOMPARE(b.rows, Index(1));
        for (Index row = 0; row < sum.rows; ++row)
            for (Index column = 0; column < sum.columns; ++column)
                QVERIFY(std::abs(p(row, column) + b(0, column) - sum(row, column)) < 1e-5F);
    }

    /// Without a selected column, the visible ones include the selected row's largest number.
    void aPartShowsTheLargestNumberOfTheRow() {
        const core::TracePointer trace = test::traceOf("cat");
        std::set<Index> starts;
        for (Index row = 0; row < 6; ++row) {
            core::Selection selection = at(Stage::EmbeddingSum);
            selection.query = row;
            const auto figure = CloseUpFigure::fromTrace(trace, selection, test::style());
            const core::SharedMatrix x = figure.parts().result.content.matrix();
            Index largest = 0;
            for (Index column = 0; column < x.columns; ++column)
                if (std::abs(x(row, column)) > std::abs(x(row, largest)))
                    largest = column;
            const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
            QVERIFY(picture.result.cells.columns < x.columns);
            const Index begin = picture.result.cells.origin.column;
            bool isShown = false; // several numbers may be equally large
            for (Index column = begin; column < begin + picture.result.cells.columns; ++column)
                isShown |= std::abs(x(row, column)) == std::abs(x(row, largest));
            QVERIFY(isShown);
            for (const Placed &left : picture.left)
                QCOMPARE(left.cells.origin.column, picture.result.cells.origin.column);
            starts.insert(picture.result.cells.origin.column);
        }
        QVERIFY(starts.size() > 1);
    }

    /// The label of the outlined row is bold, even if the row belongs to a key.
    void theLabelOfTheOutlinedRowIsBold() {
        core::Selection selection = at(Stage::Key);
        selection.query = 2;
        selection.key = 1;
        const auto figure =
            CloseUpFigure::fromTrace(test::traceOf("cat"), selection, test::style());
        const CloseUpPart &x = figure.parts().left.front();
        QCOMPARE(x.content.marks.front().row, test::some(1));
        QCOMPARE(x.content.selectedRow, test::some(1));
    }

    /// The card of the result ends after its numbers, title and controls, and the cells use the
    /// width.
    void theCardHasNoDeadSpace() {
        const auto figure = CloseUpFigure::fromTrace(
            test::traceOf("cat"), test::cellAt(Stage::AttentionWeights, 2, 1), test::style());
        CloseUpViewport viewport;
        viewport.chips = {{62, 20}, {98, 20}};
        const CloseUpGeometry picture =
            figure.places(QRectF(QPointF(), test::sizeAround(test::kSmall)), viewport).picture;
        QCOMPARE(picture.chips.size(), std::size_t(2));
        const double end =
            std::max(picture.result.cells.cells.right(), picture.chips.back().right());
        QVERIFY2(picture.card.right() - end <= 12, test::said("%1 px", picture.card.right() - end));
        QVERIFY2(picture.used.width() > 0.93 * test::kSmall.width(),
                 test::said("%1 px", picture.used.width()));
    }

    /// If the rows of the output are computed one at a time, the selected row has the same bars.
    void anOutputByRowIsTheBarsOfItsRow() {
        const OpenedSource source = test::opened("writing");
        const core::TracePointer whole = test::passOf(source.state);
        const core::TracePointer rows =
            *test::forward(source.state.model, source.state.input, nullptr, {}, core::Detail::Rows);
        core::Selection selection = test::at(Stage::Logits);
        selection.query = 1;
        QVERIFY(!rows->rows(*rows->plan().find({Stage::Logits, {}}), 0, 0, {1, 1}).empty());
        const auto figure = CloseUpFigure::fromTrace(rows, selection, test::style());
        const auto expected = CloseUpFigure::fromTrace(whole, selection, test::style());
        const HeatmapContent &content = figure.parts().result.content;
        QVERIFY(content.matrix().empty());
        QVERIFY(!content.absence.isEmpty());
        QVERIFY(figure.description().contains(content.absence));
        const CloseUpFigure::Places places = test::placesIn(figure, test::kSmall);
        const std::vector<WordBars::Row> same = test::placesIn(expected, test::kSmall).bars.rows;
        QVERIFY(places.bars.rows.size() >= 5);
        for (std::size_t i = 0; i < std::min(same.size(), places.bars.rows.size()); ++i) {
            const WordBars::Row &row = places.bars.rows[i];
            QVERIFY(row.cell == same[i].cell);
            const auto hit = figure.cellAt(places, row.rect.center());
            QVERIFY(hit && hit->part == &figure.parts().result && hit->cell == row.cell);
        }
        const QString texts = test::textOf(figure, test::kSmall);
        QVERIFY2(texts.contains(content.absence.section(QLatin1Char(':'), 0, 0)),
                 qPrintable(texts));
    }

    /// An output over words is drawn as bars of the selected row, largest first. Each bar is a
    /// cell.
    void anOutputIsBars() {
        const OpenedSource source = test::opened("writing");
        const core::TracePointer trace = test::passOf(source.state);
        core::Selection selection = test::at(Stage::Logits);
        selection.query = 1;
        const auto figure = CloseUpFigure::fromTrace(trace, selection, test::style());
        const core::SharedMatrix logits = figure.parts().result.content.matrix();
        const CloseUpFigure::Places places = test::placesIn(figure, test::kSmall);
        QVERIFY(places.bars.rows.size() >= 5);
        QVERIFY(!places.card.intersects(places.picture.used));
        float before = std::numeric_limits<float>::infinity();
        for (const WordBars::Row &row : places.bars.rows) {
            const auto hit = figure.cellAt(places, row.rect.center());
            QVERIFY(hit && hit->part == &figure.parts().result);
            QCOMPARE(hit->cell.row, Index(1));
            const float value = logits(1, hit->cell.column);
            QVERIFY(value <= before);
            before = value;
            if (value > 0)
                QVERIFY(std::abs(row.bar.width() / places.bars.rows.front().bar.width() -
                                 double(value / logits(1, places.bars.rows.front().cell.column))) <
                        1e-3);
        }
        // The selected word has a bar even if its value is the smallest.
        Index least = 0;
        for (Index word = 0; word < logits.columns; ++word)
            if (logits(1, word) < logits(1, least))
                least = word;
        selection.dimension = least;
        const auto selected = CloseUpFigure::fromTrace(trace, selection, test::style());
        QCOMPARE(test::placesIn(selected, test::kSmall).bars.rows.back().cell.column, least);
        selection.opened = true;
        QVERIFY(
            test::placesIn(CloseUpFigure::fromTrace(trace, selection, test::style()), test::kSmall)
                .bars.rows.empty());
    }

    /// If the picture does not fit next to expanded arithmetic, the arithmetic begins at the top.
    void anOpenArithmeticUsesTheRoom() {
        core::Selection selection = test::cellAt(Stage::Scores, 2, 1);
        selection.opened = true;
        const auto figure =
            CloseUpFigure::fromTrace(test::traceOf("cat"), selection, FigureStyle::light(2));
        const CloseUpFigure::Places places = figure.places(QRectF(0, 0, 600, 460));
        QVERIFY(!places.table.isEmpty());
        QVERIFY(!places.picture.result.cells.cells.isEmpty() || places.table.top() < 30);
    }

    /// The description names every matrix and its place.
    void itIsDescribed() {
        const core::TracePointer trace = test::traceOf("cat");
        const QString words =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Scores, 2, 1), test::style())
                .description();
        QVERIFY(words.contains("To the left: Q queries · 6 × 8, with the same rows."));
        QVERIFY(words.contains("with the same columns."));
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpTest)
#include "tst_close_up.moc"
