#include "app/standard_streams.h"

#include "app/words.h"
#include "core/formats/files/inputs.h"
#include "core/formats/files/io_error.h"
#include "ui/text/core_message.h"

#include <QtGlobal>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace headlight::app {

namespace {

int realStandardError = STDERR_FILENO; // a copy of the descriptor while libraries are silenced
std::string placeOfErrors;             // set by setPlaceOfErrors()

/// Opens /dev/null in the opposite direction of a closed stream. Using the stream then fails with
/// EBADF, as if it were closed.
void fillIfClosed(int stream) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF)
        return;
    // open() returns the lowest free descriptor, which is this one, because the lower ones are
    // already open.
    [[maybe_unused]] const int opened =
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void takeMessage(QtMsgType type, const QMessageLogContext &, const QString &) {
    if (type != QtFatalMsg)
        return;
    // Qt is about to call abort() because it found no platform plugin or no display.
    fail({ui::messageOf(Words::tr("the graphical system cannot be started")), "",
          ui::messageOf(Words::tr("check DISPLAY, and that Qt's platform plugins are installed"))});
    ::_exit(1);
}

/// Calls write(2) until everything is written. Returns false and sets errno on failure.
bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

void takeStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        fillIfClosed(stream);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit becomes an error
    qunsetenv("QT_FATAL_WARNINGS");
    qInstallMessageHandler(takeMessage);
}

std::string oneLine(std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return line;
}

std::string withoutControls(std::string text) {
    std::ranges::replace_if(
        text,
        [](char c) {
            return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
        },
        ' ');
    return text;
}

void say(std::string_view text) {
    // If this write fails, there is no other way to report the error.
    const std::string place = placeOfErrors.empty() ? "" : oneLine(placeOfErrors) + ": ";
    writeAll(realStandardError, "headlight: " + place + oneLine(text) + "\n");
}

void setPlaceOfErrors(std::string place) {
    placeOfErrors = std::move(place);
}

bool isTerminal() {
    return ::isatty(realStandardError) == 1;
}

void sayOnTerminal(std::string_view text) {
    if (isTerminal())
        writeAll(realStandardError, text);
}

int fail(const core::Error &error) {
    say(ui::translated(error).toStdString());
    return core::isOfAnInput(error) ? 2 : 1;
}

core::Outcome writeStandardOutput(std::string_view bytes) {
    if (writeAll(STDOUT_FILENO, bytes))
        return core::Done{};
    return core::ioError(errno, "it cannot be written", Words::tr("standard output").toStdString());
}

ScopedStderrSilencer::ScopedStderrSilencer() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int kept = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (nowhere >= 0 && kept >= 0) {
        ::dup2(nowhere, STDERR_FILENO);
        realStandardError = kept;
    }
    if (nowhere >= 0)
        ::close(nowhere);
#endif
}

ScopedStderrSilencer::~ScopedStderrSilencer() {
    if (realStandardError == STDERR_FILENO)
        return;
    ::dup2(realStandardError, STDERR_FILENO);
    ::close(realStandardError);
    realStandardError = STDERR_FILENO;
}

} // namespace headlight::app
