// Courses on the command line: created from a folder, checked lesson by lesson, and opened.
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QImage>

using namespace headlight::test;

class CliCourse : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void written();
    void refused();
    void checked();
    void opened();
    void nothingIsUnpacked();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliCourse::initTestCase() {
    QDir(m_program.path(".")).mkdir("course");
    QByteArray cat = headlight::ui::lessonFile("cat");
    m_program.write("course/2-heads.headlight", cat);
    m_program.write("course/1-bank.headlight", headlight::ui::lessonFile("bank"));
    m_program.write("course/notes.txt", "not for the class");
}

void CliCourse::written() {
    HEADLIGHT_DONE(m_program.run({"course", "course", "-o", "a.headlight-course"}));
    HEADLIGHT_DONE(m_program.run({"course", "course", "-o", "b.headlight-course"}));
    const QByteArray file = m_program.read("a.headlight-course");
    QVERIFY(file.startsWith("PK\3\4"));
    QCOMPARE(file, m_program.read("b.headlight-course"));
    QVERIFY(!file.contains("notes.txt"));
    const Run run = m_program.run({"course", "course", "-o", "-"});
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, file);
}

void CliCourse::refused() {
    HEADLIGHT_REFUSED(m_program.run({"course", "-o", "x.headlight-course"}), 2, {"folder"});
    HEADLIGHT_REFUSED(m_program.run({"course", "course"}), 2, {"-o FILE"});
    HEADLIGHT_REFUSED(m_program.run({"course", "course", "-o", "x.zip"}), 2,
                      {"x.zip", ".headlight-course"});
    HEADLIGHT_REFUSED(m_program.run({"course", "bank", "-o", "x.headlight-course"}), 1,
                      {"not a folder"});
    QDir(m_program.path(".")).mkdir("empty");
    HEADLIGHT_REFUSED(m_program.run({"course", "empty", "-o", "x.headlight-course"}), 1,
                      {"no lesson"});
    QDir(m_program.path(".")).mkdir("broken");
    m_program.write("broken/a.headlight", "{\"headlight\": 1}");
    HEADLIGHT_REFUSED(m_program.run({"course", "broken", "-o", "x.headlight-course"}), 1,
                      {"a.headlight", "model"});
    m_program.write("broken/a.headlight",
                    R"({"headlight": 2, "pretrained": {"folder": "x", "hash": ""}})");
    HEADLIGHT_REFUSED(m_program.run({"course", "broken", "-o", "x.headlight-course"}), 1,
                      {"a.headlight", "which a course cannot contain"});
    QVERIFY(!m_program.has("x.headlight-course"));
}

void CliCourse::checked() {
    HEADLIGHT_DONE(m_program.run({"course", "course", "-o", "a.headlight-course"}));
    for (const QByteArray name : {"a.headlight-course/1-bank", "course/1-bank.headlight"}) {
        const QByteArray course = name.left(name.indexOf('/'));
        const Run run = m_program.run({"check", course});
        HEADLIGHT_DONE(run);
        QVERIFY2(run.out.contains(name + ": good\n"), run.out);
        QCOMPARE(run.out.count(": good\n"), 2);
        HEADLIGHT_DONE(m_program.run({"check", name})); // a single lesson
    }
    // An unknown prerequisite gives a warning. Lessons of the course and built-in lessons are
    // known.
    QDir(m_program.path(".")).mkdir("needs");
    QByteArray lesson = headlight::ui::lessonFile("cat");
    lesson.replace("\"needs\": [\"heads\"],", ""); // its own prerequisites
    const auto needs = [&](const QByteArray &ids) {
        QByteArray said = lesson;
        const qsizetype at = said.indexOf("\"lesson\": {") + 11;
        m_program.write("needs/a.headlight", said.insert(at, "\"needs\": [" + ids + "], "));
        return m_program.run({"check", "needs"});
    };
    m_program.write("needs/b.headlight", lesson);
    const Run fine = needs("\"b\", \"bank\"");
    HEADLIGHT_DONE(fine);
    QVERIFY2(!fine.out.contains("warning"), fine.out);
    const Run odd = needs("\"c\"");
    HEADLIGHT_DONE(odd);
    QVERIFY2(odd.out.contains("needs/a.headlight: warning: lesson.needs"), odd.out);
    // A problem is reported for its lesson only, and all other lessons are checked.
    QByteArray broken = lesson;
    broken.replace("\"heads\": 2", "\"heads\": -2");
    QVERIFY(broken != lesson);
    m_program.write("needs/a.headlight", broken);
    const Run run = m_program.run({"check", "needs"});
    HEADLIGHT_REFUSED(run, 1, {"check"});
    QVERIFY2(run.out.contains("needs/a.headlight: model.heads"), run.out);
    QVERIFY2(run.out.contains("needs/b.headlight: good"), run.out);
    m_program.write("damaged.headlight-course", m_program.read("a.headlight-course").left(999));
    const Run damaged = m_program.run({"check", "damaged.headlight-course"});
    HEADLIGHT_REFUSED(damaged, 1, {"check"});
    QVERIFY2(damaged.out.startsWith("damaged.headlight-course: it is not a zip file"), damaged.out);
}

/// Opens the first lesson, or the one named in the file.
void CliCourse::opened() {
    HEADLIGHT_DONE(m_program.run({"course", "course", "-o", "a.headlight-course"}));
    const auto info = [&](const QString &source) {
        const Run run = m_program.run({"info", source});
        return run.code == 0 ? run.out : run.err;
    };
    const QByteArray bank = info("course/1-bank.headlight"), cat = info("course/2-heads.headlight");
    QVERIFY(bank != cat);
    QVERIFY2(info("a.headlight-course").contains("One word, two meanings"),
             info("a.headlight-course"));
    QVERIFY(info("course").contains("One word, two meanings"));
    QVERIFY(info("a.headlight-course/2-heads").contains("Two heads, two questions"));
    // The figure does not depend on where the lesson is stored.
    for (const QString &source :
         {QString("course/2-heads.headlight"), QString("a.headlight-course/2-heads")})
        HEADLIGHT_DONE(m_program.run({"figure", source, "--no-session", "--view", "heads", "-o",
                                      source.startsWith('a') ? "in.png" : "beside.png"}));
    QCOMPARE(QImage(m_program.path("in.png")), QImage(m_program.path("beside.png")));
    HEADLIGHT_DONE(m_program.run({"worksheet", "a.headlight-course/1-bank", "-o", "bank.pdf"}));
    HEADLIGHT_DONE(m_program.run({"worksheet", "course/2-heads.headlight", "-o", "heads.pdf"}));
    HEADLIGHT_DONE(m_program.run({"worksheet", "a.headlight-course", "-o", "all.pdf"}));
    const auto pages = [&](const char *file) {
        return m_program.read(file).count("/Type /Page\n");
    };
    QCOMPARE(pages("all.pdf"), pages("bank.pdf") + pages("heads.pdf"));
    HEADLIGHT_REFUSED(m_program.run({"info", "a.headlight-course/missing"}), 1, {"no lesson"});
    HEADLIGHT_REFUSED(m_program.run({"info", "missing.headlight-course"}), 1, {"missing"});
    HEADLIGHT_REFUSED(m_program.run({"info", "a.headlight-course/../../x"}), 1, {"x"});
}

/// A course file is never unpacked to disk.
void CliCourse::nothingIsUnpacked() {
    HEADLIGHT_DONE(m_program.run({"course", "course", "-o", "a.headlight-course"}));
    const QStringList before = m_program.listing();
    HEADLIGHT_DONE(m_program.run({"check", "a.headlight-course"}));
    QCOMPARE(m_program.listing(), before);
}

HEADLIGHT_GUILESS_TEST(CliCourse)
#include "tst_cli_course.moc"
