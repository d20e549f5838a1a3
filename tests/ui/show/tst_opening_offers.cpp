// The ways to begin on the start page: each of them opens, and each number on the page matches the
// built-in lessons and models.
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/start_fixture.h"
#include "ui/document/learned_model.h"
#include "ui/document/lesson_tracks.h"
#include "ui/window/lessons/lesson_map.h"
#include "ui/window/lessons/lesson_node.h"
#include "ui/window/start/show/opening_show.h"

#include <QDir>

using test::StartFixture;
using test::startPage;

namespace {

/// Ways that the page always has. A new way needs a test here.
const QSet<QString> kWays{"startHow",     "startSilence", "startWord", "startMap",  "startBirth",
                          "startLearned", "startNew",     "startOpen", "startShow", "startNever"};

/// Returns the source that the page requests when the user presses the button or the menu item.
template <typename Control>
QString requestedBy(Control &control, ui::StartPage &page) {
    QSignalSpy chosen(&page, &ui::StartPage::sourceChosen);
    if constexpr (std::is_base_of_v<QAction, Control>)
        control.trigger();
    else
        control.click();
    return chosen.size() == 1 ? chosen[0][0].toString() : QString();
}

/// Opens the source as the window does for the page.
core::Result<ui::OpenedSource> openedFromPage(const QString &source) {
    return ui::openSource(ui::requestOfRecent(source));
}

/// Returns the ids of the compiled-in files that are lessons.
QSet<QString> compiledInLessons() {
    QSet<QString> ids;
    for (const char *folder : {":/lessons", ":/lessons/learned"})
        for (const QFileInfo &file : QDir(folder).entryInfoList({"*.headlight"}, QDir::Files))
            ids << file.completeBaseName();
    return ids;
}

QSet<QString> setOf(const QStringList &list) {
    return {list.begin(), list.end()};
}

/// Closes the next modal dialog, and returns its class in `seen`.
void closeNextDialog(QTimer &timer, QByteArray &seen) {
    QObject::connect(&timer, &QTimer::timeout, &timer, [&timer, &seen] {
        if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
            timer.stop();
            seen = dialog->metaObject()->className();
            dialog->reject();
        }
    });
    timer.start(10);
}

} // namespace

class OpeningOffersTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Fails if a way is added without being tested here.
    void theWaysAreThese() {
        const StartFixture fixture;
        QSet<QString> ways;
        for (const QAbstractButton *button : startPage(fixture)->findChildren<QAbstractButton *>())
            if (button->objectName().startsWith("start"))
                ways << button->objectName();
        QCOMPARE(ways, kWays);
    }

    void everyLessonOfTheMapOpens() {
        ui::LessonMapArea area(ui::FigureStyle::light(1), ui::lessonInfos());
        QStringList offered;
        for (ui::LessonNode *node : area.nodes()) {
            QSignalSpy chosen(&area, &ui::LessonMapArea::chosen);
            node->click();
            QCOMPARE(chosen.size(), 1);
            ui::SourceRequest request;
            request.source = chosen[0][0].toString();
            request.step = chosen[0][1].toInt();
            offered << request.source;
            const auto opened = ui::openSource(request);
            QVERIFY2(test::isOk(opened), qPrintable(request.source));
            const core::Session &session = opened->session;
            QVERIFY2(session.lesson, qPrintable(request.source));
            const ui::LessonInfo &said = node->lesson();
            QCOMPARE(said.steps, static_cast<int>(session.lesson->steps.size()));
            QCOMPARE(said.minutes, static_cast<int>(session.lesson->minutes));
        }
        QCOMPARE(setOf(offered), compiledInLessons()); // none is left out
        const QSet<QString> known = setOf(offered);
        for (const ui::LessonTrack &track : ui::lessonTracks()) {
            int minutes = 0;
            for (const ui::LessonInfo &lesson : ui::lessonInfos())
                minutes += track.lessons.contains(lesson.id) ? lesson.minutes : 0;
            QCOMPARE(track.minutes, minutes);
            QVERIFY2(known.contains(setOf(track.lessons)), qPrintable(track.id));
        }
    }

    void theNumberOfLessonsIsThatOfTheFiles() {
        ui::StartPage page(nullptr);
        (void)page.grab(); // places the ways
        const QString said = test::find<QPushButton>(page, "startMap")->accessibleDescription();
        QCOMPARE(said.section(' ', 0, 0).toInt(), static_cast<int>(compiledInLessons().size()));
    }

    void everyTrainedModelOpens() {
        ui::StartPage page(nullptr);
        (void)page.grab(); // places the ways
        const QMenu *menu = test::find<QPushButton>(page, "startLearned")->menu();
        QStringList offered;
        for (QAction *action : menu->actions()) {
            const QString source = requestedBy(*action, page);
            offered << source;
            const auto opened = openedFromPage(source);
            QVERIFY2(test::isOk(opened), qPrintable(action->text()));
            const core::Session &session = opened->session;
            QCOMPARE(action->text().remove('&'), QString::fromStdString(session.title));
            // The tooltip has the numbers of the note next to the model, which are the model's own.
            const auto &models = ui::learnedModels();
            const auto said = std::ranges::find(models, source, &ui::LearnedModel::id);
            QVERIFY(said != models.end());
            QCOMPARE(action->toolTip(), ui::summaryOf(*said));
            const core::Model &model = session.model;
            QCOMPARE(said->layers, static_cast<int>(model.layerCount()));
            QCOMPARE(said->heads, static_cast<int>(model.config.heads));
            QCOMPARE(said->width, static_cast<int>(model.config.width));
            QVERIFY(session.training);
            QCOMPARE(said->steps, static_cast<int>(session.training->recipe.steps));
        }
        QCOMPARE(setOf(offered), setOf(ui::modelIds()));
    }

    /// The page does not offer a recent file that was moved or deleted.
    void everyRecentFileOpens() {
        const QTemporaryDir folder;
        const auto path = [&](const char *name) { return folder.filePath(name); };
        for (const char *name : {"oldest.headlight", "own.headlight", "gone.headlight",
                                 "lesson.headlight", "newest.headlight"}) {
            test::writeAll(path(name), ui::lessonFile("cat"));
            ui::addRecentFile(path(name));
        }
        QVERIFY(QFile::remove(path("gone.headlight")));
        ui::StartPage page(nullptr);
        QStringList offered;
        for (QPushButton *button : page.findChildren<QPushButton *>("startRecent")) {
            const QString source = requestedBy(*button, page);
            QVERIFY2(test::isOk(openedFromPage(source)), qPrintable(source));
            QCOMPARE(button->text().remove('&'), QFileInfo(source).fileName());
            offered << source;
        }
        QCOMPARE(offered, (QStringList{path("newest.headlight"), path("lesson.headlight"),
                                       path("own.headlight")}));
    }

    /// The ways that need the window, one after the other.
    void everyOtherWayOpens() {
        StartFixture fixture;
        (void)fixture.answers();
        const auto press = [&](const char *name) {
            fixture.find<QPushButton>(name)->click();
            QCoreApplication::processEvents();
            QVERIFY2(!fixture.find<QLabel>("problem")->isVisible(), qPrintable(fixture.problem()));
        };
        for (const auto &[name, dialog] : {std::pair("startNew", "headlight::ui::NewSessionDialog"),
                                           std::pair("startOpen", "QFileDialog")}) {
            QTimer timer;
            QByteArray seen;
            closeNextDialog(timer, seen);
            press(name);
            QCOMPARE(QString(seen), QString(dialog));
        }
        press("startMap");
        auto *map = fixture.find<ui::LessonMap>("lessonMap");
        QVERIFY(map->isVisible());
        map->reject();
        press("startShow");
        auto *show = fixture.window.openingShow();
        QVERIFY(show && show->isVisible());
        QVERIFY(test::until([&] { return !show->isReading(); }));
        QVERIFY(show->moments());
        show->close();
        press("startHow");
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("who-is-it"));
        QVERIFY(!fixture.find<QLabel>("problem")->isVisible());

        fixture.action("Start page")->trigger();
        QVERIFY(startPage(fixture));
        press("startBirth");
        QVERIFY(!startPage(fixture));
        QCOMPARE(fixture.view()->viewName(), QString("birth"));
        QVERIFY(fixture.document().state().training);
    }
};

HEADLIGHT_WIDGET_TEST(OpeningOffersTest)
#include "tst_opening_offers.moc"
