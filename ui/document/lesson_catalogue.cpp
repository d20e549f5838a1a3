#include "ui/document/lesson_catalogue.h"

#include "core/closest_name.h"

#include <QFile>

namespace headlight::ui {

const QStringList &lessonIds() {
    static const QStringList ids{"bank", "sentence", "cat", "batch", "look-ahead"};
    return ids;
}

QString translationExample() {
    return QStringLiteral("translation");
}

const QStringList &modelIds() {
    static const QStringList ids{"induction", "which-bank", "it", "number-words", "sentiment"};
    return ids;
}

bool isBuiltIn(const QString &id) {
    return lessonIds().contains(id) || modelIds().contains(id) || id == translationExample();
}

QByteArray lessonFile(const QString &id) {
    const QString folder = lessonIds().contains(id)  ? ":/lessons/"
                           : modelIds().contains(id) ? ":/models/"
                                                     : ":/examples/";
    QFile file(folder + id + ".headlight");
    if (!isBuiltIn(id) || !file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll();
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
    return core::readSession({json.constData(), static_cast<std::size_t>(json.size())}, seed);
}

} // namespace headlight::ui
