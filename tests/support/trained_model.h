// The trained models of ../shared/models, which the project does not contain.
#pragma once

#include <QDir>
#include <QtTest>

namespace headlight::test {

/// Returns the folder of a trained model in ../shared/models, or an empty string if it is missing.
inline QString trainedModel(const char *name) {
    const QDir models(QStringLiteral(HEADLIGHT_TEST_DATA "/../../../shared/models"));
    return models.exists(name) ? QDir::cleanPath(models.absoluteFilePath(name)) : QString();
}

} // namespace headlight::test

/// Puts the folder of a trained model into `folder`; skips the test if it is missing.
#define HEADLIGHT_TRAINED(folder, name)                                                            \
    const QString folder = headlight::test::trainedModel(name);                                    \
    if (folder.isEmpty())                                                                          \
    QSKIP("../shared/models is not there")
