#include "core/formats/files/gguf.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/source.h"
#include "ui/text/file_path.h"

namespace headlight::ui {

SourceKind kindOfSource(const QString &word) {
    const bool isPath = word.contains('/') || pathExists(word);
    if (isPath && isFolder(word))
        return core::looksLikeCourse(bytesOf(word)) ? SourceKind::Course : SourceKind::ModelFolder;
    if (word.endsWith(QLatin1String(".headlight-course")))
        return SourceKind::Course;
    if (lessonInFile(word))
        return SourceKind::CourseLesson;
    if (word.endsWith(QLatin1String(".gguf")))
        return SourceKind::ModelFolder;
    for (const char *ending : {".safetensors", ".safetensors.index.json", ".npz"})
        if (word.endsWith(QLatin1String(ending)))
            return SourceKind::Capture;
    for (const char *ending : {".png", ".svg", ".pdf"})
        if (word.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return SourceKind::Figure;
    if (isPath && core::isGguf(bytesOf(word))) // other programs store GGUF files under any name
        return SourceKind::ModelFolder;
    if (isPath || word.endsWith(".headlight"))
        return SourceKind::Session;
    return isBuiltIn(word) ? SourceKind::Lesson : SourceKind::Unknown;
}

QString withoutFolder(const QString &source) {
    if (!source.contains('/'))
        return source;
    if (const std::optional<LessonInFile> lesson = lessonInFile(source))
        return withoutFolder(lesson->course) + '/' + lesson->id;
    const QString name = source.section('/', -1, -1, QString::SectionSkipEmpty);
    // "./" marks a file whose name would be read as a lesson or an option.
    return isBuiltIn(name) || name.startsWith('-') ? "./" + name : name;
}

} // namespace headlight::ui
