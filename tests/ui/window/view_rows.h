// Rows of test data: a view of a source, in light and in dark.
#pragma once

#include "tests/support/test_main.h"

#include <span>
#include <utility>

namespace headlight::test {

using SourceAndView = std::pair<const char *, const char *>;

/// Adds the columns "source", "view" and "dark", and two rows for each view.
inline void addViewRows(std::span<const SourceAndView> views) {
    addColumns<QString, QString, bool>({"source", "view", "dark"});
    for (const auto &[source, view] : views)
        for (const bool dark : {false, true})
            QTest::addRow("%s %s %s", source, view, dark ? "dark" : "light")
                << QString(source) << QString(view) << dark;
}

} // namespace headlight::test
