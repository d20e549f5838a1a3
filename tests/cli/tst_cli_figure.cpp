// `figure`: every lesson, view and format gives a complete file of the right size, and the same
// bytes each time.
#include "picture.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QImage>

using namespace headlight::test;

class CliFigure : public QObject {
    Q_OBJECT
  private slots:
    void everyLessonViewAndFormat_data();
    void everyLessonViewAndFormat();
    void everyStep_data();
    void everyStep();
    void sizes_data();
    void sizes();
    void texts_data();
    void texts();
    void aWordOfAThousandLetters();
    void standardOutput();
    void formatGoesBeforeExtension();
    void aSessionByItsPath();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliFigure::everyLessonViewAndFormat_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("format");
    for (const QString &lesson : headlight::ui::lessonIds())
        for (const char *view : {"flow", "heatmap", "heads"})
            for (const char *format : {"png", "svg", "pdf"})
                QTest::addRow("%s %s %s", qPrintable(lesson), view, format)
                    << lesson << view << format;
}

void CliFigure::everyLessonViewAndFormat() {
    QFETCH(QString, lesson);
    QFETCH(QString, view);
    QFETCH(QString, format);
    const QString name = "figure." + format;
    QByteArray first;
    for (int time = 0; time < 2; ++time) {
        const Run run = m_program.run({"figure", lesson, "--view", view, "-o", name});
        HEADLIGHT_DONE(run);
        QVERIFY(run.out.isEmpty());
        const QByteArray bytes = m_program.read(name);
        if (time == 0)
            first = bytes;
        else
            QVERIFY2(bytes == first, "two runs differ");
    }
    const Picture picture = readPicture(first, format);
    QCOMPARE(picture.problem, QString());
    QVERIFY(picture.size.width() > 100 && picture.size.height() > 50);
    if (format == "png") {
        const QImage image = QImage::fromData(first);
        bool blank = true;
        for (int x = 0; x < image.width() && blank; ++x)
            for (int y = 0; y < image.height() && blank; ++y)
                blank = image.pixel(x, y) == image.pixel(0, 0);
        QVERIFY(!blank);
    }
    QCOMPARE(m_program.listing(), QStringList{name});
    QVERIFY(QFile::remove(m_program.path(name)));
}

void CliFigure::everyStep_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<int>("steps");
    for (const QString &id : headlight::ui::lessonIds())
        QTest::newRow(qPrintable(id))
            << id << int(headlight::ui::readLesson(id)->lesson->steps.size());
}

void CliFigure::everyStep() {
    QFETCH(QString, lesson);
    QFETCH(int, steps);
    // A single known word has fewer tokens than every step refers to. A batch that attends to a
    // second sequence cannot be replaced by one text.
    const auto session = headlight::ui::readLesson(lesson);
    const headlight::core::Vocabulary *known =
        session->model.vocabularyOf(session->model.mainStack());
    QStringList texts{QString()};
    if (!session->input.source || session->input.batch->count() == 1)
        texts << (known ? QString::fromStdString(known->words().back()) : QString("hello"));
    for (int step = 0; step < steps; ++step)
        for (const QString &text : texts) {
            QStringList words{"figure",   lesson, "-o",     "-",
                              "--format", "svg",  "--step", QString::number(step)};
            if (!text.isEmpty())
                words << "--text" << text;
            const Run run = m_program.run(words);
            HEADLIGHT_DONE(run);
            QCOMPARE(readPicture(run.out, "svg").problem, QString());
        }
    HEADLIGHT_REFUSED(
        m_program.run({"figure", lesson, "-o", "a.png", "--step", QString::number(steps)}), 1,
        {"--step", "0 to " + QString::number(steps - 1)});
}

void CliFigure::sizes_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<QSizeF>("expected");
    QTest::newRow("png") << "png"
                         << "640x480"
                         << "" << QSizeF(640, 480);
    QTest::newRow("png, twice") << "png"
                                << "640x480"
                                << "2" << QSizeF(1280, 960);
    QTest::newRow("png, half") << "png"
                               << "640x480"
                               << "0.5" << QSizeF(320, 240);
    QTest::newRow("png, 1.25") << "png"
                               << "641x481"
                               << "1.25" << QSizeF(802, 602);
    QTest::newRow("svg") << "svg"
                         << "640x480"
                         << "" << QSizeF(640, 480);
    QTest::newRow("svg: no pixels") << "svg"
                                    << "640x480"
                                    << "3" << QSizeF(640, 480);
    QTest::newRow("pdf") << "pdf"
                         << "640x480"
                         << "" << QSizeF(640, 480);
    QTest::newRow("pdf: no pixels") << "pdf"
                                    << "1000x433"
                                    << "3" << QSizeF(1000, 433);
}

void CliFigure::sizes() {
    QFETCH(QString, format);
    QFETCH(QString, size);
    QFETCH(QString, scale);
    QFETCH(QSizeF, expected);
    for (const char *view : {"flow", "heatmap", "heads"}) {
        QStringList words{"figure", "cat", "--view", view, "-o", "-", "--format", format};
        words << "--size" << size;
        if (!scale.isEmpty())
            words << "--scale" << scale;
        const Run run = m_program.run(words);
        HEADLIGHT_DONE(run);
        const Picture picture = readPicture(run.out, format);
        QCOMPARE(picture.problem, QString());
        QVERIFY2(
            qAbs(picture.size.width() - expected.width()) <= 1.4 &&
                qAbs(picture.size.height() - expected.height()) <= 1.4,
            qPrintable(QString("%1 × %2").arg(picture.size.width()).arg(picture.size.height())));
        if (format == "png")
            QCOMPARE(picture.size, expected);
    }
}

void CliFigure::texts_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("Chinese") << "我喜欢绿茶";
    QTest::newRow("Japanese") << "猫がマットの上に座った";
    QTest::newRow("Arabic") << "القطة جلست على السجادة";
    QTest::newRow("Hebrew") << "החתול ישב על השטיח";
    QTest::newRow("emoji") << "👩‍👩‍👧 👍🏽 🇦🇹";
    QTest::newRow("one emoji") << "😀";
    QTest::newRow("combining") << QString::fromUtf8("e\u0301 a\u0308\u0308\u0308\u0308");
    QTest::newRow("markup") << "<b>&amp;</b> ]]> %1 %PDF";
    QTest::newRow("controls") << QString("a\tb\nc\x01 d\x7f\x1b[31m");
    QTest::newRow("not characters") << QString::fromUtf8("a\ufffe\uffff\ufffd");
    QTest::newRow("padding") << "a [PAD]";
    QTest::newRow("a hundred words") << QString("word ").repeated(100);
}

void CliFigure::texts() {
    QFETCH(QString, text);
    for (const char *format : {"png", "svg", "pdf"}) {
        const QStringList words{"figure", "cat", "--text", text, "-o", "-", "--format", format};
        const Run run = m_program.run(words);
        HEADLIGHT_DONE(run);
        QCOMPARE(readPicture(run.out, format).problem, QString());
        QVERIFY(m_program.run(words).out == run.out);
    }
}

void CliFigure::aWordOfAThousandLetters() {
    // Its labels would make the figure too wide. With --size they are shortened.
    const QStringList words{"figure",   "cat", "-o",     "-",
                            "--format", "svg", "--text", QString(5000, 'w')};
    HEADLIGHT_REFUSED(m_program.run(words), 1, {"too many"});
    const Run run = m_program.run(words + QStringList{"--size", "800x600"});
    HEADLIGHT_DONE(run);
    QCOMPARE(readPicture(run.out, "svg").problem, QString());
}

void CliFigure::standardOutput() {
    for (const QString &format : QStringList{"png", "svg", "pdf"}) {
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "a." + format}));
        const Run run = m_program.run({"figure", "cat", "-o", "-", "--format", format});
        HEADLIGHT_DONE(run);
        QVERIFY(run.out == m_program.read("a." + format));
        const Run joined = m_program.run({"figure", "cat", "-o-", "--format=" + format});
        QVERIFY(joined.out == run.out);
    }
}

void CliFigure::formatGoesBeforeExtension() {
    HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "b.png", "--format", "pdf"}));
    QVERIFY(m_program.read("b.png").startsWith("%PDF"));
    HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "B.PNG"}));
    QCOMPARE(readPicture(m_program.read("B.PNG"), "png").problem, QString());
}

void CliFigure::aSessionByItsPath() {
    QFile lesson(":/lessons/cat.headlight");
    QVERIFY(lesson.open(QIODevice::ReadOnly));
    m_program.write("mine", lesson.readAll());
    const QStringList rest{"-o", "-", "--format", "png"};
    const Run given = m_program.run(QStringList{"figure", "./mine"} + rest);
    HEADLIGHT_DONE(given);
    const Run builtIn = m_program.run(QStringList{"figure", "cat"} + rest);
    QCOMPARE(QImage::fromData(given.out), QImage::fromData(builtIn.out));
}

HEADLIGHT_WIDGET_TEST(CliFigure)
#include "tst_cli_figure.moc"
