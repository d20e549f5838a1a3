#include "core/formats/capture/captured_session.h"

#include "core/cancelled.h"
#include "core/formats/capture/capture_trace.h"
#include "core/formats/encodings/inflate.h"
#include "core/formats/files/file_numbers.h"
#include "core/formats/session/writing/writer.h"
#include "core/in_quotes.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace headlight::core {

namespace {

/// Returns the fingerprint of a file, or of all shards of an index.
Result<std::string> fingerprintOfCapture(const std::string &path, const std::stop_token &stop) {
    Result<std::string> own = fingerprintOf(path, stop);
    if (!own || !isShardIndex(path))
        return own;
    const Result<std::vector<std::string>> parts = partsOf(path, stop);
    if (!parts)
        return parts.error();
    std::string all = *own;
    for (const std::string &part : *parts) {
        const Result<std::string> one = fingerprintOf(part, stop);
        if (!one)
            return one.error();
        all += "+" + *one;
    }
    return *own + "+" + std::to_string(crcOf(all));
}

/// Reads the capture and its metadata into the session.
Outcome readInto(Session &session, const std::string &path, const std::stop_token &stop) {
    Result<Capture> capture = readCapture(path, stop);
    if (!capture)
        return capture.error();
    const auto content = std::make_shared<const Capture>(*std::move(capture));
    Result<TracePointer> trace = traceOf(*content);
    if (!trace)
        return Error{trace.error().what, path, trace.error().remedy};
    session.model = (*trace)->model();
    session.input = (*trace)->input();
    session.capture->path = path;
    session.capture->content = content;
    session.capture->trace = *trace;
    return Done{};
}

/// Returns the absolute path, or the path itself if the system cannot resolve it.
std::string absolutePathOf(const std::string &path) {
    std::error_code code;
    const std::filesystem::path whole = std::filesystem::absolute(path, code);
    return code ? path : whole.lexically_normal().string();
}

} // namespace

Result<Session> sessionOfCapture(const std::string &path, std::stop_token stop) {
    Session session;
    session.title = asUtf8(std::filesystem::path(path).filename().string());
    session.capture.emplace();
    if (Outcome read = readInto(session, absolutePathOf(path), stop); !read) {
        Error error = read.error(); // replaces the absolute path with the user's
        const std::string whole = absolutePathOf(path);
        if (error.where.starts_with(whole))
            error.where.replace(0, whole.size(), path);
        return error;
    }
    const Result<std::string> fingerprint = fingerprintOfCapture(session.capture->path, stop);
    if (!fingerprint)
        return fingerprint.error();
    session.capture->fingerprint = *fingerprint;
    session.json = newCaptureSession(session);
    return session;
}

Outcome readCaptureOf(Session &session, const std::string &sessionPath, std::stop_token stop) {
    if (!session.capture)
        return Done{};
    const std::string folder =
        std::filesystem::path(absolutePathOf(sessionPath)).parent_path().string();
    const std::string path =
        (std::filesystem::path(folder) / session.capture->path).lexically_normal().string();
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return Error{{"its capture is missing: %1", path},
                     sessionPath + ": capture.file",
                     "restore it, or open it at its new location and save the session again"};
    if (Outcome read = readInto(session, path, stop); !read)
        return read;
    const Result<std::string> fingerprint = fingerprintOfCapture(path, stop);
    if (!fingerprint)
        return fingerprint.error();
    if (!session.capture->fingerprint.empty() && session.capture->fingerprint != *fingerprint)
        session.warnings.push_back({{"%1 has changed since the session was saved", inQuotes(path)},
                                    "capture.fingerprint",
                                    "save the session again to accept the new file",
                                    {}});
    session.capture->fingerprint = *fingerprint;
    return Done{};
}

Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop) {
    constexpr std::uint64_t kPieceBytes = 65536, kPieces = 256;
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return file.error();
    const std::uint64_t size = file->size;
    const bool isWhole = size <= kPieceBytes * kPieces;
    const std::uint64_t pieces = isWhole ? (size + kPieceBytes - 1) / kPieceBytes : kPieces;
    const std::uint64_t last = size - std::min(size, kPieceBytes); // offset of the last piece
    std::string bytes;
    std::uint32_t crc = 0;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        if (stop.stop_requested())
            return cancelled();
        const std::uint64_t begin = isWhole ? piece * kPieceBytes : last * piece / (kPieces - 1);
        bytes.resize(std::min(kPieceBytes, size - begin));
        if (Outcome outcome = readAt(file->descriptor, begin, bytes, path,
                                     Error{"it cannot be read to its end", path, ""});
            !outcome)
            return outcome.error();
        crc = crcOf(bytes, crc);
    }
    char text[16];
    std::snprintf(text, sizeof text, "-%08x", crc);
    return std::to_string(size) + text;
}

} // namespace headlight::core
