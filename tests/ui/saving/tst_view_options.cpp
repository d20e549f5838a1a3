// Each option of a view or figure is read and written by one table row. A command written from a
// request gives the same request.
#include "tests/ui/window/window_fixture.h"
#include "ui/command_line/view_options.h"

#include <stdexcept>

namespace {

/// Returns the listed values of an option and, for values such as N or TEXT, samples of them.
QStringList samplesOf(const ui::Option &option) {
    const QString value = option.value;
    QStringList samples = value == "NAME" ? QStringList() : option.values;
    const std::pair<const char *, QStringList> known[] = {
        {"N", {"7"}},
        {"F", {"0.5"}},
        {"X", {"0.1", "300"}},
        {"N,N,…", {"3", "1,2,30"}},
        {"X,X,…", {"-0.5", "0.1,-2"}},
        {"L.H,…", {"9.9", "0.1,encoder.0.3,decoder.cross.1.2"}},
        {"L.H=X,…", {"9.9=0.5", "0.1=-2,cross.1.2=0"}},
        {"N=M,…", {"1=2", "0=none,3=4"}},
        {"W[xH]", {"84mm", "800x600", "3.3inx2.5in"}}};
    for (const auto &[kind, words] : known)
        if (value == QString::fromUtf8(kind))
            samples << words;
    if (QStringList{"TEXT", "SOURCE", "FILE", "REGEX"}.contains(value))
        samples << QStringList{"it is", "-x", "größe"};
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
        QCOMPARE(ui::figureText({}), QStringList());
        for (const auto &row : ui::viewOptions())
            QVERIFY2(!row.write({}), row.name);
    }

    void eachIsWrittenAsItIsRead_data() {
        test::addColumns<int, QString>({"index", "value"});
        int index = 0;
        for (const auto &row : ui::viewOptions()) {
            const QStringList values = row.value ? samplesOf(row) : QStringList{""};
            QVERIFY2(!values.isEmpty(), row.name);
            for (const QString &value : values)
                QTest::newRow(test::said("%1 --%2 %3", index, row.name, value)) << index << value;
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
            return; // `own` is the default
        QCOMPARE(written.value_or("the default"), value);
        QCOMPARE(row.write(requestOf(row, *written)), written);
        if (!row.commands.contains(ui::Command::Figure))
            return;
        const QString option = QStringLiteral("--") + row.name;
        QCOMPARE(ui::figureText(request), !row.value ? QStringList{option}
                                          : value.startsWith('-')
                                              ? QStringList{option + '=' + value}
                                              : (QStringList{option, value}));
    }

    void severalLayersAndHeads() {
        const auto rowOf = [](const char *name) {
            for (const auto &row : ui::viewOptions())
                if (row.name == QLatin1String(name))
                    return row;
            throw std::logic_error(name);
        };
        const ui::ViewRequest layers = requestOf(rowOf("layer"), "4-6,2,5");
        QCOMPARE(layers.layers.indices, (std::vector<core::Index>{4, 5, 6, 2}));
        QCOMPARE(layers.request.layer, 4);
        QVERIFY(requestOf(rowOf("layer"), "all").layers.all);
        QVERIFY(!requestOf(rowOf("layer"), "4").layers.isSet());
        const ui::ViewRequest heads = requestOf(rowOf("head"), "0-4095");
        QCOMPARE(heads.eachHead.indices.size(), ui::kMaxListed);
        for (const char *wrong : {"0-4096", "1,0-4095", "2-1", "0-9223372036854775807", "-1", "1-",
                                  "-", "", "1,,2", "1-2-3", "one"})
            QVERIFY_THROWS_EXCEPTION(ui::OptionError, requestOf(rowOf("head"), wrong));
    }

    /// The table of views and the table of options have the same choices.
    void eachChoiceOfAViewHasAnOption() {
        for (const ui::ViewInfo &view : ui::allViews())
            for (const ui::Choice choice : view.choices) {
                const auto rows = ui::viewOptions();
                const bool hasOption = std::ranges::any_of(
                    rows, [choice](const auto &row) { return row.choice == choice; });
                QVERIFY2(hasOption || choice == ui::Choice::Summary,
                         view.title); // its option is --head
            }
    }
};

HEADLIGHT_GUILESS_TEST(ViewOptionsTest)
#include "tst_view_options.moc"
