// Screens as people have them: the test's own is smaller, and small windows look otherwise.
#pragma once

#include <QByteArray>
#include <QFile>

namespace headlight::test {

/// A desk's screen and a projector's, beside each other. A base of the test's application before
/// QApplication, which asks for them when it begins.
struct OnScreens {
    /// `folder`: of the test, for what Qt reads of them.
    explicit OnScreens(const char *folder) {
        QFile file(QString::fromUtf8(folder) + "/screens.json");
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write %s", qPrintable(file.fileName()));
        file.write(R"({"screens": [
            {"name": "desk", "x": 0, "y": 0, "width": 1440, "height": 900},
            {"name": "projector", "x": 1600, "y": 0, "width": 1280, "height": 720}]})");
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + QFile::encodeName(file.fileName()));
    }
};

} // namespace headlight::test
