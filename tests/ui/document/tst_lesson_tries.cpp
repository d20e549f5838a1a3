// What a lesson says after its *Try it* was done: of every step, and of every step after it with
// the change kept. Nothing that is not so stands there unless it is struck out, and nothing has
// gaps.
#include "core/formats/session/step_text.h"
#include "core/tensor/presets.h"
#include "tests/support/edits.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/vector_edits.h"
#include "ui/document/lesson_catalogue.h"

#include <QRegularExpression>
#include <QSet>

#include <functional>
#include <numeric>

using namespace headlight;
using core::Index;
using core::Stage;
using ui::Document;
using ui::Side;

namespace {

struct Try {
    QString lesson;
    Index step;
    QString name;
    std::function<void(Document &)> act;
    QStringList said{};   ///< what the step must say then
    QStringList struck{}; ///< and must not say any more
};

void done(const core::Outcome &outcome) {
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
}

void nothing(Document &) {}

auto typed(const char *text, Side side = Side::Own) {
    return [text = QString::fromUtf8(text), side](Document &document) {
        done(test::typeText(document, text, side));
    };
}

ui::MatrixId queryMatrix() {
    ui::MatrixId id;
    id.parameter = {0, core::ParameterKind::Query};
    return id;
}

void score(Document &document, float value) {
    done(document.apply(ui::edits::setScores(document.state(), {{0, 0, 0, 1, 0, value}})));
}

void silence(Document &document, Index head, core::HeadState state) {
    done(document.apply(ui::edits::setHead(document.state(), {}, head, state)));
}

/// What each *Try it* says, done. A step that says another one needs another entry.
std::vector<Try> tries() {
    return {
        {"bank", 1, "look at K and V", nothing, {"W_K is the identity"}},
        {"bank",
         3,
         "no scaling",
         [](Document &document) {
             core::Scale off;
             off.kind = core::Scale::Kind::Off;
             done(test::setScale(document, off));
         },
         {"4.95 becomes 4.95"},
         {"Which word comes first does not change"}},
        {"bank",
         4,
         "causal mask",
         [](Document &document) { done(test::setMasks(document, {core::CausalMask{}})); },
         {"money gets 0.80"}},
        {"bank", 7, "a phrase with bank", typed("the bank opens early"), {"in the second"}},
        {"bank", 7, "a phrase without bank", typed("no such word"), {"static"}},
        {"bank", 7, "the same phrase twice", typed("money bank"), {}, {"After it there are two"}},
        {"bank",
         8,
         "−1 in W_Q",
         [](Document &document) {
             done(document.apply(
                 ui::edits::setCells(document.state(), queryMatrix(), {{0, 0, -1.0f}})));
         },
         {"Right now money gets 0.19"}},
        {"bank",
         9,
         "another score",
         [](Document &document) { score(document, 3); },
         {"is 3.00 now"},
         {"a small triangle"}},
        {"bank",
         9,
         "the computed score",
         [](Document &document) {
             done(document.apply(
                 ui::edits::removeScores(document.state(), {{0, 0, 0, 1, 0, 0.0f}})));
         },
         {"money gets 0.80 now"},
         {"a small triangle", "money gets only"}},
        {"bank",
         10,
         "the key of money elsewhere",
         [](Document &document) {
             const ui::edits::VectorId id{{}, Stage::Key, 0};
             done(document.apply(
                 ui::edits::moveVector(document.state(), *document.trace(), id, {1, 2})));
         },
         {"that is the score"}},
        {"bank", 11, "gravity", nothing, {"pull"}},
        {"sentence",
         3,
         "money and river swapped",
         typed("She visited the river bank, near the money bank."),
         {"in dimension 8 both banks have"}},
        {"sentence", 5, "another sentence", typed("Attention is all you need"), {"nobody before"}},
        {"sentence",
         5,
         "a sentence that hides one word",
         typed("To be, or not to be, that is the question: to bank on a river bank"),
         {"nobody before"}},
        {"sentence",
         8,
         "a word that stands twice",
         typed("The cat saw that the dog saw the cat"),
         {"a word that stands twice"}},
        {"sentence", 10, "other queries", nothing, {"furthest to the right"}},
        {"cat",
         1,
         "other words in the same places",
         typed("A dog slept under the box"),
         {"every token but the first"}},
        {"cat", 3, "mat and cat swapped", typed("The mat sat on the cat"), {"gives"}},
        {"cat", 5, "back and forth", nothing, {"For on"}},
        {"cat",
         6,
         "the other head",
         [](Document &document) {
             silence(document, 0, core::HeadState::On);
             silence(document, 1, core::HeadState::Zero);
         },
         {"Head 0 is not silenced now"},
         {"Here head 0 is silenced", "nobody else writes it"}},
        {"cat",
         6,
         "all tokens equally",
         [](Document &document) { silence(document, 0, core::HeadState::Uniform); },
         {"Head 0 is not silenced now"},
         {"Here head 0 is silenced"}},
        {"batch",
         2,
         "other numbers in W_Q",
         [](Document &document) {
             done(document.apply(ui::edits::setMatrix(document.state(), queryMatrix(),
                                                      core::randomMatrix(32, 16, 7), "random")));
         },
         {"(6, 1, 8, 16)"}},
        {"batch",
         5,
         "no mask",
         [](Document &document) { done(test::setMasks(document, {})); },
         {"it is not hidden now"},
         {"Each [PAD] gets"}},
        {"look-ahead",
         2,
         "a longer sentence",
         typed("We drink hot coffee every single morning"),
         {"The second token sees two"}},
        {"look-ahead", 4, "point at a cell", nothing, {"tea sees the words up to itself"}},
        {"look-ahead",
         7,
         "−1e9",
         [](Document &document) {
             core::Masking masking = document.state().model.config.masking;
             masking.value = -1e9f;
             done(document.apply(ui::edits::setMasking(document.state(), masking)));
             done(document.apply(ui::edits::paintMaskCells(document.state(), 0, {{2, 0}}, true)));
         },
         {"green by hand"}},
        {"translation",
         5,
         "no adjective",
         typed("the house.", Side::Source),
         {"what a word is, not where it stands"},
         {"looks back"}},
        {"translation",
         6,
         "a book",
         typed("the red book.", Side::Source),
         {"softmax"},
         {"it is la with"}},
        {"translation",
         7,
         "a green book",
         [](Document &document) {
             typed("a very green book.", Side::Source)(document);
             typed("« un livre très vert")(document);
         },
         {"vert 0.9"},
         {"So after très the word verte gets"}},
    };
}

QString plain(QString html) {
    static const QRegularExpression tag("<[^>]*>");
    html.remove(tag);
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
}

const core::LessonStep &stepOf(const Document &document) {
    return document.session().lesson->steps[static_cast<std::size_t>(document.state().lessonStep)];
}

QStringList paragraphs(const Document &document) {
    QStringList html;
    for (const std::string &text : stepOf(document).text)
        html << QString::fromStdString(core::stepTextToHtml(text, document.trace().get()));
    return html;
}

/// The words that stand there and are not struck out.
QString visible(const Document &document) {
    static const QRegularExpression struck("<s>.*?</s>");
    QString all = paragraphs(document).join('\n');
    return plain(all.remove(struck)).simplified();
}

QString struckOut(const Document &document) {
    static const QRegularExpression struck("<s>(.*?)</s>");
    QStringList all;
    for (const auto &match : struck.globalMatch(paragraphs(document).join('\n')))
        all << plain(match.captured(1));
    return all.join('\n').simplified();
}

QSet<QString> wordsOf(const core::Input &input) {
    QSet<QString> words;
    for (const core::BatchPointer &batch : {input.batch, input.source})
        if (batch)
            for (const core::Sequence &sequence : batch->sequences())
                for (const core::Token &token : sequence.tokens)
                    words << QString::fromStdString(token.text);
    return words;
}

Index largestAt(std::span<const float> row) {
    return std::ranges::max_element(row) - row.begin();
}

bool isPrevious(const core::Trace &trace) {
    const core::SharedMatrix weights = trace.stage(Stage::Weights).matrix(0, 0);
    for (Index row = 1; row < weights.rows; ++row)
        if (largestAt(weights.row(row)) != row - 1)
            return false;
    return true;
}

bool areEqual(const core::Trace &trace, Stage a, Stage b) {
    for (Index sequence = 0; sequence < trace.batch().count(); ++sequence)
        for (Index row = 0; row < trace.batch().length(); ++row)
            if (const core::SharedMatrix one = trace.stage(a).matrix(sequence, 0),
                other = trace.stage(b).matrix(sequence, 0);
                !std::ranges::equal(one.row(row), other.row(row)))
                return false;
    return true;
}

bool isZero(const core::SharedMatrix &matrix) {
    for (Index row = 0; row < matrix.rows; ++row)
        if (std::ranges::any_of(matrix.row(row), [](float value) { return value != 0; }))
            return false;
    return true;
}

/// What a sentence claims, as numbers: all that lessons say of more than the numbers beside it.
struct Claim {
    const char *words;
    bool (*holds)(const core::Trace &trace);
};

const Claim kClaims[] = {
    {"Every token but the first gives its largest weight", isPrevious},
    {"every token but the first gives its largest weight", isPrevious},
    {"Not every token gives its largest weight",
     [](const core::Trace &trace) { return !isPrevious(trace); }},
    {"W_K is the identity here",
     [](const core::Trace &trace) { return areEqual(trace, Stage::Key, Stage::Embeddings); }},
    {"W_V is the identity",
     [](const core::Trace &trace) { return areEqual(trace, Stage::Value, Stage::Embeddings); }},
    {"W_K is not the identity",
     [](const core::Trace &trace) { return !areEqual(trace, Stage::Key, Stage::Embeddings); }},
    {"Which word comes first does not change",
     [](const core::Trace &trace) {
         const core::SharedMatrix before = trace.stage(Stage::Scores).matrix(0, 0);
         const core::SharedMatrix after = trace.stage(Stage::ScaledScores).matrix(0, 0);
         return (before(1, 0) > before(1, 1)) == (after(1, 0) > after(1, 1)) &&
                std::abs(std::sqrt(2.0f) * (after(1, 0) - after(1, 1)) -
                         (before(1, 0) - before(1, 1))) < 1e-4f;
     }},
    {"bank has been pulled towards money",
     [](const core::Trace &trace) {
         return trace.stage(Stage::Context).matrix(0, 0)(1, 0) >
                trace.stage(Stage::Value).matrix(0, 0)(1, 0);
     }},
    {"After it there are two",
     [](const core::Trace &trace) {
         const auto contextOfBank = [&trace](Index sequence) {
             const Index bank = core::tokenCalled("bank", trace.batch(), sequence);
             return trace.stage(Stage::Context).matrix(sequence, 0)(bank, 0);
         };
         return contextOfBank(0) != contextOfBank(1);
     }},
    {"is set to",
     [](const core::Trace &trace) { return !trace.input().interventions.scores.empty(); }},
    {"The rows are the same in every column",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::Weights).matrix(0, 0);
         const Index a = core::tokenCalled("bank", trace.batch(), 0);
         const Index b = core::tokenCalled("bank#2", trace.batch(), 0);
         return std::ranges::equal(weights.row(a), weights.row(b));
     }},
    {"lies furthest to the right",
     [](const core::Trace &trace) {
         const core::SharedMatrix scores = trace.stage(Stage::Scores).matrix(0, 0);
         return largestAt(scores.row(9)) == 8;
     }},
    {"head 0 is silenced",
     [](const core::Trace &trace) { return isZero(trace.stage(Stage::Context).matrix(0, 0)); }},
    {"Head 0 is not silenced",
     [](const core::Trace &trace) { return !isZero(trace.stage(Stage::Context).matrix(0, 0)); }},
    {"nobody else writes it",
     [](const core::Trace &trace) {
         const Index on = core::tokenCalled("on", trace.batch(), 0);
         return trace.stage(Stage::Output).matrix(0)(on, 7) == 0;
     }},
    {"has jumped over the",
     [](const core::Trace &trace) {
         const Index on = core::tokenCalled("on", trace.batch(), 0);
         const core::SharedMatrix weights = trace.stage(Stage::Weights).matrix(0, 1);
         return largestAt(weights.row(on)) == on + 2;
     }},
    {"Here every key is hidden from green",
     [](const core::Trace &trace) {
         return trace.mask(0).seesNothing(core::tokenCalled("green", trace.batch(), 0));
     }},
    {"I sees only itself",
     [](const core::Trace &trace) { return trace.stage(Stage::Weights).matrix(0, 0)(0, 0) == 1; }},
    {"Its row no longer adds up to 1",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::Weights).matrix(0, 0);
         const auto row = weights.row(0);
         return std::accumulate(row.begin(), row.end(), 0.0) < 0.999;
     }},
};

QByteArray where(const Document &document) {
    return QString("%1, step %2: %3\nstruck: %4")
        .arg(document.source())
        .arg(document.state().lessonStep)
        .arg(visible(document), struckOut(document))
        .toUtf8();
}

void checkTexts(Document &document) {
    QVERIFY(test::settled(document));
    const core::Trace &trace = *document.trace();
    const QString said = visible(document);
    for (const QChar sign : QString("…{}*"))
        QVERIFY2(!said.contains(sign) && !struckOut(document).contains(sign), where(document));
    QVERIFY2(!said.contains(" ,") && !said.contains(" .") && !said.contains("..") &&
                 !said.contains(", ,") && !said.contains("()"),
             where(document));
    for (const Claim &claim : kClaims)
        if (said.contains(claim.words))
            QVERIFY2(claim.holds(trace), claim.words + ("\n" + where(document)));
    // No word of the lesson's own text that is not there any more.
    const ui::DocumentState base = ui::baseAt(document.session(), document.state().lessonStep);
    QSet<QString> gone = wordsOf(base.input) - wordsOf(document.state().input);
    if (document.state().model.vocabulary)
        gone.clear(); // the text is about the words that the model knows
    static const QRegularExpression struck("<s>.*?</s>"), named("<em>([^<]*)</em>");
    for (const auto &match : named.globalMatch(paragraphs(document).join('\n').remove(struck)))
        QVERIFY2(!gone.contains(match.captured(1)),
                 match.captured(1).toUtf8() + " is gone\n" + where(document));
}

} // namespace

class LessonTriesTest : public QObject {
    Q_OBJECT

  private slots:
    void everyTryItIsTried() {
        for (const QString &id : ui::lessonIds() + QStringList{ui::translationExample()}) {
            const core::Result<core::Session> session = ui::readLesson(id);
            QVERIFY(session.ok());
            for (Index step = 0; step < std::ssize(session->lesson->steps); ++step) {
                const bool hasOne =
                    !session->lesson->steps[static_cast<std::size_t>(step)].tryIt.empty();
                const std::vector<Try> all = tries();
                const bool isTried = std::ranges::any_of(
                    all, [&](const Try &each) { return each.lesson == id && each.step == step; });
                QVERIFY2(hasOne == isTried, qPrintable(QString("%1, step %2").arg(id).arg(step)));
            }
        }
    }

    void whatIsSaidIsSo_data() {
        QTest::addColumn<int>("index");
        const std::vector<Try> all = tries();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(qPrintable(all[i].lesson + ": " + all[i].name)) << static_cast<int>(i);
    }

    void whatIsSaidIsSo() {
        QFETCH(int, index);
        const Try tried = tries()[static_cast<std::size_t>(index)];
        Document document;
        document.open(test::opened(tried.lesson, tried.step));
        QVERIFY(test::settled(document));
        QVERIFY(struckOut(document).isEmpty());
        checkTexts(document);
        tried.act(document);
        checkTexts(document);
        for (const QString &words : tried.said)
            QVERIFY2(visible(document).contains(words), qPrintable(words + "\n" + where(document)));
        for (const QString &words : tried.struck)
            QVERIFY2(!visible(document).contains(words),
                     qPrintable(words + "\n" + where(document)));
        // Whoever goes on keeps the change, in whichever step.
        const auto count = std::ssize(document.session().lesson->steps);
        for (Index step = 0; step < count; ++step) {
            QVERIFY(document.goToStep(step).ok());
            checkTexts(document);
        }
        // And Reset gives the lesson back, whatever was tried.
        QVERIFY(document.resetEdits().ok());
        QVERIFY(test::settled(document));
        QVERIFY2(struckOut(document).isEmpty(), where(document));
        QVERIFY(!document.isEdited());
    }
};

HEADLIGHT_GUILESS_TEST(LessonTriesTest)
#include "tst_lesson_tries.moc"
