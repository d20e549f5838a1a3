// Details of how a close-up looks: outlines, labels and titles that must not cover each other.
#include "tests/ui/figures/close_up_fixture.h"

using test::at;
using Placed = CloseUpGeometry::Placed;

namespace {

core::TracePointer traceOfHeads(Index heads, Index tokens) {
    TraceRecipe recipe;
    recipe.width = 64;
    recipe.heads = heads;
    recipe.tokens = {test::numberedWords(tokens)};
    return makeTrace(recipe);
}

/// Returns the size of the shortest picture in which the result has numbers.
QSizeF lowestWithNumbers(const CloseUpFigure &figure) {
    QSizeF room = test::kSmall;
    while (!test::placesIn(figure, room).picture.result.hasNumbers && room.height() < 600)
        room.rheight() += 4;
    return room;
}

QImage paintedAround(const CloseUpFigure &figure, const QSizeF &room) {
    return test::paintedOn(figure, test::sizeAround(room).toSize());
}

} // namespace

class CloseUpLooksTest : public QObject {
    Q_OBJECT

  private slots:
    /// RMSNorm subtracts no mean, so it does not divide by a variance.
    void theMeanOfSquaresIsNotCalledAVariance() {
        const auto columnOf = [](const QString &session) {
            const auto trace = test::traceOf(session);
            const auto parts = CloseUpParts::of(trace, test::cellOf({Stage::Norm, {}}),
                                                FigureStyle::light(), {}, nullptr);
            return parts.left.empty() ? QString() : plainText(parts.left.back().symbol);
        };
        QCOMPARE(columnOf("decoder_rotary"), QString("RMS²"));
        QCOMPARE(columnOf("encoder_prenorm"), QString("σ²"));
    }

    /// A sum and its terms have different symbols.
    void aResidualConnectionNamesItsSumAnew() {
        const auto said = [](const QString &session, core::StageId at) {
            return plainText(
                formulaSpans(*test::traceOf(session), test::cellOf(at), FigureStyle::light()));
        };
        const auto inDecoder = [](Stage stage, core::Block block) {
            return core::StageId{stage, {0, block, core::Stack::Decoder}};
        };
        using enum core::Block;
        QVERIFY(
            test::says(said("t5_like", inDecoder(Stage::Residual, SelfAttention)), "R = X + O"));
        QVERIFY(
            test::says(said("t5_like", inDecoder(Stage::Residual, CrossAttention)), "R′ = R + O"));
        QVERIFY(test::says(said("t5_like", inDecoder(Stage::LayerOutput, SelfAttention)),
                           "Y = R′ + F"));
        // One attention block has one residual connection.
        QVERIFY(test::says(said("encoder_prenorm", {Stage::Residual, {}}), "R = X + O"));
        QVERIFY(test::says(said("encoder_prenorm", {Stage::LayerOutput, {}}), "Y = R + F"));
        for (const QString session : {"encoder_decoder", "t5_like", "cross_attention_only"}) {
            const auto trace = test::traceOf(session);
            for (const core::StageId &stage : test::stagesOf(*trace)) {
                if (stage.stage == Stage::LayerInput)
                    continue; // belongs to the previous layer, which has its own X
                const auto parts =
                    CloseUpParts::of(trace, test::cellOf(stage), FigureStyle::light(), {}, nullptr);
                for (const CloseUpPart &part : parts.left)
                    QVERIFY2(parts.sign != "+" ||
                                 plainText(part.symbol) != plainText(parts.result.symbol),
                             core::infoOf(stage.stage).name.data());
            }
        }
    }

    /// The digits of a short cell have the same pixels whether or not the cell is selected.
    void anOutlineCoversNoDigit_data() {
        QTest::addColumn<bool>("hasColumn");
        QTest::newRow("row") << false;
        QTest::newRow("cell") << true;
    }
    void anOutlineCoversNoDigit() {
        QFETCH(bool, hasColumn);
        const core::TracePointer trace = makeTrace();
        const auto figureOf = [&](Index row, Index column) {
            return CloseUpFigure::fromTrace(
                trace,
                test::cellAt(Stage::Scores, row, hasColumn ? std::optional(column) : std::nullopt),
                test::style());
        };
        const CloseUpFigure selected = figureOf(3, 2), other = figureOf(6, 5);
        const QSizeF room = lowestWithNumbers(selected);
        const CloseUpGeometry picture = test::placesIn(selected, room).picture;
        QVERIFY(picture.result.hasNumbers);
        const HeatmapGeometry &cells = picture.result.cells;
        QVERIFY2(cells.cell.height() < 20, test::said("%1 px", cells.cell.height()));
        QCOMPARE(test::placesIn(other, room).picture.result.cells.cells, cells.cells);
        const QImage with = paintedAround(selected, room);
        const QImage without = paintedAround(other, room);
        for (Index column = 0; column < cells.columns; ++column) {
            if (hasColumn && column != 2)
                continue;
            // The part of the cell inside the outline and its rim.
            const QRectF cell = cells.cellRect(3, column).adjusted(1, 1, -2, -2);
            const QRect inner(QPoint(static_cast<int>(std::ceil(cell.left())),
                                     static_cast<int>(std::ceil(cell.top()))),
                              QPoint(static_cast<int>(std::floor(cell.right())) - 1,
                                     static_cast<int>(std::floor(cell.bottom())) - 1));
            QCOMPARE(with.copy(inner), without.copy(inner));
        }
        QVERIFY(with != without);
    }

    /// A joined head whose columns are left out leaves no mark.
    void aHeadThatDoesNotFitLeavesNoMark() {
        const auto figure = CloseUpFigure::fromTrace(
            traceOfHeads(48, 17), test::cellAt(Stage::Concatenated, 16), test::style());
        const CloseUpGeometry picture = test::placesIn(figure, test::kUsual).picture;
        QVERIFY(std::ranges::any_of(picture.above,
                                    [](const Placed &head) { return head.cells.columns == 0; }));
        const QImage corner = paintedAround(figure, test::kUsual).copy(0, 0, 8, 8);
        QImage empty(corner.size(), corner.format());
        empty.fill(corner.pixelColor(7, 7));
        QCOMPARE(corner, empty);
    }

    /// If the mask is drawn as colours, hidden and visible cells differ in every theme.
    void aMaskInColoursShowsWhatIsHidden_data() {
        QTest::addColumn<QString>("theme");
        for (const char *theme : {"light", "dark", "paper"})
            QTest::newRow(theme) << QString(theme);
    }
    void aMaskInColoursShowsWhatIsHidden() {
        QFETCH(QString, theme);
        const auto figure = CloseUpFigure::fromTrace(
            traceOfHeads(2, 17), test::cellAt(Stage::MaskedScores, 9), test::styleOf(theme));
        const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
        QCOMPARE(picture.form, CloseUpGeometry::Form::Colours);
        const QImage image = paintedAround(figure, test::kSmall);
        int masks = 0;
        for (std::size_t i = 0; i < picture.left.size(); ++i) {
            if (plainText(figure.parts().left[i].symbol) != "M")
                continue;
            ++masks;
            const HeatmapGeometry &cells = picture.left[i].cells;
            const auto colourAt = [&](Index row, Index column) {
                return image.pixelColor(cells.cellRect(row, column).center().toPoint());
            };
            const int hidden = colourAt(2, 14).lightness(), visible = colourAt(14, 2).lightness();
            QVERIFY2(std::abs(hidden - visible) > 24, test::said("%1 and %2", hidden, visible));
        }
        QCOMPARE(masks, 1);
    }

    /// One long word does not remove the labels of short words, and the selected column has its
    /// label.
    void onlyTouchingColumnLabelsAreOmitted_data() {
        QTest::addColumn<int>("selected");
        for (const int selected : {-1, 0, 3, 4, 7})
            QTest::addRow("%d", selected) << selected;
    }
    void onlyTouchingColumnLabelsAreOmitted() {
        QFETCH(int, selected);
        TraceRecipe recipe;
        recipe.tokens = {
            {"He", "saw", "the", "internationally", "unacknowledged", "pub", "by", "it"}};
        const auto figure = CloseUpFigure::fromTrace(
            makeTrace(recipe),
            selected < 0 ? at(Stage::Scores)
                         : test::cellAt(Stage::Scores, 2, static_cast<Index>(selected)),
            test::style());
        QSizeF room = test::kSmall;
        while (test::placesIn(figure, room - QSizeF(10, 0)).picture.form ==
               CloseUpGeometry::Form::Numbers)
            room -= QSizeF(10, 0);
        const HeatmapGeometry cells = test::placesIn(figure, room).picture.above.front().cells;
        QVERIFY2(cells.cell.width() < 60, test::said("%1 px", cells.cell.width()));
        const test::PaintingRecord record =
            test::PaintingRecord::of(figure, test::sizeAround(room), Device::Raster);
        const auto textOver = [&](Index column) {
            const QRectF line = cells.columnLabelOf(column, cells.cell.width());
            for (const test::PaintingRecord::Text &text : record.texts)
                if (line.contains(text.centre))
                    return text.text;
            return QString();
        };
        for (const Index column : {0, 1, 7}) // next to short words
            QCOMPARE(textOver(column),
                     QString::fromStdString(recipe.tokens[0][static_cast<std::size_t>(column)]));
        if (selected >= 0)
            QVERIFY2(!textOver(selected).isEmpty(), "the selected column has no label");
        // The long words touch each other.
        QVERIFY(textOver(3).isEmpty() || textOver(4).isEmpty());
    }

    /// The visible part of X = E + P includes large numbers of E, not only of P, even if no row is
    /// selected.
    void aPartOfASumHasTheLargestNumbers() {
        const core::TracePointer trace = test::traceOf("cat");
        for (Index row = -1; row < 6; ++row) {
            const auto figure = CloseUpFigure::fromTrace(
                trace, row < 0 ? at(Stage::EmbeddingSum) : test::cellAt(Stage::EmbeddingSum, row),
                test::style());
            const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
            QVERIFY(picture.result.cells.isWindow);
            QVERIFY(!picture.left.empty());
            const core::SharedMatrix e = figure.parts().left.front().content.matrix();
            const HeatmapGeometry &cells = picture.left.front().cells;
            float largest = 0;
            for (Index r = row < 0 ? 0 : row, end = row < 0 ? e.rows : row + 1; r < end; ++r)
                for (Index column = cells.origin.column; column < cells.endColumn(); ++column)
                    largest = std::max(largest, std::abs(e(r, column)));
            QVERIFY2(largest > 0.9F, test::said("row %1: %2", row, largest));
        }
    }

    /// Titles in a row do not touch, and the colour bar's words end below the card.
    void titlesAndTheColourBarHaveSpace() {
        const core::TracePointer trace = test::traceOf("cat");
        int titles = 0, bars = 0;
        for (double width = 880; width <= 1240; width += 12) {
            const QSizeF room(width, 360);
            const auto figure =
                CloseUpFigure::fromTrace(trace, at(Stage::AttentionWeights), test::style());
            const CloseUpGeometry picture = test::placesIn(figure, room).picture;
            for (std::size_t i = 0; i + 1 < picture.left.size(); ++i) {
                const Placed &one = picture.left[i];
                if (one.detail == 0)
                    continue;
                const double end =
                    one.title.left() +
                    spansWidth(figure.parts().left[i].title(one.detail, test::style()),
                               test::style().font(FigureStyle::Text::Title));
                QVERIFY2(end + 9 < picture.left[i + 1].title.left(),
                         test::said("%1 and %2", end, picture.left[i + 1].title.left()));
                ++titles;
            }
            const auto record =
                test::PaintingRecord::of(figure, test::sizeAround(room), Device::Raster);
            for (const test::PaintingRecord::Text &text : record.texts)
                if (text.text.endsWith("each row sums to 1") &&
                    text.width + 70 <= picture.card.width()) { // with the smallest bar
                    const double end = text.centre.x() + text.width / 2;
                    QVERIFY2(end < picture.card.right() + 1,
                             test::said("%1 and %2", end, picture.card.right()));
                    ++bars;
                }
        }
        QVERIFY(titles > 0 && bars > 0);
    }

    /// The words of a batch have the same names as in the strip above the picture.
    void aSentenceIsNamedAsInTheStrip() {
        const core::TracePointer trace = test::traceOf("bank");
        for (const Index sequence : {0, 1}) {
            const auto figure =
                CloseUpFigure::fromTrace(trace, at(Stage::Scores, 0, sequence), test::style());
            const QString words = test::textOf(figure, {1100, 560});
            QVERIFY2(words.contains(QString("sentence %1 of 2").arg(sequence + 1)),
                     qPrintable(words));
            QVERIFY(!words.contains("sequence"));
        }
        core::Selection selection = at(Stage::ClassLogits);
        selection.sequence = 1;
        const core::TracePointer classifier = test::traceOf("block");
        QCOMPARE(rowNames(*classifier, selection).value(1), QString("2"));
        QCOMPARE(axesOf(*classifier, Stage::ClassLogits, {}).rows, QString("sentence"));
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpLooksTest)
#include "tst_close_up_looks.moc"
