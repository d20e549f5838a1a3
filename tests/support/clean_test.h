// Base class of tests: each test function begins without stored settings.
#pragma once

#include <QObject>
#include <QSettings>

namespace headlight::test {

class CleanTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }
};

} // namespace headlight::test
