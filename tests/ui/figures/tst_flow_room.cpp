// The size of a flow in a view: no matrix is small, no parameter matrix is dropped, and enlarged
// text loses no number or word. Larger figures scroll.
#include "tests/ui/figures/figure_fixture.h"

namespace {

const QStringList kLessons{"bank", "sentence", "cat", "batch", "look-ahead"};
const QStringList kTransformers{"encoder_prenorm", "decoder_rotary", "encoder_decoder", "gemma_2",
                                "wide_encoder"};
const QSizeF kDocked(698, 498); // about the size of the figure at 1280 × 720 with both docks
const QSizeF kPresented(900, 560);

struct Shown {
    core::TracePointer trace;
    core::Selection selection;
};

QString pathOf(const QString &source) {
    return kLessons.contains(source) ? source : test::sessionPath(source);
}

/// Returns an example with a text of `words` tokens, or with its own text if 0.
Shown shownOf(const QString &source, int words = 0) {
    SourceRequest request;
    request.source = pathOf(source);
    if (words > 0) {
        QStringList text;
        for (int i = 0; i < words; ++i)
            text << QStringLiteral("word%1").arg(QChar('a' + i % 26));
        request.text = text.join(QLatin1Char(' ')).toStdString();
    }
    return {test::passOf(test::valueOf(openSource(request)).state), {}};
}

QString sizeText(const QSizeF &size) {
    return QStringLiteral("%1 × %2").arg(size.width()).arg(size.height());
}

std::string nodeName(core::StageId at) {
    return core::stageName(at.stage, at.attention);
}

bool isNumber(QString text) {
    text.replace(QChar(0x2212), QLatin1Char('-'));
    bool isOne = false;
    text.toDouble(&isOne);
    return isOne || text == QStringLiteral("-∞");
}

/// Returns how many painted texts contain the words.
auto countOf(const QString &words, const std::vector<PaintingRecord::Text> &texts) {
    return std::ranges::count_if(
        texts, [&](const PaintingRecord::Text &text) { return text.text.contains(words); });
}

} // namespace

class FlowRoomTest : public QObject {
    Q_OBJECT

    struct ShownFigure {
        FlowFigure figure;
        QSizeF size;
        FlowGeometry geometry;

        ShownFigure(const Shown &example, core::StageId at, const QSizeF &sight, double textScale)
            : figure(FlowFigure::fromTrace(example.trace, atStage(example.selection, at),
                                           FigureStyle::light(textScale))),
              size(figure.readableSize(sight)),
              geometry(figure.geometry(QRectF(QPointF(), size))) {}

        PaintingRecord painted() const { return PaintingRecord::of(figure, size, Device::Vector); }
        int numbersIn(const PaintingRecord &record, const QRectF &rect) const {
            int count = 0;
            for (const QString &text : record.textsIn(rect))
                count += isNumber(text);
            return count;
        }
    };

    static std::vector<core::StageId> stagesOf(const Shown &example) {
        return ModelParts(*example.trace).stages();
    }

    static void verifyText(const QStringList &before, const QStringList &after,
                           const std::string &where) {
        QVERIFY2(after.size() >= before.size(),
                 test::said("%1: %2, now %3", QString::fromStdString(where),
                            before.join(QLatin1Char('|')), after.join(QLatin1Char('|'))));
    }

  private slots:
    void everyMatrixIsThereAndWellSeen_data() {
        test::addColumns<QString, int, QSizeF>({"source", "words", "sight"});
        for (const QString &source : kLessons)
            for (const int words : {0, 11, 30})
                for (const QSizeF &sight : {kDocked, QSizeF(1248, 600), QSizeF(480, 860)})
                    QTest::addRow("%s, %d words, %.0f x %.0f", qPrintable(source), words,
                                  sight.width(), sight.height())
                        << source << words << sight;
        for (const QString &source : kTransformers)
            QTest::addRow("%s", qPrintable(source)) << source << 0 << kDocked;
    }
    void everyMatrixIsThereAndWellSeen() {
        QFETCH(QString, source);
        QFETCH(int, words);
        QFETCH(QSizeF, sight);
        const Shown example = shownOf(source, words);
        for (const core::StageId at : stagesOf(example)) {
            const ShownFigure shown(example, at, sight, 1);
            const std::string name = nodeName(at);
            QVERIFY(shown.size.width() >= sight.width() && shown.size.height() >= sight.height());
            QVERIFY2(shown.size.width() <= 2.2 * sight.width() &&
                         shown.size.height() <= 2.2 * sight.height(),
                     qPrintable(sizeText(shown.size)));
            for (const auto *list : {&shown.geometry.nodes, &shown.geometry.learned})
                for (const FlowNode &node : *list)
                    QVERIFY2(std::min(node.matrix.width(), node.matrix.height()) >= 60,
                             (nodeName(node.at) + " beside " + name).c_str());
            const QRectF &large = shown.geometry.large.cells;
            QVERIFY2(std::min(large.width(), large.height()) >= 60, name.c_str());
            for (const FlowNode &node : shown.geometry.nodes)
                QVERIFY2(!shown.figure.learnedOf(node.at) || shown.geometry.learnedOf(node.at),
                         (nodeName(node.at) + " beside " + name).c_str());
            QVERIFY(!shown.figure.learnedOf(at) || shown.geometry.learnedOf(at));
        }
    }

    void enlargedTextLosesNothing_data() {
        test::addColumns<QString, int, QSizeF, double>({"source", "words", "sight", "textScale"});
        const auto row = [](const QString &source, int words, const QSizeF &sight, double scale) {
            QTest::addRow("%s, %d words, %.0f x %.0f, %.1f", qPrintable(source), words,
                          sight.width(), sight.height(), scale)
                << source << words << sight << scale;
        };
        for (const QString &source : kLessons)
            for (const int words : {0, 11})
                row(source, words, kDocked, 2);
        for (const double scale : {1.5, 2.5})
            row("cat", 11, kPresented, scale);
        row("encoder_decoder", 0, kDocked, 2);
        row("decoder_rotary", 0, kPresented, 2);
    }
    /// Everything shown at the usual text size is also shown in enlarged text.
    void enlargedTextLosesNothing() {
        QFETCH(QString, source);
        QFETCH(int, words);
        QFETCH(QSizeF, sight);
        QFETCH(double, textScale);
        const Shown example = shownOf(source, words);
        for (const core::StageId at : stagesOf(example)) {
            const ShownFigure usual(example, at, sight, 1), enlarged(example, at, sight, textScale);
            const PaintingRecord before = usual.painted(), after = enlarged.painted();
            const std::string name = nodeName(at);
            const auto haveNumbers = [&](const QRectF &cells, const QRectF &enlargedCells) {
                return usual.numbersIn(before, cells) <= enlarged.numbersIn(after, enlargedCells);
            };
            QVERIFY2(haveNumbers(usual.geometry.large.cells, enlarged.geometry.large.cells),
                     name.c_str());
            for (const FlowNode &node : usual.geometry.nodes)
                QVERIFY2(haveNumbers(node.matrix, enlarged.geometry.node(node.at)->matrix),
                         (nodeName(node.at) + " beside " + name).c_str());
            for (const FlowNode &node : usual.geometry.learned) {
                QVERIFY(enlarged.geometry.learnedOf(node.at));
                QVERIFY2(haveNumbers(node.matrix, enlarged.geometry.learnedOf(node.at)->matrix),
                         ("learned " + nodeName(node.at) + " beside " + name).c_str());
            }
            // The texts next to a matrix: symbol, name and shape, in any form.
            const auto wordsOf = [](const FlowNode &node, const PaintingRecord &record) {
                const QRectF place = node.title.united(node.subtitle);
                const double around = 0.2 * node.title.height(); // a subscript is lower
                return record.textsIn(place.adjusted(0, -around, 0, around));
            };
            for (const FlowNode &node : usual.geometry.nodes)
                verifyText(wordsOf(node, before), wordsOf(*enlarged.geometry.node(node.at), after),
                           nodeName(node.at) + " beside " + name);
            for (const FlowNode &node : usual.geometry.learned)
                verifyText(wordsOf(node, before),
                           wordsOf(*enlarged.geometry.learnedOf(node.at), after),
                           "learned " + nodeName(node.at) + " beside " + name);
            const QStringList inCard = before.textsIn(usual.geometry.card);
            const QStringList inEnlarged = after.textsIn(enlarged.geometry.card);
            const QString subtitle = usual.figure.current().content().subtitle;
            const auto isShortened = [&](const QString &text) {
                return text.contains(QStringLiteral("…")) ||
                       (text != subtitle && subtitle.startsWith(text));
            };
            for (const QString &text : inCard)
                if (!isNumber(text) && !isShortened(text))
                    QVERIFY2(inEnlarged.count(text) >= inCard.count(text),
                             test::said("\"%1\" beside %2", text, QString::fromStdString(name)));
            QVERIFY(countOf(QStringLiteral("="), after.texts) >=
                    static_cast<qsizetype>(usual.geometry.signs.size()));
        }
    }

    /// Nothing scrolls if there is enough space: a lesson at 1440 × 900.
    void aRoomyViewHasAllOfIt() {
        for (const QString &source : kLessons) {
            const Shown example = shownOf(source);
            for (const core::StageId at : stagesOf(example))
                QCOMPARE(ShownFigure(example, at, {858, 640}, 1).size, QSizeF(858, 640));
        }
    }

    void theCloseUpHasEveryNumber_data() {
        test::addColumns<QString, Stage, bool>({"source", "stage", "isStacked"});
        // A × V = Z with 11 rows and 16 columns, and X + P for a model with positions.
        QTest::newRow("context") << QStringLiteral("sentence") << Stage::Context << true;
        QTest::newRow("weights") << QStringLiteral("sentence") << Stage::AttentionWeights << false;
        QTest::newRow("few columns") << QStringLiteral("cat") << Stage::Context << false;
    }
    /// Next to the text of a lesson on a small projector, the inputs of a matrix are stacked if
    /// numbers would be missing side by side, and only then.
    void theCloseUpHasEveryNumber() {
        QFETCH(QString, source);
        QFETCH(Stage, stage);
        QFETCH(bool, isStacked);
        const Shown example = shownOf(source);
        FigureOptions options;
        options.closeUp = true;
        const FlowFigure figure =
            FlowFigure::fromTrace(example.trace, atStage(example.selection, {stage, {}}),
                                  FigureStyle::light(1.25), options);
        FlowViewport viewport;
        viewport.whole = QSizeF(2000, 1400); // the size that the whole flow would need
        const QRectF sight(0, 0, 819, 720);
        const FlowGeometry geometry = figure.geometry(sight, viewport);
        QVERIFY(!geometry.opened.empty());
        QVERIFY(figure.hasAllWords(geometry));
        PaintingRecord record;
        {
            test::RecordingDevice recorder(record, sight.size().toSize());
            QPainter painter(&recorder);
            figure.paintIn(painter, sight, Device::Vector, viewport);
        }
        std::vector<HeatmapGeometry> all = geometry.opened;
        all.push_back(geometry.large);
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY(sight.contains(all[i].used));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!all[i].used.intersects(all[j].used));
            for (core::Index row = 0; row < all[i].rows; ++row)
                for (core::Index column = 0; column < all[i].columns; ++column) {
                    const QStringList texts = record.textsIn(all[i].cellRect(row, column));
                    QVERIFY2(texts.size() == 1 && isNumber(texts.first()),
                             qPrintable(texts.join(QLatin1Char('|'))));
                }
        }
        for (std::size_t i = 0; i + 1 < geometry.opened.size(); ++i) {
            const QRectF &first = all[i].used, &second = all[i + 1].used;
            QCOMPARE(second.top() >= first.bottom(), isStacked);
            QCOMPARE(second.left() >= first.right(), !isStacked);
        }
        for (const HeatmapGeometry &one : geometry.opened)
            QVERIFY(geometry.large.used.left() > one.used.right());
    }

    void otherViewsLoseNothing_data() {
        test::addCombinations<core::View, QString>({"view", "source"},
                                                   {core::View::Heads, core::View::Similarity},
                                                   {kLessons.begin(), kLessons.end()});
    }
    void otherViewsLoseNothing() {
        QFETCH(core::View, view);
        QFETCH(QString, source);
        for (const int words : {0, 11}) {
            const Shown example = shownOf(source, words);
            const auto texts = [&](double textScale) {
                const auto figure = infoOf(view).makeFigure(
                    {example.trace, example.selection, FigureStyle::light(textScale)});
                const QSizeF size = figure->readableSize(kDocked);
                return PaintingRecord::of(*figure, size, Device::Vector).texts;
            };
            const auto before = texts(1), after = texts(2);
            const auto numbers = [](const std::vector<PaintingRecord::Text> &all) {
                return std::ranges::count_if(
                    all, [](const PaintingRecord::Text &text) { return isNumber(text.text); });
            };
            QVERIFY2(numbers(after) >= numbers(before), qPrintable(source));
            for (const PaintingRecord::Text &text : before) {
                if (!isNumber(text.text) && !text.text.contains(QStringLiteral("…")))
                    QVERIFY2(countOf(text.text, after) >= countOf(text.text, before),
                             qPrintable(text.text));
            }
        }
    }

    /// Heads that do not fit scroll.
    void everyHeadIsWellSeen() {
        test::TraceRecipe recipe;
        recipe.heads = 24;
        recipe.headSize = 2;
        const auto trace = test::makeTrace(recipe);
        const auto figure = HeadsFigure::fromTrace(trace, {}, FigureStyle::light());
        const QSizeF size = figure.readableSize(kDocked);
        for (const QRectF &matrix : figure.geometry(QRectF(QPointF(), size)).matrices)
            QVERIFY(std::min(matrix.width(), matrix.height()) >= 60);
    }
};

HEADLIGHT_WIDGET_TEST(FlowRoomTest)
#include "tst_flow_room.moc"
