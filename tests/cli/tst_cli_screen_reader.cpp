// The running window as a screen reader sees it over the accessibility bus (AT-SPI): the words, the
// answer and the filmstrip are lists, and the close-up is a table. Needs a screen and a session
// bus.
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusInterface>
#include <QDBusReply>
#include <QProcess>
#include <QtTest>

namespace {

const QString kBus = QStringLiteral("accessibility");
const QString kAtSpi = QStringLiteral("org.a11y.atspi.");

/// An object of the accessibility bus.
struct Item {
    QString service;
    QString path;

    /// Reads the next item of a reply.
    static Item from(const QDBusArgument &reply) {
        Item item;
        QDBusObjectPath at;
        reply.beginStructure();
        reply >> item.service >> at;
        reply.endStructure();
        item.path = at.path();
        return item;
    }

    QDBusMessage call(const QString &interface, const QString &method,
                      const QVariantList &arguments = {}) const {
        QDBusMessage asked =
            QDBusMessage::createMethodCall(service, path, kAtSpi + interface, method);
        asked.setArguments(arguments);
        return QDBusConnection(kBus).call(asked);
    }
    QVariant property(const QString &interface, const QString &name) const {
        QDBusMessage asked = QDBusMessage::createMethodCall(
            service, path, QStringLiteral("org.freedesktop.DBus.Properties"),
            QStringLiteral("Get"));
        asked.setArguments({kAtSpi + interface, name});
        const QDBusReply<QDBusVariant> got = QDBusConnection(kBus).call(asked);
        return got.isValid() ? got.value().variant() : QVariant();
    }
    QString name() const { return property("Accessible", "Name").toString(); }
    QString role() const {
        return call("Accessible", "GetRoleName").arguments().value(0).toString();
    }
    std::vector<Item> children() const {
        std::vector<Item> found;
        const QDBusMessage reply = call("Accessible", "GetChildren");
        if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty())
            return found;
        const auto list = reply.arguments().first().value<QDBusArgument>();
        list.beginArray();
        while (!list.atEnd())
            found.push_back(from(list));
        list.endArray();
        return found;
    }
    /// Returns the first descendant of this role whose name ends with `name`.
    std::optional<Item> find(const QString &role, const QString &name) const {
        for (const Item &child : children()) {
            if (child.role() == role && child.name().endsWith(name))
                return child;
            if (child.role() == QStringLiteral("table"))
                continue; // not searched: it has thousands of cells
            if (const auto found = child.find(role, name))
                return found;
        }
        return std::nullopt;
    }
};

} // namespace

class CliScreenReaderTest : public QObject {
    Q_OBJECT

    QProcess m_window;

    static Item desktop() {
        return {kAtSpi + "Registry", QStringLiteral("/org/a11y/atspi/accessible/root")};
    }
    std::optional<Item> window() {
        for (const Item &program : desktop().children())
            if (const auto found = program.find("frame", "Headlight"))
                return found;
        return std::nullopt;
    }

  private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("DISPLAY") || !QDBusConnection::sessionBus().isConnected())
            QSKIP("no screen (Xvfb) or no session bus (dbus-run-session)");
        QDBusInterface bus("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus");
        const QDBusReply<QString> address = bus.call("GetAddress");
        if (!address.isValid())
            QSKIP("no accessibility bus (at-spi2-core)");
        QVERIFY(QDBusConnection::connectToBus(address.value(), kBus).isConnected());
        QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
        surroundings.insert("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
        m_window.setProcessEnvironment(surroundings);
        m_window.start(HEADLIGHT_PROGRAM, {"bank", "--stage", "weights", "--query", "1"});
        QVERIFY(test::started(m_window));
        QVERIFY(test::until([&] { return window().has_value(); }));
    }
    void cleanupTestCase() {
        m_window.terminate();
        (void)test::finished(m_window);
    }

    void theWordsAreAList() {
        std::optional<Item> words;
        QVERIFY(test::until([&] {
            words = window()->find("list", "Words");
            return words && words->children().size() >= 2;
        }));
        const std::vector<Item> items = words->children();
        QCOMPARE(items[0].role(), QString("list item"));
        QVERIFY2(items[0].name().startsWith("money, "), qPrintable(items[0].name()));
    }

    void theFilmstripIsAList() {
        const auto stages = window()->find("list", "Stages");
        QVERIFY(stages);
        QStringList names;
        for (const Item &item : stages->children()) {
            QCOMPARE(item.role(), QString("list item"));
            names << item.name();
        }
        QVERIFY2(names.contains("scores"), qPrintable(names.join(", ")));
        QVERIFY(names.contains("attention weights"));
    }

    void theAnswerIsAList() {
        std::optional<Item> answer;
        QVERIFY(test::until([&] {
            answer = window()->find("list", "Answer");
            return answer && !answer->children().empty();
        }));
        const Item other = answer->children().front(); // the word that "bank" becomes more like
        QCOMPARE(other.role(), QString("list item"));
        QVERIFY2(other.name().startsWith("bank and money: cosine 0.77"), qPrintable(other.name()));
        const QString description = answer->property("Accessible", "Description").toString();
        QVERIFY2(description.contains("becomes more like"), qPrintable(description));
    }

    void theCloseUpIsATable() {
        const auto table = window()->find("table", "Close-up");
        QVERIFY(table);
        QCOMPARE(table->property("Table", "NRows").toInt(), 2);
        QCOMPARE(table->property("Table", "NColumns").toInt(), 2);
        const QDBusMessage reply = table->call("Table", "GetAccessibleAt", {1, 0});
        QCOMPARE(reply.type(), QDBusMessage::ReplyMessage);
        const Item cell = Item::from(reply.arguments().first().value<QDBusArgument>());
        QVERIFY2(cell.name().startsWith("bank attends to money: 0.7"), qPrintable(cell.name()));
    }
};

HEADLIGHT_GUILESS_TEST(CliScreenReaderTest)
#include "tst_cli_screen_reader.moc"
