#include "ui/compute/file_watch.h"

#include "core/formats/files/file_stamp.h"
#include "ui/text/file_path.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>

#include <functional>
#include <memory>

namespace headlight::ui {

namespace {

/// Minimum time between two checks of a file that another program is writing, in milliseconds.
constexpr int kBetweenLooks = 100;

} // namespace

/// Runs entirely on the watching thread.
class FileWatch::Worker : public QObject {
  public:
    using Tell = std::function<void(quint64 number, std::optional<core::Error> change)>;
    explicit Worker(Tell tell) : m_tell(std::move(tell)) {}

    void watch(Files files, quint64 number) {
        m_files = std::move(files);
        m_number = number;
        m_told.reset();
        m_system = std::make_unique<QFileSystemWatcher>();
        m_soon = std::make_unique<QTimer>();
        m_soon->setSingleShot(true);
        m_soon->setInterval(kBetweenLooks);
        connect(m_soon.get(), &QTimer::timeout, this, &Worker::look);
        const auto lookSoon = [this] {
            if (!m_soon->isActive())
                m_soon->start();
        };
        connect(m_system.get(), &QFileSystemWatcher::fileChanged, this, lookSoon);
        connect(m_system.get(), &QFileSystemWatcher::directoryChanged, this, lookSoon);
        look(); // a file may have changed since it was opened
    }

    void look() {
        if (!m_system)
            return;
        News news;
        for (const core::NumberSourcePointer &file : m_files) {
            addToSystem(pathOf(file->path()));
            core::Outcome checked = file->check();
            if (checked || news.change)
                continue;
            news.change = checked.error();
            (void)core::stampAt(file->path(), news.stamp); // a deleted file has no stamp
        }
        const auto textOf = [](const News &some) {
            return some.change ? some.change->text() : std::string();
        };
        if (m_told && textOf(news) == textOf(*m_told) && news.stamp == m_told->stamp)
            return;
        m_told = news;
        m_tell(m_number, std::move(news.change));
    }

    void lookAnew() {
        m_told.reset();
        look();
    }

  private:
    struct News {
        std::optional<core::Error> change{};
        core::FileStamp stamp{};
    };

    /// Watches the file and its folder. The system stops watching a file that is replaced.
    void addToSystem(const QString &path) {
        const QFileInfo file(path);
        for (const QString &each : {file.absoluteFilePath(), file.absolutePath()})
            if (!m_system->files().contains(each) && !m_system->directories().contains(each) &&
                QFileInfo::exists(each))
                m_system->addPath(each);
    }

    Tell m_tell;
    Files m_files;
    quint64 m_number = 0;
    std::optional<News> m_told; // unset until the first report
    std::unique_ptr<QFileSystemWatcher> m_system;
    std::unique_ptr<QTimer> m_soon;
};

FileWatch::FileWatch(QObject *parent) : QObject(parent) {}

FileWatch::~FileWatch() {
    m_thread.quit();
    m_thread.wait();
}

void FileWatch::watch(Files files) {
    ++m_number;
    if (!m_worker && files.empty())
        return;
    if (!m_worker) {
        m_worker = new Worker([this](quint64 number, std::optional<core::Error> change) {
            QMetaObject::invokeMethod(
                this,
                [this, number, change = std::move(change)] {
                    if (number == m_number)
                        emit found(change);
                },
                Qt::QueuedConnection);
        });
        m_worker->moveToThread(&m_thread);
        connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
        m_thread.start();
    }
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, files = std::move(files), number = m_number] {
            worker->watch(files, number);
        },
        Qt::QueuedConnection);
}

void FileWatch::look() {
    if (m_worker)
        QMetaObject::invokeMethod(
            m_worker, [worker = m_worker] { worker->look(); }, Qt::QueuedConnection);
}

void FileWatch::lookAnew() {
    if (m_worker)
        QMetaObject::invokeMethod(
            m_worker, [worker = m_worker] { worker->lookAnew(); }, Qt::QueuedConnection);
}

} // namespace headlight::ui
