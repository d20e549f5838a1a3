#include "ui/document/lesson_catalogue.h"

#include "core/closest_name.h"
#include "core/formats/session/on_model.h"
#include "ui/text/symbol_text.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace headlight::ui {

const QStringList &lessonIds() {
    static const QStringList ids{
        "who-is-it",       "words",    "bank",      "query-key-value", "scores",
        "scaling",         "softmax",  "gravity",   "sentence",        "look-ahead",
        "two-heads",       "cat",      "depth",     "heads",           "whose-kite",
        "cross-attention", "block",    "positions", "long-range",      "batch",
        "shapes",          "learning", "writing",   "ten-things",      "exercises"};
    return ids;
}

QString openingLesson() {
    return QStringLiteral("bank");
}

QString translationExample() {
    return QStringLiteral("translation");
}

const QStringList &modelIds() {
    static const QStringList ids{"induction",    "which-bank", "it",
                                 "number-words", "sentiment",  "tales"};
    return ids;
}

bool isBuiltIn(const QString &id) {
    return lessonIds().contains(id) || modelIds().contains(id) || id == translationExample();
}

namespace {

QByteArray resource(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string_view viewOf(const QByteArray &bytes) {
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// Returns the compiled-in file. Empty if there is no such lesson.
QByteArray ownFile(const QString &id) {
    if (modelIds().contains(id))
        return resource(":/models/" + id + ".headlight");
    if (id == translationExample())
        return resource(":/examples/" + id + ".headlight");
    if (!lessonIds().contains(id))
        return {};
    const QByteArray own = resource(":/lessons/" + id + ".headlight");
    return own.isEmpty() ? resource(":/lessons/learned/" + id + ".headlight") : own;
}

LessonInfo infoOf(const QString &id) {
    const QJsonObject document = QJsonDocument::fromJson(ownFile(id)).object();
    const QJsonObject lesson = document["lesson"].toObject();
    LessonInfo info{id,
                    plainSymbols(document["title"].toString()),
                    plainSymbols(lesson["summary"].toString()),
                    lesson["minutes"].toInt(),
                    {},
                    static_cast<int>(lesson["steps"].toArray().size())};
    for (const QJsonValue &need : lesson["needs"].toArray())
        info.needs << need.toString();
    return info;
}

} // namespace

const QList<LessonInfo> &lessonInfos() {
    static const QList<LessonInfo> infos = [] {
        QList<LessonInfo> read;
        for (const QString &id : lessonIds())
            read << infoOf(id);
        return read;
    }();
    return infos;
}

QString lessonTitle(const QString &id) {
    const auto listed = std::ranges::find(lessonInfos(), id, &LessonInfo::id);
    return listed == lessonInfos().end() ? infoOf(id).title : listed->title;
}

QByteArray lessonFile(const QString &id) {
    const QByteArray own = ownFile(id);
    const std::string model = core::modelOf(viewOf(own));
    if (model.empty())
        return own;
    const auto whole = core::onModel(viewOf(own), viewOf(ownFile(QString::fromStdString(model))));
    return whole ? QByteArray::fromStdString(*whole) : QByteArray();
}

core::Result<core::Session> readLesson(const QString &id, std::optional<quint64> seed) {
    const QByteArray json = lessonFile(id);
    if (json.isEmpty()) {
        std::vector<std::string> names;
        for (const QString &known : lessonIds() + modelIds() + QStringList{translationExample()})
            names.push_back(known.toStdString());
        const std::string closest = core::closestName(id.toStdString(), names);
        return core::Error{"there is no file and no lesson of this name",
                           id.toStdString(),
                           {"did you mean '%1'? (`headlight lessons` lists them)", closest}};
    }
    return core::readSession(viewOf(json), seed);
}

} // namespace headlight::ui
