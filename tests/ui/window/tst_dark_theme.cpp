// In the dark theme, every input field and list is dark.
#include "tests/support/most_frequent.h"
#include "tests/ui/window/window_fixture.h"

namespace {

/// Returns the lightness of the most frequent colour within `parts` of the image.
int lightnessOf(const QImage &image, const QRegion &parts) {
    QHash<QRgb, int> counts;
    for (const QRect &part : parts)
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                if (image.rect().contains(x, y))
                    ++counts[image.pixel(x, y)];
    return test::mostFrequent(counts).lightness();
}

/// Returns the lightness of the background of a widget's text. In a table, this is the area behind
/// the cells, because cell colours show numbers.
int backgroundOf(QWidget &widget) {
    QRegion parts = widget.rect().adjusted(3, 3, -3, -3);
    if (auto *view = qobject_cast<QAbstractItemView *>(&widget); view && view->model()) {
        const QPoint corner = view->viewport()->mapTo(&widget, QPoint());
        if (qobject_cast<QTableView *>(view) && view->model()->rowCount() > 0) {
            const QModelIndex last = view->model()->index(view->model()->rowCount() - 1,
                                                          view->model()->columnCount() - 1);
            parts -= QRect(corner, view->visualRect(last).bottomRight() + corner);
        }
    }
    return lightnessOf(widget.grab().toImage(), parts);
}

QString fieldName(const QWidget &widget) {
    QStringList names;
    for (const QWidget *each = &widget; each; each = each->parentWidget())
        if (!each->objectName().isEmpty())
            names.prepend(each->objectName());
    return QString("%1 %2").arg(widget.metaObject()->className(), names.join('/'));
}

/// Returns the light fields of a window. Checks the palette's base as well, which popups use.
QStringList lightFieldsIn(QWidget &window) {
    QStringList light;
    int looked = 0;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        const bool isField =
            qobject_cast<QAbstractItemView *>(widget) || qobject_cast<QLineEdit *>(widget) ||
            qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QComboBox *>(widget) ||
            qobject_cast<QPlainTextEdit *>(widget) || qobject_cast<QTextEdit *>(widget);
        if (!isField)
            continue;
        if (widget->palette().color(QPalette::Base).lightness() >= 128)
            light << fieldName(*widget) + ": its base";
        if (!widget->isVisibleTo(&window) || widget->width() < 12 || widget->height() < 12)
            continue;
        ++looked;
        if (const int lightness = backgroundOf(*widget); lightness >= 128)
            light << QString("%1: %2").arg(fieldName(*widget)).arg(lightness);
    }
    if (looked == 0)
        light << fieldName(window) + ": it has no field";
    return light;
}

} // namespace

class DarkThemeTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void everyPanelIsDark() {
        WindowFixture fixture("cat", "close-up");
        fixture.window.setTheme(ui::Theme::Dark);
        for (QDockWidget *dock : fixture.window.findChildren<QDockWidget *>()) {
            dock->show();
            dock->raise();
            fixture.settle();
            auto *pages = dock->findChild<QTabWidget *>();
            for (int page = 0; page < (pages ? pages->count() : 1); ++page) {
                if (pages)
                    pages->setCurrentIndex(page);
                QCoreApplication::processEvents();
                QCOMPARE(lightFieldsIn(fixture.window), QStringList());
            }
        }
    }

    /// The theme is selected while the panels are visible, or before that.
    void theEditorsTableIsDark_data() { test::addRows("before", std::vector<bool>{true, false}); }

    void theEditorsTableIsDark() {
        QFETCH(bool, before);
        WindowFixture fixture("cat", "close-up");
        auto *dock = fixture.find<QDockWidget>("editorDock");
        if (before)
            fixture.window.setTheme(ui::Theme::Dark);
        dock->show();
        dock->raise();
        fixture.settle();
        fixture.window.setTheme(ui::Theme::Dark);
        fixture.settle();
        auto *table = fixture.find<QTableView>("numberTable");
        const QImage image = table->grab().toImage();
        int ground = 0;
        // The table's cells have the same dark colours as the figures.
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (!table->visualRect(table->currentIndex()).contains(x, y))
                    ground += QColor(image.pixel(x, y)).lightness() > 200 ? 1 : 0;
        QVERIFY2(ground < image.width() * image.height() / 8, // only the digits are light
                 test::said("%1 of %2", ground, image.width() * image.height()));
        QVERIFY(lightnessOf(image, image.rect()) < 190);
        auto *model = table->model();
        for (int row = 0; row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column) {
                const QModelIndex cell = model->index(row, column);
                const QColor colour = cell.data(Qt::BackgroundRole).value<QBrush>().color();
                QVERIFY(colour.lightness() < 200);
                const QColor ink = cell.data(Qt::ForegroundRole).value<QBrush>().color();
                QVERIFY(ui::contrastOf(colour, ink) >= 4.5);
            }
        for (QHeaderView *header : {table->horizontalHeader(), table->verticalHeader()})
            QVERIFY(lightnessOf(header->grab().toImage(), header->rect()) < 128);
    }

    /// The button », which shows the rest of a tool bar, has the theme's colours, even after a
    /// change of theme.
    void theRestOfTheToolBarIsOffered() {
        WindowFixture fixture("cat", "close-up");
        fixture.window.resize(700, 600);
        fixture.settle();
        auto *more =
            fixture.find<QToolBar>("sourceBar")->findChild<QToolButton *>("qt_toolbar_ext_button");
        QVERIFY(more && more->isVisible());
        for (const ui::Theme theme : {ui::Theme::Dark, ui::Theme::Light, ui::Theme::Dark}) {
            fixture.window.setTheme(theme);
            fixture.settle();
            const QImage image = more->grab().toImage();
            const QColor ground = image.pixelColor(1, 1);
            double contrast = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    contrast = std::max(contrast, ui::contrastOf(ground, image.pixelColor(x, y)));
            QVERIFY2(contrast >= 4.5, test::said("%1: %2", ui::nameOf(theme), contrast));
        }
    }

    void everyDialogIsDark() {
        WindowFixture fixture("cat", "close-up");
        fixture.window.setTheme(ui::Theme::Dark);
        ui::NewSessionDialog session(&fixture.window);
        ui::NewRunDialog run(&fixture.window);
        ui::SaveFigureDialog save(*fixture.view(), &fixture.window);
        ui::GlossaryWindow glossary(&fixture.window);
        ui::KeyMap keys(*fixture.window.menuBar(), &fixture.window);
        for (QWidget *dialog :
             std::initializer_list<QWidget *>{&session, &run, &save, &glossary, &keys}) {
            dialog->show();
            (void)test::exposed(*dialog);
            QCoreApplication::processEvents();
            QCOMPARE(lightFieldsIn(*dialog), QStringList());
        }
    }
};

HEADLIGHT_WIDGET_TEST(DarkThemeTest)
#include "tst_dark_theme.moc"
