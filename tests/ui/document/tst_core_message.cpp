// Messages of the core in another language.
#include "tests/ui/document/document_fixture.h"
#include "ui/text/core_message.h"

namespace {

/// A translation of every message of the core into capitals. It may reorder the arguments.
class Capitals : public QTranslator {
  public:
    QString translate(const char *context, const char *text, const char *, int) const override {
        if (QLatin1String(context) != QLatin1String("core"))
            return {};
        if (QLatin1String(text) == QLatin1String("%1 of %2"))
            return "FROM %2, %1";
        return QString::fromUtf8(text).toUpper();
    }
    bool isEmpty() const override { return false; }
};

} // namespace

class TestCoreMessage : public QObject {
    Q_OBJECT

  private slots:
    void init() { QVERIFY(QCoreApplication::installTranslator(&m_capitals)); }
    void cleanup() { QCoreApplication::removeTranslator(&m_capitals); }

    void aSentenceIsTranslatedAndItsNamesAreNot() {
        QCOMPARE(ui::translated(core::Message("there is no word %1", std::string("bank"))),
                 QString("THERE IS NO WORD bank"));
        QCOMPARE(ui::translated(core::Message("%1 of %2", 3, 8)), QString("FROM 8, 3"));
    }

    void aSentenceWithinASentenceIsTranslated() {
        const core::Message inner("the disk is full");
        QCOMPARE(ui::translated(core::Message("not written: %1", inner)),
                 QString("NOT WRITTEN: THE DISK IS FULL"));
    }

    void whatIsTranslatedAlreadyStays() {
        QCOMPARE(ui::translated(ui::messageOf("Größe %1")), QString("Größe %1"));
    }

    void anErrorIsOneLine() {
        const core::Error error{
            {"%1 is out of range", 9}, "--head", {"give 0 to %1", std::string("the end")}};
        QCOMPARE(ui::translated(error), QString("--head: 9 IS OUT OF RANGE; GIVE 0 TO the end"));
        QCOMPARE(error.text(), std::string("--head: 9 is out of range; give 0 to the end"));
    }

    void aStrangersNameIsNotASentence() {
        // "%1" in a file's text is not a placeholder.
        QCOMPARE(ui::translated(core::Message("no %1, no %2", std::string("%2"), std::string("b"))),
                 QString("NO %2, NO b"));
    }

  private:
    Capitals m_capitals;
};

HEADLIGHT_GUILESS_TEST(TestCoreMessage)
#include "tst_core_message.moc"
