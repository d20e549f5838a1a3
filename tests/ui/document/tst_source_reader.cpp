// Sources are read by a worker, which says when it starts and ends. tst_latest_job tests what is
// delivered and what is dropped.
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/source_reader.h"

#include <QThread>

using namespace headlight;
using ui::OpenedSource;
using ui::SourceReader;

class SourceReaderTest : public QObject {
    Q_OBJECT

    static ui::SourceRequest requestFor(const QString &source) {
        ui::SourceRequest request;
        request.source = source;
        return request;
    }

    /// Delivered results in order: the source or its error.
    QStringList m_taken;
    SourceReader::Take take() {
        return [this](const core::Result<OpenedSource> &opened) {
            QCOMPARE(QThread::currentThread(), thread());
            m_taken << (opened ? opened->source : QString::fromStdString(opened.error().text()));
        };
    }
    void readWhole(SourceReader &reader, const QString &source) {
        reader.read(requestFor(source), take());
        HEADLIGHT_UNTIL(!reader.isReading());
    }

  private slots:
    void init() { m_taken.clear(); }

    void readsBesideItsCaller() {
        SourceReader reader;
        QSignalSpy started(&reader, &SourceReader::started);
        QSignalSpy ended(&reader, &SourceReader::ended);
        reader.read(requestFor("cat"), take());
        QVERIFY(reader.isReading());
        QVERIFY(m_taken.isEmpty());
        QCOMPARE(started.size(), 1);
        QCOMPARE(ended.size(), 0);
        HEADLIGHT_UNTIL(!reader.isReading());
        QCOMPARE(m_taken, QStringList{"cat"});
        QCOMPARE(ended.size(), 1);
    }

    void saysWhatIsWrong() {
        SourceReader reader;
        readWhole(reader, "/nowhere/none.headlight");
        QCOMPARE(m_taken.size(), 1);
        QVERIFY2(m_taken[0].contains("none.headlight"), qPrintable(m_taken[0]));
    }

    void whatIsCancelledNeverComes() {
        SourceReader reader;
        reader.read(requestFor("bank"), take());
        QSignalSpy ended(&reader, &SourceReader::ended);
        reader.cancel();
        QVERIFY(!reader.isReading());
        QCOMPARE(ended.size(), 1);
        reader.cancel(); // nothing to cancel
        QCOMPARE(ended.size(), 1);
        readWhole(reader, "cat");
        QCOMPARE(m_taken, QStringList{"cat"});
    }
};

HEADLIGHT_GUILESS_TEST(SourceReaderTest)
#include "tst_source_reader.moc"
