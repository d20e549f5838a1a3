// Sessions, lessons and settings of former versions open in the replacements of their views, docks
// and bars.
#include "tests/ui/window/window_fixture.h"
#include "ui/window/edge_panels.h"
#include "ui/window/presenting/presentation.h"

namespace {

/// Name of Whole in former versions.
constexpr char kFormer[] = "flow";

/// Sets the former view in the member with this name, which is a selection of a session file.
void setFormerView(QJsonObject &parent, const char *name) {
    QJsonObject selection = parent[name].toObject();
    selection["view"] = kFormer;
    parent[name] = selection;
}

/// Returns the lesson about the cat with the former view as the view of the lesson.
QJsonObject formerLesson() {
    QJsonObject json = QJsonDocument::fromJson(ui::lessonFile("cat")).object();
    setFormerView(json, "view");
    return json;
}

QString writtenFormer(const QTemporaryDir &folder, const QJsonObject &json) {
    const QString path = folder.filePath("former.headlight");
    test::writeAll(path, QJsonDocument(json).toJson());
    return path;
}

/// True if the file was opened without a message.
bool opensQuietly(const WindowFixture &fixture) {
    return !fixture.find<QWidget>("messageBar")->isVisible();
}

/// Stores the layout of a window of the version with a stepper and three docks on the right.
void storeFormerLayout(bool isTabbed) {
    QMainWindow window;
    window.resize(1280, 800);
    window.setCentralWidget(new QWidget);
    const auto addBar = [&](Qt::ToolBarArea area, const char *name) {
        auto *bar = new QToolBar;
        bar->setObjectName(name);
        bar->addAction(name);
        window.addToolBar(area, bar);
        return bar;
    };
    addBar(Qt::TopToolBarArea, "sourceBar");
    addBar(Qt::BottomToolBarArea, "stepper");
    window.addToolBarBreak(Qt::BottomToolBarArea);
    addBar(Qt::BottomToolBarArea, "formulaBar")->hide();
    const auto addDock = [&](Qt::DockWidgetArea area, const char *name) {
        auto *dock = new QDockWidget(name);
        dock->setObjectName(name);
        auto *content = new QWidget;
        content->setMinimumWidth(300);
        dock->setWidget(content);
        window.addDockWidget(area, dock);
        return dock;
    };
    QDockWidget *lesson = addDock(Qt::LeftDockWidgetArea, "lessonDock");
    QDockWidget *inspector = addDock(Qt::RightDockWidgetArea, "inspectorDock");
    if (isTabbed) {
        window.tabifyDockWidget(lesson, inspector);
        inspector->raise();
    }
    addDock(Qt::RightDockWidgetArea, "editorDock");
    addDock(Qt::RightDockWidgetArea, "historyDock");
    addDock(Qt::BottomDockWidgetArea, "dockOfNoVersion");
    window.show();
    (void)test::exposed(window);
    QSettings settings;
    settings.setValue("window/state", window.saveState(1));
    settings.setValue("window/dockWidths",
                      R"([{"window": 1280, "docks": {"lessonDock": 312, "inspectorDock": 340}}])");
}

/// Returns the places of the window's parts.
QMap<QString, QRect> partsOf(const WindowFixture &fixture) {
    QMap<QString, QRect> places;
    for (const char *name : {"sourceBar", "lessonDock", "views", "formulaBar", "filmstrip"}) {
        const auto *part = fixture.find<QWidget>(name);
        if (part->isVisible())
            places[name] = QRect(part->mapTo(&fixture.window, QPoint()), part->size());
    }
    return places;
}

} // namespace

class FormerVersionsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aSessionOpensInWhole() {
        const QTemporaryDir folder;
        QJsonObject json = formerLesson();
        json.remove("lesson");
        const QString saved = folder.filePath("saved.headlight");
        {
            WindowFixture fixture("bank", "close-up");
            fixture.openSource(writtenFormer(folder, json));
            QCOMPARE(fixture.view()->viewName(), QString("whole"));
            QVERIFY(opensQuietly(fixture));
            QVERIFY(fixture.window.saveIn(saved)); // an unchanged view keeps the word of the file
        }
        WindowFixture again("bank", "close-up");
        again.openSource(saved);
        QCOMPARE(again.view()->viewName(), QString("whole"));
    }

    /// One step has the former view, and a step without a view has the view of the lesson.
    void aLessonOpensInWhole() {
        const QTemporaryDir folder;
        QJsonObject json = formerLesson();
        QJsonObject lesson = json["lesson"].toObject();
        QJsonArray steps = lesson["steps"].toArray();
        QVERIFY(steps.size() > 3);
        for (int i = 0; i < 3; ++i) {
            QJsonObject step = steps[i].toObject();
            step.remove("question");
            if (i == 0)
                step.remove("show");
            else if (i == 1)
                setFormerView(step, "show");
            steps[i] = step;
        }
        lesson["steps"] = steps;
        json["lesson"] = lesson;
        WindowFixture fixture("bank", "close-up");
        fixture.openSource(writtenFormer(folder, json));
        QVERIFY(fixture.document().session().lesson);
        QCOMPARE(fixture.view()->viewName(), QString("whole"));
        QVERIFY(opensQuietly(fixture));
        const auto *tabs = fixture.find<QTabWidget>("views");
        QVERIFY(tabs->isTabVisible(tabs->currentIndex()));
        fixture.window.showView("heads");
        fixture.goToStep(1);
        QCOMPARE(fixture.view()->viewName(), QString("whole"));
        QVERIFY(test::isAt(fixture.document().selection(), {.query = 2, .key = 1}));
        fixture.goToStep(2); // the view of this step still exists
        QCOMPARE(fixture.view()->viewName(), QString("close-up"));
        QVERIFY(opensQuietly(fixture));
        // The same is true in present mode.
        fixture.goToStep(1);
        fixture.window.present(true);
        QVERIFY(fixture.window.presentation());
        QCOMPARE(fixture.window.presentation()->currentView()->viewName(), QString("whole"));
    }

    void theTabOfTheSettingsIsWhole() {
        QSettings().setValue("window/tab", kFormer);
        {
            const ui::MainWindow window;
            QCOMPARE(window.currentView()->viewName(), QString("whole"));
        }
        QSettings().setValue("window/tab", "no such view");
        const ui::MainWindow window;
        QCOMPARE(window.currentView()->viewName(), QString("close-up"));
    }

    /// Docks that became panels over the edge take no space, and every bar has its own line. The
    /// second start reads the layout that the first one has stored.
    void aFormerLayoutBreaksNothing_data() { test::addRows("isTabbed", {false, true}); }
    void aFormerLayoutBreaksNothing() {
        QFETCH(bool, isTabbed);
        const auto withFormula = [](WindowFixture &fixture) {
            fixture.window.resize(1280, 800);
            if (!fixture.find<QWidget>("formulaBar")->isVisible())
                fixture.action("Whole formula")->trigger();
            fixture.settle();
            (void)fixture.window.grab();
            return partsOf(fixture);
        };
        QMap<QString, QRect> usual;
        {
            WindowFixture fixture("cat", "close-up");
            usual = withFormula(fixture);
            QCOMPARE(usual.size(), 5);
        }
        QSettings().clear();
        storeFormerLayout(isTabbed);
        for (const char *start : {"first", "second"}) {
            WindowFixture fixture("cat", "close-up");
            const QMap<QString, QRect> places = withFormula(fixture);
            QCOMPARE(places.keys(), usual.keys());
            for (const QString &name : places.keys()) {
                const QRect &is = places[name], &was = usual[name];
                const QByteArray words = test::said("%1, %2 start: %3,%4 %5 × %6", name, start,
                                                    is.x(), is.y(), is.width(), is.height());
                QVERIFY2(is.top() == was.top() && is.bottom() == was.bottom(), words);
                // Docks may be somewhat wider than usual.
                QVERIFY2(std::abs(is.left() - was.left()) <= 40 &&
                             std::abs(is.right() - was.right()) <= 40,
                         words);
            }
            QCOMPARE(places["views"].right(), usual["views"].right());
            QCOMPARE(places["filmstrip"].width(), usual["filmstrip"].width());
            QCOMPARE(places["formulaBar"].width(), usual["formulaBar"].width());
            // The former docks open as panels.
            const auto *panels = fixture.find<ui::EdgePanels>("edgePanels");
            QAction *inspector = fixture.find<QDockWidget>("inspectorDock")->toggleViewAction();
            QVERIFY(!panels->isVisible());
            inspector->trigger();
            fixture.settle();
            QVERIFY(panels->isVisible());
            QVERIFY(partsOf(fixture) == places);
            inspector->trigger();
            fixture.window.close();
        }
    }
};

HEADLIGHT_WIDGET_TEST(FormerVersionsTest)
#include "tst_former_versions.moc"
