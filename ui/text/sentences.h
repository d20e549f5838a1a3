// Joins words and sentences. Languages join them differently, so all such code is here. A test in
// tests/rules enforces this.
#pragma once

#include <QStringList>

namespace headlight::ui {

/// Returns "a", "a and b", or "a, b and c". Empty for an empty list.
QString listed(const QStringList &words);

/// Returns "a or b".
QString alternatives(const QStringList &words);

/// Returns "a, b, c": items without a conjunction.
QString enumerated(const QStringList &words);

/// Returns "name: what it is".
QString labelled(const QString &name, const QString &what);

/// Joins sentences and skips empty ones.
QString sentences(const QStringList &all);

/// Adds a full stop unless the sentence already ends with punctuation.
QString ended(const QString &sentence);

} // namespace headlight::ui
