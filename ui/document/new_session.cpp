#include "ui/document/new_session.h"

#include "core/transformer/forward.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace headlight::ui {

namespace {

constexpr qsizetype kLongestTitle = 40;

QJsonObject random(quint64 seed) {
    return {{"random", QJsonObject{{"seed", static_cast<qint64>(seed)}}}};
}

QString titleOf(const QString &text) {
    const QString line = text.simplified();
    return line.size() <= kLongestTitle ? line : line.first(kLongestTitle - 1).trimmed() + u'…';
}

} // namespace

core::Result<OpenedSource> makeSession(const NewSession &wanted) {
    if (wanted.heads < 1 || wanted.width % wanted.heads != 0)
        return core::Error{"the width cannot be divided evenly among the heads", "",
                           "use a width that is a multiple of the number of heads"};
    // The document says how the numbers are drawn: short, and readable in any editor.
    const QJsonObject attention{{"query", random(wanted.seed)},
                                {"key", random(wanted.seed + 1)},
                                {"value", random(wanted.seed + 2)},
                                {"output", random(wanted.seed + 3)}};
    const QJsonObject model{{"width", wanted.width},
                            {"heads", wanted.heads},
                            {"head_size", wanted.width / wanted.heads},
                            {"embeddings", QJsonObject{{"others", random(wanted.seed + 4)}}},
                            {"layers", QJsonArray{QJsonObject{{"self_attention", attention}}}}};
    const QJsonObject session{
        {"headlight", 1},
        {"title", titleOf(wanted.text)},
        {"batch", QJsonObject{{"sequences", QJsonArray{QJsonObject{{"text", wanted.text}}}}}},
        {"model", model}};
    const QByteArray json = QJsonDocument(session).toJson();
    core::Result<core::Session> read =
        core::readSession({json.constData(), static_cast<std::size_t>(json.size())});
    if (!read)
        return read.error();
    if (core::Outcome fits = core::fits(read->model, read->input); !fits)
        return fits.error();
    OpenedSource opened;
    opened.session = *std::move(read);
    opened.state = {opened.session.model, opened.session.input, 0, {}};
    return opened;
}

} // namespace headlight::ui
