// Events from outside the windows: the clipboard, drag and drop, the desktop's settings, and other
// programs that write open files.
#include "tests/monkey/events.h"
#include "tests/monkey/monkey.h"
#include "tests/monkey/places.h"
#include "tests/monkey/words.h"
#include "tests/support/dragging.h"
#include "ui/views/figure_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>

namespace headlight::test {

namespace {

bool isAnythingOpen() {
    return QApplication::activePopupWidget() || QApplication::activeModalWidget();
}

/// Returns the widgets that accept a paste and can be clicked: the text field, the editor's table,
/// the figure.
QList<QWidget *> readers(const ui::MainWindow &window) {
    QList<QWidget *> found{window.currentView()};
    for (QWidget *widget : window.findChildren<QWidget *>())
        if (!widget->visibleRegion().isEmpty() && widget->isEnabled() &&
            (widget->objectName() == "text" || widget->inherits("headlight::ui::NumberTableView")))
            found << widget;
    return found;
}

} // namespace

void Monkey::paste(Dice &dice) {
    const QString text = someBlock(dice, writesNan());
    say("paste " + text.simplified().left(80));
    gives(text);
    QApplication::clipboard()->setText(text);
    if (ui::MainWindow *window = newestWindow(); window && !isAnythingOpen() && dice.outOf(2)) {
        QWidget *reader = dice.of(readers(*window));
        say("into " + reader->objectName());
        reader->setFocus();
    }
    press(QKeySequence(QKeySequence::Paste));
    if (dice.outOf(3))
        press(QKeySequence(Qt::Key_Return));
}

/// Drops files of all kinds, several at once, paths that are not files, and text.
void Monkey::drop(Dice &dice) {
    ui::MainWindow *window = newestWindow();
    if (!window || isAnythingOpen())
        return;
    QMimeData data;
    if (dice.outOf(4)) {
        const QString text = someBlock(dice, writesNan());
        say("drop the text " + text.simplified().left(80));
        gives(text);
        data.setText(text);
    } else if (dice.outOf(6)) {
        static const QStringList addresses{
            "http://example.org/model.safetensors", "file://elsewhere/model.safetensors",
            "file:///nowhere/at/all.headlight", "mailto:a@b", "file:///a%00b"};
        const QString address = dice.of(addresses);
        say("drop " + address);
        data.setUrls({QUrl(address)});
    } else {
        const QDir folder(m_folder);
        const QStringList names = folder.entryList(
            QDir::Files | QDir::Dirs | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
        QList<QUrl> urls;
        for (int i = dice.outOf(8) ? 2 : 1; i > 0; --i) {
            const QString name = dice.outOf(5) ? QString("llama") : dice.of(names);
            say("drop " + name);
            urls << QUrl::fromLocalFile(folder.filePath(name));
        }
        data.setUrls(urls);
    }
    dragOnto(*window, dice.outOf(2) ? QPoint(50, 50) : somewhere(*window, dice), data);
}

void Monkey::resize(Dice &dice) {
    const QPointer<QWidget> window = target(dice);
    if (!window || window->inherits("QMenu"))
        return;
    const bool isMain = window->inherits("headlight::ui::MainWindow");
    const int width = isMain ? dice.between(600, 1920) : dice.between(200, 1400);
    const int height = isMain ? dice.between(400, 1200) : dice.between(150, 1000);
    say(QString("resize to %1 × %2").arg(width).arg(height));
    window->resize(width, height);
}

/// Sets a text size from 100 to 195 %.
void Monkey::textSize(Dice &dice) {
    const int larger = dice.below(4);
    say(QString("text %1 × larger").arg(larger));
    press(QKeySequence("Ctrl+Shift+0"));
    for (int i = 0; i < larger; ++i)
        press(QKeySequence("Ctrl+Shift+="));
}

void Monkey::theme(Dice &dice) {
    ui::MainWindow *window = newestWindow();
    if (!window)
        return;
    static const QList<ui::Theme> all{ui::Theme::System, ui::Theme::Light, ui::Theme::Dark};
    const ui::Theme theme = dice.of(all);
    say("theme " + ui::nameOf(theme));
    window->setTheme(theme);
}

/// Changes the locale as the desktop's settings do for running programs. LC_ALL is set per round.
void Monkey::locale(Dice &dice) {
    static const QList<QLocale> all{QLocale("de_DE"), QLocale::c(), QLocale("tr_TR"),
                                    QLocale("ar_EG")};
    const QLocale &locale = dice.of(all);
    say("locale " + locale.name());
    QLocale::setDefault(locale);
    QEvent event(QEvent::LocaleChange);
    QCoreApplication::sendEvent(qApp, &event);
}

void Monkey::meddle(Dice &dice) {
    QStringList open;
    for (const QWidget *widget : QApplication::topLevelWidgets())
        if (const auto *window = qobject_cast<const ui::MainWindow *>(widget)) {
            if (window->isReading()) // it is unclear which config is being read
                return say("another program waits");
            open << QDir(m_folder).absoluteFilePath(
                const_cast<ui::MainWindow *>(window)->document().source());
        }
    say(m_other.meddle(open, dice));
}

/// Accepts an offer of the message bar below the tool bar.
void Monkey::takeOffer(Dice &dice) {
    const ui::MainWindow *window = newestWindow();
    const auto *bar = window ? window->findChild<QWidget *>("messageBar") : nullptr;
    if (!bar || !bar->isVisible() || isAnythingOpen())
        return;
    QList<QPushButton *> offers;
    for (QPushButton *button : bar->findChildren<QPushButton *>())
        if (button->isVisible())
            offers << button;
    if (offers.isEmpty())
        return;
    QPushButton *offer = dice.of(offers);
    say("take the offer " + offer->text());
    offer->click();
}

} // namespace headlight::test
