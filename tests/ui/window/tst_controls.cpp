// The number of controls in the window.
#include "tests/ui/window/window_fixture.h"

#include <QAbstractSpinBox>
#include <QToolButton>

using test::WindowFixture;

namespace {

/// Returns the name of the group that counts as one control; empty if the widget is none.
QString groupOf(const QWidget &widget) {
    for (const QWidget *each = &widget; each; each = each->parentWidget())
        for (const char *name : {"filmstrip"})
            if (each->objectName() == name)
                return name;
    return {};
}

/// Returns every visible, enabled widget that a click changes. Menu titles do not count.
QStringList controlsOf(const QWidget &window) {
    QStringList names;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible() || !widget->isEnabled() || widget->visibleRegion().isEmpty())
            continue;
        if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
            for (int index = 0; index < tabs->count(); ++index)
                if (tabs->isTabVisible(index))
                    names << "tab " + tabs->tabText(index);
            continue;
        }
        const auto *edit = qobject_cast<const QLineEdit *>(widget);
        const bool isPartOfAnother =
            widget->parentWidget() && (qobject_cast<QComboBox *>(widget->parentWidget()) ||
                                       qobject_cast<QAbstractSpinBox *>(widget->parentWidget()) ||
                                       qobject_cast<QTabBar *>(widget->parentWidget()));
        const bool isControl = qobject_cast<const QAbstractButton *>(widget) ||
                               qobject_cast<const QComboBox *>(widget) ||
                               qobject_cast<const QAbstractSpinBox *>(widget) ||
                               (edit && !edit->isReadOnly());
        if (!isControl || isPartOfAnother)
            continue;
        const QString group = groupOf(*widget);
        const QString name =
            widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
        names << (group.isEmpty() ? name : group);
    }
    const qsizetype frames = names.removeAll("filmstrip");
    if (frames > 0)
        names << "filmstrip";
    return names;
}

} // namespace

class ControlsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aLessonHasFew_data() { test::addRows("id", ui::lessonIds()); }
    void aLessonHasFew() {
        QFETCH(QString, id);
        ui::MainWindow window;
        window.resize(1440, 900);
        window.open(test::opened(id));
        window.show();
        QVERIFY(test::exposed(window));
        QVERIFY(test::settled(window));
        const QStringList controls = controlsOf(window);
        qInfo().noquote() << controls.size() << controls.join(", ");
        QVERIFY(controls.size() > 10); // it has found them
        QVERIFY(controls.size() <= 45);
    }
};

HEADLIGHT_WIDGET_TEST(ControlsTest)
#include "tst_controls.moc"
