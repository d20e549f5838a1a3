// Each option of a view or figure is read and written back by one row: a command that is written
// from a request gives that request again.
#include "tests/support/test_main.h"
#include "ui/command_line/view_options.h"

using namespace headlight;

namespace {

/// Values of options that take other words than those listed.
QStringList samplesOf(const ui::Option &option) {
    const QString value = option.value;
    QStringList samples = value == "NAME" ? QStringList() : option.values;
    if (value == "N")
        samples << "7";
    if (value == "F")
        samples << "0.5";
    if (value == "X")
        samples << "0.1"
                << "300";
    if (value == "N,N,…")
        samples << "3"
                << "1,2,30";
    if (value == "X,X,…")
        samples << "-0.5"
                << "0.1,-2";
    if (value == "W[xH]")
        samples << "84mm"
                << "800x600"
                << "3.3inx2.5in";
    if (value == "TEXT" || value == "SOURCE" || value == "FILE" || value == "REGEX")
        samples << "it is"
                << "-x"
                << "größe";
    return samples.isEmpty() ? option.values : samples;
}

ui::ViewRequest requestOf(const ui::OptionRow<ui::ViewRequest> &row, const QString &value) {
    ui::ViewRequest request;
    row.read({row.name, value, {value}}, request);
    return request;
}

} // namespace

class ViewOptionsTest : public QObject {
    Q_OBJECT

  private slots:
    void aDefaultRequestNeedsNoOption() {
        QCOMPARE(ui::figureWords({}), QStringList());
        for (const auto &row : ui::viewOptions())
            QVERIFY2(!row.write({}), row.name);
    }

    void eachIsWrittenAsItIsRead_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("value");
        int index = 0;
        for (const auto &row : ui::viewOptions()) {
            const QStringList values = row.value ? samplesOf(row) : QStringList{""};
            QVERIFY2(!values.isEmpty(), row.name);
            for (const QString &value : values)
                QTest::newRow(qPrintable(QString("%1 --%2 %3").arg(index).arg(row.name, value)))
                    << index << value;
            ++index;
        }
    }

    void eachIsWrittenAsItIsRead() {
        QFETCH(int, index);
        QFETCH(QString, value);
        const auto &row = ui::viewOptions()[static_cast<std::size_t>(index)];
        const ui::ViewRequest request = requestOf(row, value);
        const std::optional<QString> written = row.write(request);
        if (!written && value == QLatin1String("own"))
            return; // the default
        QCOMPARE(written.value_or("the default"), value);
        QCOMPARE(row.write(requestOf(row, *written)), written);
        if (!row.commands.contains(ui::Command::Figure))
            return;
        const QString option = QStringLiteral("--") + row.name;
        QCOMPARE(ui::figureWords(request), !row.value ? QStringList{option}
                                           : value.startsWith('-')
                                               ? QStringList{option + '=' + value}
                                               : (QStringList{option, value}));
    }

    /// The table of views and that of options name the same choices.
    void eachChoiceOfAViewHasAnOption() {
        for (const ui::ViewInfo &view : ui::allViews())
            for (const ui::Choice choice : view.choices) {
                const auto rows = ui::viewOptions();
                const bool hasOption = std::ranges::any_of(
                    rows, [choice](const auto &row) { return row.choice == choice; });
                QVERIFY2(hasOption || choice == ui::Choice::Summary, view.title); // --head
            }
    }
};

HEADLIGHT_GUILESS_TEST(ViewOptionsTest)
#include "tst_view_options.moc"
