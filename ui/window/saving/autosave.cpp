#include "ui/window/saving/autosave.h"

#include "core/formats/files/atomic_file.h"

namespace headlight::ui {

namespace {

/// ms from the first change to the write. A crash costs at most 20 seconds of work, because the
/// write and the delay until a run's next checkpoint is shown take time, too.
constexpr int kInterval = 15'000;

/// Returns the interval in ms. Tests set a shorter one.
int interval() {
    const int asked = qEnvironmentVariableIntValue("HEADLIGHT_AUTOSAVE_MS");
    return asked > 0 ? asked : kInterval;
}

} // namespace

Autosave::Autosave(Document &document, std::function<Origin()> origin,
                   std::function<QString()> view, QObject *parent)
    : QObject(parent), m_document(document), m_origin(std::move(origin)), m_view(std::move(view)) {
    m_writer.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(interval());
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    connect(&document, &Document::changed, this, &Autosave::documentChanged);
}

Autosave::~Autosave() {
    m_timer.stop();
    m_writer.waitForDone();
    if (m_isKept)
        m_slot.leave();
    else
        m_slot.remove();
}

void Autosave::forget() {
    m_isKept = false;
    m_timer.stop();
    m_writer.waitForDone();
    m_slot.remove();
}

bool Autosave::keep() {
    m_isKept = writeNow();
    return m_isKept;
}

void Autosave::documentChanged(const ChangeEvent &event) {
    if (is<StateChanged>(event))
        m_isKept = false; // the desktop session continues after all
    if (is<SessionChanged>(event) || (is<SavedChanged>(event) && !m_document.isModified()))
        forget();
    // A running timer is not restarted, so that even continuous edits are saved.
    else if ((is<StateChanged>(event) || is<SavedChanged>(event)) && m_document.isModified() &&
             !m_timer.isActive())
        m_timer.start();
}

bool Autosave::writeNow() {
    m_isWritten = false;
    write();
    m_writer.waitForDone();
    return m_isWritten;
}

void Autosave::tell(const core::Error &error) {
    if (!std::exchange(m_hasFailed, true))
        emit failed(error);
}

void Autosave::write() {
    if (const core::Outcome claimed = m_slot.claim(m_origin()); !claimed)
        return tell(claimed.error());
    m_writer.start(
        [this, snapshot = m_document.snapshot(m_view()), path = m_slot.path().toStdString()] {
            const core::Outcome written = core::writeFile(path, snapshot.bytes());
            m_isWritten = written.ok();
            if (!written)
                QMetaObject::invokeMethod(
                    this, [this, error = written.error()] { tell(error); }, Qt::QueuedConnection);
        });
}

} // namespace headlight::ui
