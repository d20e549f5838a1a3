// Screens of common sizes. Tests otherwise run on a smaller one, where windows look different.
#pragma once

namespace headlight::test {

/// A desktop screen next to a projector. Must be a base class before QApplication, which reads the
/// screens at startup.
struct OnScreens {
    /// `folder` is the test's folder for the file that describes the screens to Qt.
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
