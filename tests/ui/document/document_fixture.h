// Documents with a trace, and documents saved and opened again.
#pragma once

#include "core/formats/session/writing/writer.h"
#include "core/tensor/presets.h"
#include "core/transformer/model/parameter_table.h"
#include "tests/support/edits.h"
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/edits/token_edits.h"
#include "ui/document/edits/vector_edits.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/new_session.h"
#include "ui/document/snapshot.h"

namespace headlight::test {

/// A document with a source, whose trace is still being computed.
struct OpenDocument : ui::Document {
    explicit OpenDocument(const QString &source, core::Index step = 0) {
        open(opened(source, step));
    }
};

/// A document with its trace.
struct ReadyDocument : ui::Document {
    explicit ReadyDocument(ui::OpenedSource source) {
        open(std::move(source));
        if (!settled(*this))
            qFatal("no trace");
    }
    explicit ReadyDocument(const QString &source, core::Index step = 0)
        : ReadyDocument(opened(source, step)) {}
};

/// Returns the document, saved to a file and opened again.
inline ui::OpenedSource reopened(const ui::Document &document) {
    const QTemporaryDir folder;
    QFile file(folder.filePath("saved.headlight"));
    const std::string bytes = document.snapshot("close-up").bytes();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), std::ssize(bytes)) < 0)
        qFatal("cannot write %s", qPrintable(file.fileName()));
    file.close();
    return opened(file.fileName());
}

/// Returns the state that the change leads to.
inline ui::DocumentState done(const core::Result<ui::Change> &change) {
    return valueOf(change).state();
}

} // namespace headlight::test

using namespace headlight;
using core::Index;
using core::Stage;
using test::OpenDocument;
using test::opened;
using test::settled;
using ui::Document;
using ui::DocumentState;
