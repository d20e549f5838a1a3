// Reads a file of word vectors beside the window: with progress, and to be cancelled.
#pragma once

#include "core/formats/word_vectors.h"

#include <QProgressDialog>

#include <set>
#include <thread>

namespace headlight::ui {

class ImportVectors : public QProgressDialog {
    Q_OBJECT
  public:
    /// Begins at once. It shows itself where reading takes longer than a moment, and is to be
    /// deleted once it has finished.
    ImportVectors(const QString &path, std::set<std::string> wanted, bool ignoreCase,
                  QWidget *parent);
    ~ImportVectors() override;

  signals:
    /// Not after it was cancelled.
    void read(const headlight::core::WordVectors &vectors);
    void failed(const headlight::core::Error &error);
    /// After either of them, and after cancelling.
    void ended();

  private:
    void take(const core::Result<core::WordVectors> &vectors);

    std::jthread m_thread; // last: it uses the rest
};

} // namespace headlight::ui
