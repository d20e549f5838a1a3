// Text from files is shown literally everywhere in the window. Words, title, lesson and file name
// of the session look like HTML, menu mnemonics and format placeholders.
#include "core/lesson/step_text.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/token_edits.h"
#include "ui/widgets/plain_text.h"

using namespace headlight::ui;

namespace {

const QStringList kWords{"<b>x</b>", "<h1>", "&amp;", "<img src=x.png>", "R&D", "%1%2", "[*]"};

/// Returns a transformer session of tests/data with these words.
QString hostileSession() {
    QFile file(test::sessionPath("encoder_decoder"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no session");
    QString text = QString::fromUtf8(file.readAll());
    const QStringList german{"die", "Katze", "trinkt", "Milch", "kalte", "der", "Hund"};
    const QStringList english{"the", "cat", "drinks", "cold", "milk", "dog", "sleeps"};
    text.replace(R"({"text": "the cat drinks the cold milk"})",
                 R"({"tokens": ["the", "cat", "drinks", "the", "cold", "milk"]})");
    text.replace(R"({"text": "the dog sleeps"})", R"({"tokens": ["the", "dog", "sleeps"]})");
    for (const QStringList &words : {german, english})
        for (qsizetype i = 0; i < words.size(); ++i)
            text.replace('"' + words[i] + '"', '"' + kWords[i] + '"');
    text.replace("An encoder and a decoder, as in the first transformer: English to German",
                 kWords.join(' '));
    const QString words = kWords.join(' ');
    text.replace(text.lastIndexOf('}'), 1,
                 QStringLiteral(R"(,
  "lesson": {
    "summary": "%1",
    "steps": [
      {"title": "%1", "text": ["%1", "*%2* and **%2**, {output 0 0 0}"], "try_it": "%1",
       "show": {"view": "whole"}},
      {"title": "%1", "text": ["%1"], "show": {"view": "heads"}}
    ]
  }
})")
                     .arg(words, "<h1>"));
    const QString path = QStringLiteral(HEADLIGHT_TEST_SCRATCH "/<h1>R&D[*] %1.headlight");
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly))
        qFatal("cannot write");
    out.write(text.toUtf8());
    return path;
}

/// Returns the label of the visible tooltip, or null if there is none.
QLabel *toolTip() {
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *label = qobject_cast<QLabel *>(widget);
            label && label->isVisible() && label->windowType() == Qt::ToolTip)
            return label;
    return nullptr;
}

void askForToolTip(QWidget *widget, QPoint point) {
    QHelpEvent help(QEvent::ToolTip, point, widget->mapToGlobal(point));
    QCoreApplication::sendEvent(widget, &help);
}

/// Returns the visible text of a label, whether plain or HTML.
QString shownIn(const QLabel &label) {
    const bool html = label.textFormat() == Qt::RichText ||
                      (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
    return html ? QTextDocumentFragment::fromHtml(label.text()).toPlainText() : label.text();
}

/// Checks that every & from a file is doubled in menus and buttons.
void checkKeys(const QString &text) {
    QVERIFY2(!QString(text).remove("R&&D").contains("R&D"), qPrintable(text));
    QVERIFY2(!QString(text).remove("&&amp;").contains("&amp;"), qPrintable(text));
}

/// Checks that the text was neither escaped twice nor changed by placeholders.
void checkWhole(const QString &text) {
    QVERIFY2(!text.contains("&lt;") && !text.contains("&#") && !text.contains("&amp;amp;"),
             qPrintable(text));
}

} // namespace

class PlainTextTest : public test::CleanTest {
    Q_OBJECT

    static void checkWidgets(const QWidget &window) {
        for (const QLabel *label : window.findChildren<QLabel *>()) {
            if (label->isVisible() && label->textFormat() != Qt::RichText)
                QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
            checkWhole(shownIn(*label));
            if (label->buddy())
                checkKeys(label->text());
        }
        for (const QAbstractButton *button : window.findChildren<QAbstractButton *>())
            checkKeys(button->text());
        for (const QAction *action : window.findChildren<QAction *>())
            checkKeys(action->text());
        for (const QGroupBox *box : window.findChildren<QGroupBox *>())
            checkKeys(box->title());
        for (const QTabBar *tabs : window.findChildren<QTabBar *>())
            for (int i = 0; i < tabs->count(); ++i)
                checkKeys(tabs->tabText(i));
    }

    /// Checks the tooltips of every widget and of its items. Returns their number.
    static int checkToolTips(const QWidget &window) {
        int seen = 0;
        const auto check = [&seen](QWidget *widget, QPoint point) {
            askForToolTip(widget, point);
            const QLabel *tip = toolTip();
            if (!tip)
                return;
            QVERIFY2(tip->textFormat() == Qt::PlainText, qPrintable(tip->text()));
            QVERIFY2(!tip->text().startsWith(QStringLiteral("<p>")), qPrintable(tip->text()));
            checkWhole(tip->text());
            ++seen;
        };
        for (QWidget *widget : window.findChildren<QWidget *>()) {
            if (!widget->isVisible())
                continue;
            check(widget, widget->rect().center());
            if (const auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->model())
                for (int row = 0; row < std::min(12, view->model()->rowCount()); ++row)
                    check(view->viewport(),
                          view->visualRect(view->model()->index(row, 0)).center());
        }
        return seen;
    }

  private slots:
    void everyWidgetShowsItAsItIs() {
        WindowFixture fixture(hostileSession(), "close-up");
        for (QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            dock->show();
        // Makes an edit, so that the undo list and the menus contain a word.
        Document &document = fixture.document();
        QVERIFY(document.apply(edits::changeToken(document.state(), {0, 0, 2}, "R&D")).ok());
        fixture.settle();
        for (const char *view :
             {"close-up", "whole", "heads", "similarity", "geometry", "output", "words"}) {
            fixture.window.showView(view);
            for (const core::Stage stage : {core::Stage::AttentionWeights, core::Stage::Query}) {
                test::select(document, {.stage = stage,
                                        .query = 2,
                                        .key = stage == core::Stage::AttentionWeights
                                                   ? std::optional<core::Index>(1)
                                                   : std::nullopt,
                                        .dimension = 0});
                QCoreApplication::processEvents();
                checkWidgets(fixture.window);
            }
            QVERIFY(checkToolTips(fixture.window) > 10);
        }
        for (QMenu *menu : fixture.window.findChildren<QMenu *>()) {
            emit menu->aboutToShow();
            for (const QAction *action : menu->actions())
                checkKeys(action->text());
        }
        QVERIFY(test::says(document.undoStack().undoText(), "R&D"));
    }

    /// The status bar and the tooltip show every word completely.
    void everyWordIsSaidWhole() {
        WindowFixture fixture(hostileSession(), "close-up");
        fixture.window.resize(1280, 1000); // the whole matrix is visible
        fixture.settle();
        FigureView *view = fixture.view();
        core::Selection selection = fixture.document().selection();
        selection.setAttention({0, core::Block::SelfAttention, core::Stack::Decoder});
        selection.stage = core::Stage::Scores;
        fixture.document().select(selection);
        QCoreApplication::processEvents();
        (void)view->figure();
        QSet<QString> missing{"<s>", "<b>x</b>", "<h1>", "&amp;", "<img\u2423src=x.png>", "R&D"};
        QSet<QString> untold = missing;
        QSignalSpy hovered(view, &FigureView::hovered);
        // Hovers over the labels and the cells, whose hover texts contain the labels of both axes.
        const HeatmapGeometry large =
            static_cast<CloseUpView *>(view)->places().picture.result.cells;
        std::vector<QPointF> points;
        for (core::Index row = 0; row < large.rows; ++row) {
            points.push_back(large.rowLabel(row).center());
            for (core::Index column = 0; column < large.columns; ++column)
                points.push_back(large.cellRect(row, column).center());
        }
        for (QPointF point : points) {
            point *= view->shrink();
            hovered.clear();
            test::moveMouse(*view, point);
            const QString words = hovered.isEmpty() ? QString() : hovered[0][0].toString();
            QVERIFY(!words.isEmpty());
            checkWhole(words);
            missing.removeIf([&](const QString &word) { return words.contains(word); });
            if (untold.isEmpty())
                continue;
            askForToolTip(view, point.toPoint());
            const QLabel *tip = toolTip();
            QVERIFY(tip);
            QCOMPARE(tip->text(), words);
            QVERIFY(tip->textFormat() == Qt::PlainText);
            untold.removeIf([&](const QString &word) { return words.contains(word); });
        }
        QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.values()).join(' ')));
        QVERIFY2(untold.isEmpty(), qPrintable(QStringList(untold.values()).join(' ')));
    }

    void aWordLikeAPlaceInAFormatStaysWhole() {
        WindowFixture fixture(hostileSession(), "heads");
        for (QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            dock->show();
        fixture.find<QDockWidget>("inspectorDock")->show(); // only one panel can be open
        Document &document = fixture.document();
        QVERIFY(document.apply(edits::changeToken(document.state(), {0, 0, 2}, "%1%2")).ok());
        fixture.settle();
        QVERIFY(test::says(document.undoStack().undoText(), "%1%2"));
        for (const core::Stage stage : {core::Stage::AttentionWeights, core::Stage::Context}) {
            fixture.select({.stage = stage, .query = 2, .key = 2});
            QCoreApplication::processEvents();
            const auto *headline = fixture.find<QLabel>("inspectorHeadline");
            QVERIFY2(shownIn(*headline).contains("%1%2"), qPrintable(headline->text()));
            const QString cell = fixture.view()->wordsOf({2, 2});
            QVERIFY(test::says(cell, "%1%2"));
        }
    }

    void theTitleIsTheFilesAndTheSessions() {
        WindowFixture fixture(hostileSession(), "close-up");
        const QString title = fixture.window.windowHandle()->title();
        QVERIFY(test::says(title, "<h1>R&D[*] %1.headlight"));
        QVERIFY2(title.contains(kWords.join(' ')), qPrintable(title));
    }

    void theLessonIsItsText() {
        WindowFixture fixture(hostileSession(), "close-up");
        const auto *lesson = fixture.find<QTextBrowser>("lessonText");
        const QString shown = lesson->toPlainText();
        QVERIFY2(shown.count(kWords.join(' ')) == 3, qPrintable(shown)); // title, text and try it
        QVERIFY(test::says(shown, "<h1> and <h1>, "));
        QVERIFY(!shown.contains(QChar::ObjectReplacementCharacter)); // placeholder of an image
    }

    void messagesAndDialogsShowItAsItIs() {
        showTextAsItIs();
        showTextAsItIs();
        QMessageBox box(QMessageBox::Warning, "t", kWords.join(' '));
        box.setInformativeText(kWords.join(' '));
        box.show();
        QProgressDialog progress(kWords.join(' '), "c", 0, 3);
        progress.show();
        int found = 0;
        for (const QWidget *window :
             {static_cast<QWidget *>(&box), static_cast<QWidget *>(&progress)})
            for (const QLabel *label : window->findChildren<QLabel *>())
                if (label->text() == kWords.join(' ')) {
                    QVERIFY(label->textFormat() == Qt::PlainText);
                    ++found;
                }
        QCOMPARE(found, 3);
        QLabel rich;
        rich.setTextFormat(Qt::RichText);
        rich.show();
        QVERIFY(rich.textFormat() == Qt::RichText); // set explicitly
    }

    /// Converts many texts to the lesson's HTML and back.
    void everyLessonTextIsShownAsItIs() {
        const QStringList parts{"<",        ">",
                                "&",        "<b>",
                                "</b>",     "<img src='file:///x'>",
                                "&lt;",     "&#60;",
                                "<!--",     "-->",
                                "<style>",  "\"",
                                "'",        "a",
                                " ",        "é",
                                "<script>", "]]>",
                                "&amp;",    "<a href='x'>",
                                "%1",       "</p>",
                                "{",        "}"};
        core::Random random(11);
        for (int i = 0; i < 1000; ++i) {
            QString text;
            for (int j = 0; j < 12; ++j)
                text += parts[static_cast<qsizetype>(random.next() %
                                                     static_cast<std::uint64_t>(parts.size()))];
            const QString html =
                QString::fromStdString(core::stepTextToHtml(text.toStdString(), nullptr));
            const QString shown = QTextDocumentFragment::fromHtml(html).toPlainText();
            // Braces become numbers, and white space is collapsed.
            if (text.contains('{'))
                QVERIFY2(!html.contains("<b") && !html.contains("<i") && !html.contains("<s"),
                         qPrintable(html));
            else
                QCOMPARE(shown.simplified(), text.simplified());
        }
    }
};

HEADLIGHT_WIDGET_TEST(PlainTextTest)
#include "tst_plain_text.moc"
