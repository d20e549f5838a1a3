// The close-up of every stage, for a folder of every family and the sessions of tests/data. Tests
// the edges that its matrices share with the result, their numbers, and what is painted.
#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/ui/figures/close_up_fixture.h"
#include "tests/ui/figures/computed_stage.h"

#include <algorithm>

namespace {

/// Returns what is wrong with the numbers of a figure, or an empty text.
QString numbersFaultOf(const core::Trace &trace, const CloseUpFigure &figure) {
    const test::ComputedStage stage(trace, figure.selection());
    const CloseUpParts &parts = figure.parts();
    if (const QString fault = test::differenceFrom(stage.result(), parts.result.content.matrix());
        !fault.isEmpty())
        return "the result " + fault;
    for (const auto *side : {&parts.left, &parts.above})
        for (const CloseUpPart &part : *side) {
            const QString symbol = plainText(part.symbol);
            if (part.isSampled)
                return symbol + " is only a sample";
            const auto wanted = stage.operand(part);
            if (!wanted)
                return symbol + " is not read";
            if (const QString fault = test::differenceFrom(*wanted, part.content.matrix());
                !fault.isEmpty())
                return symbol + " " + fault;
        }
    const QString missing = stage.missingIn(parts);
    return missing.isEmpty() ? QString() : "not drawn: " + missing;
}

/// Returns the number that a cell's text means; none if the text is not a number of a cell.
std::optional<double> numberIn(QString text, double &within) {
    static const QRegularExpression pattern(
        QStringLiteral("^(≈0|[−+]?(\\d*\\.\\d+|\\d+)(e−?\\d+)?|−?∞)$"));
    if (!pattern.match(text).hasMatch())
        return std::nullopt;
    within = 0;
    if (text.contains(u'∞'))
        return (text.startsWith(u'−') ? -1 : 1) * std::numeric_limits<double>::infinity();
    if (text == "0")
        return 0;
    if (text == "≈0") {
        within = 0.5;
        return 0;
    }
    text.replace(u'−', u'-');
    const QString digits = text.section('e', 0, 0);
    const int decimals = digits.contains('.') ? int(digits.section('.', 1).size()) : 0;
    within = 0.5001 * std::pow(10.0, text.section('e', 1).toInt() - decimals);
    return text.toDouble();
}

/// Returns what is wrong with the painted numbers, or an empty text. Every visible cell of a matrix
/// with numbers must have its number, among them the selected cell.
QString paintedFaultOf(const CloseUpFigure &figure, const CloseUpGeometry &picture,
                       const test::PaintingRecord &record) {
    const auto faultOfPart = [&](const CloseUpPart &part,
                                 const CloseUpGeometry::Placed &placed) -> QString {
        if (!placed.hasNumbers)
            return {};
        const core::SharedMatrix numbers = part.content.matrix();
        std::set<std::pair<Index, Index>> seen;
        for (const test::PaintingRecord::Text &text : record.texts) {
            const auto cell = placed.cells.cellAt(text.centre);
            double within = 0;
            const auto number = cell ? numberIn(text.text, within) : std::nullopt;
            if (!number)
                continue;
            const auto wanted = static_cast<double>(numbers(cell->row, cell->column));
            if (*number != wanted && !(std::abs(*number - wanted) <= within))
                return QString("%1 is painted in row %2, column %3, where %4 is")
                    .arg(text.text)
                    .arg(cell->row)
                    .arg(cell->column)
                    .arg(wanted);
            seen.emplace(cell->row, cell->column);
        }
        if (std::ssize(seen) != placed.cells.rows * placed.cells.columns)
            return QString("%1 of %2 numbers are painted")
                .arg(seen.size())
                .arg(placed.cells.rows * placed.cells.columns);
        const auto row = part.content.selectedRow, column = part.content.selectedColumn;
        if (&part == &figure.parts().result && row && column && !seen.contains({*row, *column}))
            return "the selected number is not painted";
        return {};
    };
    const CloseUpParts &parts = figure.parts();
    std::vector<std::pair<const CloseUpPart *, const CloseUpGeometry::Placed *>> all{
        {&parts.result, &picture.result}};
    for (std::size_t i = 0; i < parts.left.size(); ++i)
        all.emplace_back(&parts.left[i], &picture.left[i]);
    for (std::size_t i = 0; i < parts.above.size(); ++i)
        all.emplace_back(&parts.above[i], &picture.above[i]);
    for (const auto &[part, placed] : all)
        if (const QString fault = faultOfPart(*part, *placed); !fault.isEmpty())
            return plainText(part->symbol) + ": " + fault;
    return {};
}

/// Returns a text that ends in "…" because it did not fit; empty if there is none.
QString cutTextIn(const CloseUpFigure &figure, const test::PaintingRecord &record) {
    QStringList whole{plainText(figure.strip().formula), plainText(figure.strip().arithmetic)};
    QStringList labels;
    for (const auto *side : {&figure.parts().left, &figure.parts().above})
        for (const CloseUpPart &part : *side)
            labels << part.content.rowLabels << part.content.columnLabels;
    labels << figure.parts().result.content.rowLabels << figure.parts().result.content.columnLabels;
    for (const test::PaintingRecord::Text &text : record.texts) {
        const bool isWhole =
            std::ranges::any_of(whole, [&](const QString &one) { return one.contains(text.text); });
        if (text.text.size() > 1 && text.text.endsWith(u'…') && !isWhole &&
            !labels.contains(text.text))
            return text.text;
    }
    return {};
}

/// Returns a trace of a short text, or of a picture.
core::TracePointer traceOfFolder(const QString &path) {
    const core::PretrainedPointer folder = test::valueOf(core::readPretrained(path.toStdString()));
    const core::Model &model = folder->model;
    if (folder->picture || folder->sound)
        return test::passOf(model, test::valueOf(core::firstComputable(*folder)).input());
    const auto tokens = [&](core::Stack stack, const std::vector<Index> &ids) {
        core::TokenizedText text;
        for (const Index id : ids)
            text.tokens.push_back(model.vocabularyOf(stack)->token(id));
        return text;
    };
    std::optional<core::TokenizedText> source;
    if (model.hasEncoder())
        source = tokens(core::Stack::Encoder, {4, 7, 9, 8, 11, 5});
    core::Input input =
        test::valueOf(core::inputOf(*folder, tokens(model.mainStack(), {6, 7, 9, 8, 11}), source));
    if (model.parameters.main.tokenTypes && model.parameters.main.tokenTypes->rows() > 1)
        input.batch = input.batch->withTokenTypes(0, {0, 0, 1, 1, 1});
    return test::passOf(model, input);
}

/// Returns the last head's cell of a stage.
core::Selection lastHeadOf(const core::Trace &trace, core::StageId stage, Index row) {
    core::Selection selection = test::at(stage.stage);
    selection.setAttention(stage.attention);
    selection.head = trace.model().headsOf(stage.attention) - 1;
    selection.sequence = trace.batch().count() - 1;
    const core::Sequence &queries = trace.queries(stage.attention)[selection.sequence];
    selection.query = std::min<Index>(row, queries.length - 1);
    selection.key = selection.dimension = selection.distance = 1;
    return selection;
}

/// Returns the symbols of the operands and their edges, without parameters.
QString stagesMetIn(const CloseUpParts &parts) {
    QStringList met;
    for (const auto *side : {&parts.left, &parts.above})
        for (const CloseUpPart &part : *side)
            if (part.at)
                met << test::sharedText(part);
    return met.join(" | ");
}

} // namespace

class CloseUpFamiliesTest : public QObject {
    Q_OBJECT

    /// Calls `visit` for the close-up of every kind of stage, in the first layer that has it, and
    /// in the last layer if it reads other stages there.
    static void forEachFigure(const core::TracePointer &trace, Index row,
                              const std::function<void(const CloseUpFigure &)> &visit) {
        std::set<core::StageId> seen;
        std::map<std::tuple<Stage, core::Stack, core::Block>, QString> first;
        const core::Plan &plan = trace->plan();
        for (const core::StageId &stage : test::stagesOf(*trace)) {
            const core::Selection shown =
                CloseUpFigure::shown(*trace, lastHeadOf(*trace, stage, row));
            const core::StageId at{shown.stage, shown.attention()};
            // If a stage has no close-up, another one with the same values must be shown.
            QVERIFY2(plan.origin(*plan.find(at)) == plan.origin(*plan.find(stage)),
                     qPrintable(nameOf(stage) + " is shown as " + nameOf(at)));
            const auto [layer, block, stack] = at.attention;
            const auto known = first.find({at.stage, stack, block});
            const bool isLast = layer == trace->model().layerCount(stack) - 1;
            if (!seen.insert(at).second || (known != first.end() && !isLast))
                continue;
            const auto figure =
                CloseUpFigure::fromTrace(trace, lastHeadOf(*trace, at, row), test::style());
            const QString met = stagesMetIn(figure.parts());
            if (known != first.end() && known->second == met)
                continue;
            first.emplace(std::tuple(at.stage, stack, block), met);
            visit(figure);
            if (QTest::currentTestFailed())
                return;
        }
    }
    static QString nameOf(core::StageId stage) {
        return QString::fromStdString(core::stageName(stage.stage, stage.attention));
    }

    static void checkNumbers(const core::TracePointer &trace, const CloseUpFigure &figure) {
        const QString name = nameOf(figure.stage());
        const QString edge = test::edgeFaultOf(figure);
        QVERIFY2(edge.isEmpty(), qPrintable(name + ": " + edge));
        const QString numbers = numbersFaultOf(*trace, figure);
        QVERIFY2(numbers.isEmpty(), qPrintable(name + ": " + numbers));
    }

    /// A grid of the same matrices must have a fault, unless the matrices do not meet or the figure
    /// is such a grid: one column if all share columns, one row if all share rows.
    static void checkGrids(const CloseUpFigure &figure, int &refused) {
        const CloseUpParts &parts = figure.parts();
        const std::vector<const CloseUpPart *> all = test::partsOf(figure);
        const bool meet = std::ranges::any_of(all, [&](const CloseUpPart *part) {
            return part != &parts.result && part->shares != CloseUpPart::Shares::Nothing;
        });
        if (!meet || std::ranges::any_of(all, [](const CloseUpPart *part) {
                return part->content.matrix().empty();
            }))
            return;
        const QString name = nameOf(figure.stage());
        const QString fault =
            test::sharedEdgeFaultOf(figure, test::placesIn(figure, test::kUsual).picture);
        QVERIFY2(fault.isEmpty(), qPrintable(name + ": " + fault));
        const bool isColumn =
            parts.left.empty() && (parts.above.size() == 1 || !parts.above[0].isBlock);
        for (std::size_t columns = 1; columns <= all.size(); ++columns) {
            if (columns == 1 ? isColumn : columns == all.size() && parts.above.empty())
                continue;
            QVERIFY2(!test::sharedEdgeFaultOf(figure, test::gridOf(figure, columns)).isEmpty(),
                     test::said("%1 in a grid of %2 columns", name, columns));
            ++refused;
        }
    }

    static void checkLayout(const CloseUpFigure &figure, const CloseUpFigure::Places &places,
                            const QSizeF &room) {
        const QString fault =
            test::faultOf(figure, places.picture, QRectF(QPointF(16, 16), room + QSizeF(8, 6)));
        QVERIFY2(fault.isEmpty(), test::said("%1 in %2 × %3: %4", nameOf(figure.stage()),
                                             room.width(), room.height(), fault));
    }

    /// Returns the stage, and the symbols, edges and sizes of its matrices.
    static QString lookOf(const CloseUpFigure &figure) {
        const CloseUpParts &parts = figure.parts();
        QString look = core::infoOf(figure.stage().stage).name.data();
        const auto add = [&look](const CloseUpPart &part) {
            look += QString(" %1 %2×%3")
                        .arg(test::sharedText(part))
                        .arg(part.rows())
                        .arg(part.columns());
        };
        add(parts.result);
        std::ranges::for_each(parts.left, add);
        std::ranges::for_each(parts.above, add);
        return look;
    }

    std::set<QString> m_painted; ///< looks of the figures that were painted

  private slots:
    void everyFolder_data() {
        test::addRows(
            "folder",
            QDir(HEADLIGHT_TEST_DATA "/folders").entryList(QDir::Dirs | QDir::NoDotAndDotDot));
    }
    void everyFolder() {
        QFETCH(QString, folder);
        const core::TracePointer trace =
            traceOfFolder(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/") + folder);
        int figures = 0;
        forEachFigure(trace, 3, [&](const CloseUpFigure &figure) {
            ++figures;
            checkNumbers(trace, figure);
            const QString name = nameOf(figure.stage());
            const CloseUpFigure::Places places = test::placesIn(figure, test::kSmall);
            checkLayout(figure, places, test::kSmall);
            // Many families have the same stage with operands of the same sizes.
            if (QTest::currentTestFailed() || !m_painted.insert(lookOf(figure)).second)
                return;
            checkLayout(figure, test::placesIn(figure, test::kUsual), test::kUsual);
            const auto record =
                test::PaintingRecord::of(figure, test::sizeAround(test::kSmall), Device::Vector);
            const QString painted = paintedFaultOf(figure, places.picture, record);
            QVERIFY2(painted.isEmpty(), qPrintable(name + ": " + painted));
            const QString cut = cutTextIn(figure, record);
            QVERIFY2(cut.isEmpty(), qPrintable(name + ": " + cut));
        });
        QVERIFY2(figures > 15, qPrintable(QString::number(figures)));
    }

    /// Uses the second of two sequences, which is padded, if a session has two. The same matrices
    /// in a grid would not pass.
    void everySession_data() { test::addRows("session", test::allSessions()); }
    void everySession() {
        QFETCH(QString, session);
        const core::TracePointer trace = test::passOf(session);
        int refusedGrids = 0;
        forEachFigure(trace, 1, [&](const CloseUpFigure &figure) {
            checkNumbers(trace, figure);
            if (!QTest::currentTestFailed())
                checkGrids(figure, refusedGrids);
        });
        QVERIFY2(refusedGrids > 15, qPrintable(QString::number(refusedGrids)));
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpFamiliesTest)
#include "tst_close_up_families.moc"
