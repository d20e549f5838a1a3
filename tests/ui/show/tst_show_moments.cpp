// The sentences of the show for a class: every number is the trace's, and false claims are
// replaced.
#include "core/lesson/step_text.h"
#include "tests/ui/show/show_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/output/output_content.h"
#include "ui/strip/strip_content.h"
#include "ui/text/number_text.h"

#include <QRegularExpression>

using core::Stage;
using test::momentOf;
using test::momentsOfText;
using test::sentenceWith;
using test::stateOfSentence;

namespace {

const QStringList kLastWordsShown{"tired", "crowded", "wide"};

/// Returns the state with the queries of these heads multiplied by `factor`.
ui::DocumentState withQueries(const ui::DocumentState &state, core::Index layer,
                              std::optional<core::Index> head, float factor) {
    const ui::MatrixId id{
        ui::MatrixId::Kind::Parameter, {{layer}, core::ParameterKind::Query}, head, 0};
    const ui::MatrixNumbers now = numbersOf(state, id);
    core::Matrix changed(now.view.rows, now.view.columns);
    for (core::Index row = 0; row < changed.rows(); ++row)
        for (core::Index column = 0; column < changed.columns(); ++column)
            changed(row, column) = factor * now.view(row, column);
    return test::valueOf(ui::edits::setMatrix(state, id, changed, "changed")).state();
}

ui::DocumentState withoutLayer(const ui::DocumentState &state) {
    return test::valueOf(ui::edits::setHeads(state, {ui::kShownLayer}, core::HeadState::Zero))
        .state();
}

ui::ShowMoments momentsOfStates(const ui::DocumentState &first, const ui::DocumentState &second) {
    return ui::ShowMoments(test::valueOf(ui::showRunsOf(first, second)));
}

/// Returns the text of docs/opening-show.md: every moment for each of the three words.
QString tableOfMoments() {
    QString text =
        "# The show for a class\n\n"
        "`F11` on the start page shows its question in twelve moments, ten seconds each. This page "
        "lists what they say\nand the numbers behind it, for the three sentences of the start "
        "page. "
        "`tst_show_moments` writes it from the\nmodel and fails if it is out of date.\n\n"
        "A sentence that does not hold for the numbers is replaced: "
        "`ui/window/start/show/moments.cpp` "
        "has both. *Holds*\nsays whether the planned claim holds.\n\n"
        "![The twelve moments, for the sentence that ends with "
        "tired](pictures/opening-show.png)\n";
    for (const QString &word : kLastWordsShown) {
        text += QString("\n## %1\n\n| s | sentence | holds | head | cell | number |\n"
                        "|---|---|---|---|---|---|\n")
                    .arg(sentenceWith(word));
        const ui::ShowMoments show = momentsOfText(sentenceWith(word));
        for (const ui::Moment &moment : show.all()) {
            QStringList heads, cells, numbers;
            for (const ui::MomentNumber &number : moment.numbers) {
                const bool isAnswer = number.place.stage == Stage::Probabilities;
                const auto &interventions = number.run->input().interventions;
                const QString silent = interventions.heads.size() > 1 ? ", no head"
                                       : !interventions.heads.empty() ? ", without head 0"
                                                                      : "";
                heads << (isAnswer ? "answer" + silent
                                   : QString("layer %1, head %2")
                                         .arg(number.place.layer)
                                         .arg(number.place.head));
                cells << QString("%1 (%2, %3)")
                             .arg(number.what)
                             .arg(*number.place.query)
                             .arg(*number.place.key);
                numbers << (isAnswer ? ui::percentText(number.value)
                                     : ui::numberText(number.value, 3));
            }
            text += QString("| %1 | %2 | %3 | %4 | %5 | %6 |\n")
                        .arg(QString::number(moment.seconds), moment.sentence,
                             moment.holds ? "yes" : "no", heads.join("<br>"), cells.join("<br>"),
                             numbers.join("<br>"));
        }
    }
    return text;
}

} // namespace

class ShowMomentsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyNumberIsTheTraces_data() { test::addRows("word", kLastWordsShown); }

    void everyNumberIsTheTraces() {
        QFETCH(QString, word);
        const ui::ShowMoments show = momentsOfText(sentenceWith(word));
        QCOMPARE(show.all().size(), std::size_t(12));
        int numbers = 0;
        for (const ui::Moment &moment : show.all())
            for (const ui::MomentNumber &number : moment.numbers) {
                ++numbers;
                const core::Tensor tensor =
                    number.run->stage(number.place.stage, number.place.attention());
                QVERIFY(!tensor.isNull());
                core::Index column = *number.place.key;
                if (number.place.stage == Stage::Probabilities)
                    column = *number.run->model().vocabulary->idOf(
                        number.run->batch()[0].tokens[static_cast<std::size_t>(column)].text);
                QCOMPARE(number.value, static_cast<double>(tensor.matrix(0, number.place.head)(
                                           *number.place.query, column)));
            }
        QVERIFY(numbers >= 15);
        // The show's traces equal those of the sentences.
        const core::TracePointer own = test::passOf(stateOfSentence(sentenceWith(word)));
        QVERIFY(own->stage(Stage::Probabilities).values() ==
                show.runs().first->stage(Stage::Probabilities).values());
        QCOMPARE(show.runs().withoutHead->input().interventions.heads.size(), std::size_t(1));
        QCOMPARE(show.runs().withoutHeads->input().interventions.heads.size(), std::size_t(2));
    }

    void theNumbersAreInTheSentences() {
        const ui::ShowMoments show = momentsOfText(sentenceWith("tired"));
        const auto valueOf = [&](MomentKind kind, std::size_t number) {
            return momentOf(show, kind).numbers[number].value;
        };
        QVERIFY(test::says(momentOf(show, MomentKind::Score).sentence,
                           {"*it*", "*street*", ui::numberText(valueOf(MomentKind::Score, 0), 2)}));
        QVERIFY(test::says(momentOf(show, MomentKind::Softmax).sentence,
                           ui::percentText(valueOf(MomentKind::Softmax, 0))));
        QVERIFY(test::says(momentOf(show, MomentKind::Layers).note,
                           {ui::numberText(valueOf(MomentKind::Layers, 0), 2),
                            ui::numberText(11 * valueOf(MomentKind::Layers, 0), 1),
                            ui::numberText(valueOf(MomentKind::Layers, 1), 2)}));
        QVERIFY(test::says(show.weightNote(1), {"*animal*", "0.91 above", "0.00 below"}));
        QVERIFY(test::says(show.weightNote(10), {"*tired*", "*crowded*"}));
    }

    void everyClaimHoldsForTheWordsOfTheStartPage_data() { test::addRows("word", kLastWordsShown); }

    void everyClaimHoldsForTheWordsOfTheStartPage() {
        QFETCH(QString, word);
        const ui::ShowMoments show = momentsOfText(sentenceWith(word));
        for (const ui::Moment &moment : show.all())
            QVERIFY2(moment.holds || moment.kind == MomentKind::Silence ||
                         moment.kind == MomentKind::Layers,
                     qPrintable(moment.sentence));
        // If "it" reads another word, too, the sentence names it.
        const ui::Moment &layers = momentOf(show, MomentKind::Layers);
        const auto row = show.second().row(Stage::AttentionWeights, 0, show.readingHead());
        const core::Index strongest = ui::indexOfLargest(row);
        QCOMPARE(layers.holds, strongest == show.second().last());
        QVERIFY(
            test::says(layers.sentence, {show.second().word(show.second().last()),
                                         show.second().word(strongest), show.second().answer()}));
        for (core::Index key = 0; key < std::ssize(row); ++key) {
            const float weight = row[static_cast<std::size_t>(key)];
            if (key == show.second().last() || weight * static_cast<float>(row.size()) <= 2)
                continue;
            QVERIFY(test::says(layers.sentence, {'*' + show.second().word(key) + '*',
                                                 '(' + ui::weightText(weight) + ')'}));
        }
        const core::Index other = 1 - ui::kShownHead;
        QVERIFY(test::says(momentOf(show, MomentKind::Silence).note,
                           QString("those of head %1").arg(other)));
        // The text states what silencing the head changes, which depends on the sentence.
        const ui::Moment &silence = momentOf(show, MomentKind::Silence);
        QCOMPARE(silence.holds, show.withoutHead().answer() == show.second().answer());
        QVERIFY(test::says(silence.sentence, show.withoutHead().answer()));
    }

    /// A changed matrix makes each claim false, which changes the sentence.
    void everyClaimCanFail_data() {
        test::addColumns<QString, QList<int>>({"change", "fails"});
        const auto row = [](const char *change, const QList<MomentKind> &fails) {
            QList<int> kinds;
            for (const MomentKind kind : fails)
                kinds << static_cast<int>(kind);
            QTest::newRow(change) << QString(change) << kinds;
        };
        row("the head looks away", {MomentKind::Lines, MomentKind::Layers, MomentKind::Roles,
                                    MomentKind::Score, MomentKind::Softmax});
        row("layer 0 looks at all words alike", {MomentKind::Layers});
        row("no head in layer 1", {MomentKind::Answer});
        row("the same sentence twice", {MomentKind::Change, MomentKind::Both, MomentKind::Lines});
        row("other nouns", {MomentKind::Both});
        row("the other head looks away", {MomentKind::Silence});
        row("untrained", {MomentKind::Learned});
    }

    void everyClaimCanFail() {
        QFETCH(QString, change);
        QFETCH(QList<int>, fails);
        ui::DocumentState first = stateOfSentence(sentenceWith("tired"));
        ui::DocumentState second = stateOfSentence(sentenceWith("crowded"));
        const ui::ShowMoments before = momentsOfStates(first, second);
        const auto forBoth = [&](const auto &edit) { first = edit(first), second = edit(second); };
        if (change == "the head looks away")
            forBoth([](const auto &state) {
                return withQueries(state, ui::kShownLayer, ui::kShownHead, -1);
            });
        else if (change == "layer 0 looks at all words alike")
            forBoth([](const auto &state) { return withQueries(state, 0, {}, 0); });
        else if (change == "no head in layer 1")
            forBoth(withoutLayer);
        else if (change == "the same sentence twice")
            second = first;
        else if (change == "other nouns")
            second = stateOfSentence("the dog didn't cross the road because it was too crowded");
        else if (change == "the other head looks away")
            forBoth([](const auto &state) {
                return withQueries(state, ui::kShownLayer, 1 - ui::kShownHead, -1);
            });
        else
            first.training = nullptr;
        const ui::ShowMoments after = momentsOfStates(first, second);
        for (const int kind : fails) {
            const auto index = static_cast<std::size_t>(kind);
            QVERIFY2(before.all()[index].holds, qPrintable(before.all()[index].sentence));
            QVERIFY2(!after.all()[index].holds, qPrintable(after.all()[index].sentence));
            const auto textOf = [index](const ui::ShowMoments &show) {
                return show.all()[index].sentence + show.all()[index].note;
            };
            QVERIFY2(textOf(after) != textOf(before), qPrintable(textOf(after)));
            qInfo().noquote() << after.all()[index].sentence << after.all()[index].note;
        }
    }

    void whatSilencingDoesIsComputed() {
        const ui::DocumentState first = stateOfSentence(sentenceWith("tired"));
        const ui::DocumentState second = stateOfSentence(sentenceWith("crowded"));
        const ui::ShowMoments usual = momentsOfStates(first, second);
        const core::TracePointer silent = test::passOf(withoutLayer(second));
        QCOMPARE(usual.withoutHeads().answer(), ui::ReadSentence::of(silent)->answer());
        QVERIFY(test::says(usual.sentenceWithoutHeads(), usual.withoutHeads().answer()));
        // If the second head is reversed, the first head may determine the answer without it.
        const auto other = [](const ui::DocumentState &state) {
            return withQueries(state, ui::kShownLayer, 1 - ui::kShownHead, -1);
        };
        const ui::ShowMoments alone = momentsOfStates(other(first), other(second));
        const bool stays = alone.withoutHead().answer() == alone.second().answer();
        QVERIFY(test::says(momentOf(alone, MomentKind::Silence).sentence,
                           {alone.withoutHead().answer(), stays ? "still" : "answer is"}));
    }

    void theLessonSilencesTheHeadOfTheShow_data() { test::addRows("word", kLastWordsShown); }

    /// "Silence this head" on the start page, the show and the lesson that "How does it know?"
    /// opens silence the same head, and describe the same effect.
    void theLessonSilencesTheHeadOfTheShow() {
        QFETCH(QString, word);
        const core::Selection start = test::opened("it").selection;
        QCOMPARE(start.layer, ui::kShownLayer);
        QCOMPARE(start.head, ui::kShownHead);

        const core::Session lesson = test::valueOf(ui::readLesson("who-is-it"));
        const auto &steps = lesson.lesson->steps;
        const auto step = std::ranges::find(steps, "Take a head away", &core::LessonStep::title);
        QVERIFY(step != steps.end());
        ui::SourceRequest request;
        request.source = "who-is-it";
        request.step = step - steps.begin();
        request.text = sentenceWith(word).toStdString();
        const ui::OpenedSource shown = test::valueOf(ui::openSource(request));
        const std::vector<core::HeadIntervention> &silenced = shown.state.input.interventions.heads;
        QCOMPARE(silenced.size(), std::size_t(1));
        QVERIFY(silenced.front().state == core::HeadState::Zero);
        QCOMPARE(silenced.front().layer, ui::kShownLayer);
        QCOMPARE(silenced.front().head, ui::kShownHead);
        QCOMPARE(shown.selection.layer, ui::kShownLayer);
        QCOMPARE(shown.selection.head, ui::kShownHead);

        // The show silences the head in its second sentence.
        const ui::ShowMoments show =
            momentsOfStates(stateOfSentence(sentenceWith(word == "tired" ? "crowded" : "tired")),
                            stateOfSentence(sentenceWith(word)));
        const core::TracePointer trace = test::passOf(shown.state);
        QVERIFY(trace->stage(Stage::Probabilities).values() ==
                show.runs().withoutHead->stage(Stage::Probabilities).values());
        QString said;
        for (const std::string &paragraph : step->text)
            said += QString::fromStdString(core::stepTextToHtml(paragraph, trace.get())) + ' ';
        said.remove(QRegularExpression("<s>.*?</s> ")); // the claims that do not hold
        said.replace(QRegularExpression("</?em>"), "*");
        const QStringList sentences =
            momentOf(show, MomentKind::Silence).sentence.split(QStringLiteral(". "));
        QVERIFY(sentences.size() > 1);
        for (QString sentence : sentences) {
            sentence = sentence.endsWith('.') ? sentence : sentence + '.';
            QVERIFY2(test::says(said, sentence), qPrintable(sentence + '\n' + said));
        }
    }

    void aSentenceThatCannotBeShownIsReplaced_data() {
        test::addColumns<QString, QString>({"text", "says"});
        QTest::newRow("unknown word")
            << "the zebra didn't cross the street because it was too tired"
            << "cannot read";
        QTest::newRow("no it") << "the animal didn't cross the street because the dog was too tired"
                               << "has no *it*";
        QTest::newRow("no nouns") << "because it was too tired"
                                  << "not one of two nouns";
    }

    void aSentenceThatCannotBeShownIsReplaced() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const ui::ShowMoments show = momentsOfText(text);
        QCOMPARE(show.first().words.join(' '), sentenceWith("tired"));
        QVERIFY(test::says(show.all().front().note, says));
    }

    /// While the start page is still reading the model, the show has its own sentence.
    void noSentenceIsTheShowsOwn() {
        const ui::ShowMoments show = momentsOfText({});
        QCOMPARE(show.first().words.join(' '), sentenceWith("tired"));
        QVERIFY(show.all().front().note.isEmpty());
    }

    void anOwnSentenceIsShown() {
        const QString text = "the wolf didn't follow the cat because it was too fast";
        const ui::ShowMoments show = momentsOfText(text);
        QCOMPARE(show.first().words.join(' '), text);
        QVERIFY(show.all().front().note.isEmpty());
        QCOMPARE(show.first().answer(), QString("cat"));
        QCOMPARE(show.second().answer(),
                 QString("wolf")); // the second word was chosen to change the answer
        QCOMPARE(show.second().words.size(), show.first().words.size());
        QVERIFY(show.second().words.last() != show.first().words.last());
    }

    /// docs/opening-show.md is generated from the model.
    void theDocumentIsUpToDate() {
        const QString table = tableOfMoments();
        QFile written(HEADLIGHT_TEST_SCRATCH "/opening-show.md");
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(table.toUtf8());
        written.close();
        QFile document(HEADLIGHT_DOCS "/opening-show.md");
        QVERIFY(document.open(QIODevice::ReadOnly));
        QVERIFY2(document.readAll() == table.toUtf8(),
                 qPrintable("copy " + written.fileName() + " to docs/opening-show.md"));
    }
};

HEADLIGHT_GUILESS_TEST(ShowMomentsTest)
#include "tst_show_moments.moc"
