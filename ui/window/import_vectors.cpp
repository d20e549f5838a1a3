#include "ui/window/import_vectors.h"

#include "ui/text/file_path.h"

#include <QFileInfo>
#include <QPushButton>

namespace headlight::ui {

ImportVectors::ImportVectors(const QString &path, std::set<std::string> wanted, bool ignoreCase,
                             QWidget *parent)
    : QProgressDialog(parent) {
    setObjectName("importVectors");
    setWindowTitle(tr("Import word vectors"));
    setLabelText(tr("Looking for %n words in %1", nullptr, static_cast<int>(wanted.size()))
                     .arg(QFileInfo(path).fileName()));
    setAccessibleName(labelText());
    auto *cancelled = new QPushButton(tr("Cancel"));
    cancelled->setToolTip(tr("Stop reading; nothing is changed (Esc)"));
    setCancelButton(cancelled);
    setRange(0, 100);
    setAutoClose(false);
    setAutoReset(false);
    setWindowModality(Qt::WindowModal); // the document must not change while its vectors are read
    setMinimumDuration(400);
    connect(this, &QProgressDialog::canceled, this, [this] { m_thread.request_stop(); });
    const auto tell = [this](double share) {
        QMetaObject::invokeMethod(
            this, [this, share] { setValue(static_cast<int>(100 * share)); }, Qt::QueuedConnection);
    };
    m_thread = std::jthread([this, tell, ignoreCase, file = bytesOf(path),
                             words = std::move(wanted)](const std::stop_token &stop) {
        const core::Result<core::WordVectors> vectors =
            core::readWordVectors(file, words, ignoreCase, tell, stop);
        QMetaObject::invokeMethod(
            this, [this, vectors] { take(vectors); }, Qt::QueuedConnection);
    });
}

ImportVectors::~ImportVectors() {
    m_thread.request_stop();
    m_thread.join();
}

void ImportVectors::take(const core::Result<core::WordVectors> &vectors) {
    hide();
    if (!wasCanceled() && vectors)
        emit read(*vectors);
    else if (!wasCanceled())
        emit failed(vectors.error());
    emit ended();
}

} // namespace headlight::ui
