// The dialog that saves the figure of a window, for tests.
#pragma once

#include "tests/ui/window/program.h"
#include "tests/ui/window/window_fixture.h"

namespace headlight::test {

struct SaveDialog : ui::SaveFigureDialog {
    explicit SaveDialog(WindowFixture &fixture, const QString &format = {})
        : SaveFigureDialog(*fixture.view(), &fixture.window) {
        if (!format.isEmpty())
            choose("figureFormat", format);
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(*this, name);
    }
    void choose(const char *name, const QVariant &value) const {
        auto *box = find<QComboBox>(name);
        QVERIFY2(box->findData(value) >= 0, name);
        box->setCurrentIndex(box->findData(value));
    }
    void set(const char *number, double value) const {
        find<QDoubleSpinBox>(number)->setValue(value);
    }
    QString command() const { return find<QLineEdit>("command")->text(); }
};

} // namespace headlight::test
