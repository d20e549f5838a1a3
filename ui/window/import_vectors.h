// Progress dialog that reads a file of word vectors in a thread and can be cancelled.
#pragma once

#include "core/formats/word_vectors.h"

#include <QProgressDialog>

#include <set>
#include <thread>

namespace headlight::ui {

class ImportVectors : public QProgressDialog {
    Q_OBJECT
  public:
    /// Starts reading immediately. The dialog appears only if reading takes long. Delete it after
    /// ended().
    ImportVectors(const QString &path, std::set<std::string> wanted, bool ignoreCase,
                  QWidget *parent);
    ~ImportVectors() override;

  signals:
    /// Not emitted after cancelling.
    void read(const headlight::core::WordVectors &vectors);
    void failed(const headlight::core::Error &error);
    /// Emitted after read(), failed() or cancelling.
    void ended();

  private:
    void take(const core::Result<core::WordVectors> &vectors);

    std::jthread m_thread; // last member, because the thread uses the others
};

} // namespace headlight::ui
