// The dialog that prints worksheets: its pages, and files with the same bytes as the command's.
#include "tests/ui/window/pages_fixture.h"
#include "tests/ui/window/program.h"
#include "ui/document/lesson_worksheet.h"
#include "ui/figures/worksheet/worksheet_pages.h"
#include "ui/text/step_number.h"
#include "ui/window/saving/figure_printing.h"
#include "ui/window/worksheet/worksheet_dialog.h"

#include <QPrinter>

namespace {

struct OpenedWorksheet : test::PagesFixture<ui::WorksheetDialog> {
    explicit OpenedWorksheet(const QString &source) : PagesFixture(source, "worksheetProblem") {}
};

} // namespace

class WorksheetDialogTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    /// Tests both paper sizes, with and without answers.
    void theCommandsBytes() {
        OpenedWorksheet opened("bank");
        QTemporaryDir folder;
        int number = 0;
        for (const QString &options :
             {QString(), QString("--answers"), QString("--sheet letter")}) {
            opened.find<QCheckBox>("worksheetAnswers")->setChecked(options == "--answers");
            auto *paper = opened.find<QComboBox>("worksheetPaper");
            paper->setCurrentIndex(paper->findData(options.endsWith("letter") ? "letter" : "a4"));
            const QString saved = folder.filePath(QString("saved%1.pdf").arg(++number));
            opened.dialog.saveTo(saved);
            QCOMPARE(opened.dialog.result(), int(QDialog::Accepted));
            QVERIFY(opened.dialog.done().contains(saved));
            const QString written = folder.filePath("command.pdf");
            (void)test::printedBy(QStringList{"worksheet", "bank", "-o", written} +
                                  options.split(' ', Qt::SkipEmptyParts));
            QVERIFY(!test::readAll(saved).isEmpty());
            QVERIFY2(test::readAll(saved) == test::readAll(written), qPrintable(options));
        }
    }

    /// A step often gets the numbers that the previous step asks for.
    void noPageHasTheAnswersToItsTasks() {
        int pairs = 0;
        for (const char *lesson : {"bank", "cat", "query-key-value"}) {
            const ui::OpenedSource source = test::opened(lesson);
            const core::Worksheet sheet =
                test::valueOf(ui::worksheetOf(source.session, source.state));
            const auto headingOf = [&sheet](std::size_t step) {
                return QString("Step %1: ").arg(ui::stepNumber(sheet.steps[step].step));
            };
            const ui::SheetPages pages = ui::worksheetPages({sheet}, false, ui::SheetOfPaper::A4);
            for (std::size_t step = 0; step < sheet.steps.size(); ++step)
                for (std::size_t earlier = 0; earlier < step; ++earlier) {
                    if (!givesAnswersOf(sheet.steps[step], sheet.steps[earlier]))
                        continue;
                    ++pairs;
                    for (const auto &page : pages)
                        QVERIFY2(!page->description().contains(headingOf(step)) ||
                                     !page->description().contains(headingOf(earlier)),
                                 qPrintable(page->description()));
                }
            // The layout is the same with answers, which are followed by explanations.
            QVERIFY(ui::worksheetPages({sheet}, true, ui::SheetOfPaper::A4).size() >= pages.size());
        }
        QVERIFY(pairs > 0);
    }

    void aFileIsNoPrinter() {
        QPrinter printer;
        printer.setOutputFileName("/somewhere/sheet.pdf");
        QCOMPARE(ui::printedText(printer, "sent"), QString("Saved /somewhere/sheet.pdf"));
        printer.setOutputFileName({});
        QCOMPARE(ui::printedText(printer, "sent"), QString("sent"));
    }

    void thePageInSight() {
        OpenedWorksheet opened("bank");
        auto *page = opened.find<QSpinBox>("worksheetPage");
        auto *preview = opened.find<QLabel>("worksheetPreview");
        QVERIFY(page->maximum() > 1);
        QVERIFY(opened.find<QPushButton>("worksheetSave")->isDefault());
        const QImage first = preview->pixmap(Qt::ReturnByValue).toImage();
        QVERIFY(preview->accessibleDescription().contains("Step 2"));
        QTest::keyClick(page, Qt::Key_Up);
        QCOMPARE(page->value(), 2);
        QVERIFY(preview->pixmap(Qt::ReturnByValue).toImage() != first);
        QVERIFY(!preview->accessibleDescription().contains("Step 2:"));
    }

    void answersAreShown() {
        OpenedWorksheet opened("bank");
        auto *preview = opened.find<QLabel>("worksheetPreview");
        const QImage without = preview->pixmap(Qt::ReturnByValue).toImage();
        QTest::keyClick(opened.find<QCheckBox>("worksheetAnswers"), Qt::Key_Space);
        QVERIFY(preview->pixmap(Qt::ReturnByValue).toImage() != without);
    }

    void printing() {
        OpenedWorksheet opened("bank");
        QTemporaryDir folder;
        QPrinter printer(QPrinter::HighResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(folder.filePath("printed.pdf"));
        QVERIFY(opened.dialog.print(printer).ok());
        const int pages = opened.find<QSpinBox>("worksheetPage")->maximum();
        QCOMPARE(test::readAll(folder.filePath("printed.pdf")).count("/Type /Page\n"), pages);
    }

    /// After a write error, the dialog stays open and shows a message.
    void aProblem() {
        OpenedWorksheet opened("bank");
        opened.dialog.saveTo("/nowhere/at/all.pdf");
        QVERIFY(opened.dialog.isVisible());
        QVERIFY(opened.find<QLabel>("worksheetProblem")->isVisible());
    }

    /// The dialog can be closed while it computes.
    void closedAtOnce() {
        WindowFixture fixture("bank");
        ui::WorksheetDialog dialog(fixture.document().snapshot({}).session,
                                   fixture.document().state(), {}, &fixture.window);
        QVERIFY(!dialog.isReady());
        QVERIFY(!dialog.findChild<QPushButton *>("worksheetSave")->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(WorksheetDialogTest)
#include "tst_worksheet_dialog.moc"
