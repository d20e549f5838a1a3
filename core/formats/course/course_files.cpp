#include "core/formats/course/course_files.h"

#include "core/formats/json/reader.h"

#include <algorithm>
#include <filesystem>

namespace headlight::core {

namespace {

std::string textOf(const JsonValue *value) {
    return value && value->kind == JsonValue::Kind::String ? value->text() : std::string();
}

Index countOf(const JsonValue *value) {
    return value && value->kind == JsonValue::Kind::Number && value->number >= 1 &&
                   value->number <= 600
               ? static_cast<Index>(value->number)
               : 0;
}

std::string idOf(std::string_view name) {
    return std::string(name.substr(0, name.size() - kLessonEnding.size()));
}

/// Reads only the data that a list of lessons shows, not the model.
Result<CourseLesson> lessonOf(CourseFile file, const std::string &where,
                              const std::stop_token &stop) {
    const Result<JsonValue> json = readJson(file.bytes, stop);
    if (!json)
        return isCancelled(json.error())
                   ? json.error()
                   : Error{json.error().what, where + ": " + file.name + ": " + json.error().where,
                           json.error().remedy};
    CourseLesson lesson{idOf(file.name), textOf(json->find("title")), {}, 0, 0};
    if (lesson.title.empty())
        lesson.title = lesson.id;
    if (const JsonValue *object = json->find("lesson")) {
        lesson.summary = textOf(object->find("summary"));
        lesson.minutes = countOf(object->find("minutes"));
        const JsonValue *steps = object->find("steps"), *needs = object->find("needs");
        if (steps && steps->kind == JsonValue::Kind::Array)
            lesson.steps = static_cast<Index>(steps->elements().size());
        if (needs && needs->kind == JsonValue::Kind::Array)
            for (const JsonValue &need : needs->elements())
                lesson.needs.push_back(textOf(&need));
    }
    lesson.document = std::move(file.bytes);
    return lesson;
}

/// Reads course.json; errors name the field.
class OrderReader {
  public:
    OrderReader(Course &course, std::string where) : m_course(course), m_where(std::move(where)) {}

    Outcome read(const std::stop_token &stop) {
        const Result<JsonValue> json = readJson(m_course.order, stop);
        if (!json)
            return isCancelled(json.error())
                       ? json.error()
                       : Error{json.error().what, m_where + ": " + json.error().where,
                               json.error().remedy};
        if (json->kind != JsonValue::Kind::Object)
            return wrong("expected an object", "");
        if (const JsonValue *title = json->find("title")) {
            if (title->kind != JsonValue::Kind::String || title->text().empty() ||
                title->text().size() > kMaxTitle)
                return wrong("expected text in quotes", ": title");
            m_course.title = title->text();
        }
        const JsonValue *lessons = json->find("lessons");
        return lessons ? sort(*lessons) : Done{};
    }

  private:
    static constexpr std::size_t kMaxTitle = 1024;

    Error wrong(Message what, const std::string &field) const {
        return {std::move(what), m_where + field, "{\"title\": …, \"lessons\": [file names]}"};
    }
    /// Sorts the lessons as listed in course.json and removes the others.
    Outcome sort(const JsonValue &names) {
        if (names.kind != JsonValue::Kind::Array || names.elements().empty())
            return wrong("expected a list of file names", ": lessons");
        std::vector<CourseLesson> sorted;
        for (std::size_t i = 0; i < names.elements().size(); ++i) {
            const std::string name = textOf(&names.elements()[i]);
            const std::string field = ": lessons[" + std::to_string(i) + "]";
            const std::string id = isLessonName(name) ? idOf(name) : name;
            const auto found = std::ranges::find(m_course.lessons, id, &CourseLesson::id);
            if (found == m_course.lessons.end()) {
                const bool isTwice = std::ranges::count(sorted, id, &CourseLesson::id) > 0;
                return isTwice ? wrong({"%1 is listed twice", inQuotes(name)}, field)
                               : wrong({"there is no lesson %1 in the same folder", inQuotes(name)},
                                       field);
            }
            sorted.push_back(std::move(*found));
            m_course.lessons.erase(found);
        }
        m_course.lessons = std::move(sorted);
        return Done{};
    }

    Course &m_course;
    std::string m_where;
};

} // namespace

const CourseLesson *Course::find(std::string_view id) const {
    const auto found = std::ranges::find(lessons, id, &CourseLesson::id);
    return found == lessons.end() ? nullptr : &*found;
}

bool isLessonName(std::string_view name) {
    constexpr std::size_t kMaxNameBytes = 200;
    return name.size() > kLessonEnding.size() && name.size() <= kMaxNameBytes &&
           name.ends_with(kLessonEnding) && !name.starts_with('.') &&
           std::ranges::none_of(name, [](char c) {
               return c == '/' || c == '\\' || c == ':' || static_cast<unsigned char>(c) < 0x20 ||
                      c == 0x7F;
           });
}

Result<CoursePointer> courseOf(std::vector<CourseFile> files, const std::string &where,
                               const std::stop_token &stop) {
    auto course = std::make_shared<Course>();
    course->title = std::filesystem::path(where).stem().string();
    if (course->title.empty()) // `where` ends in a slash: "folder/"
        course->title = std::filesystem::path(where).parent_path().filename().string();
    std::ranges::sort(files, {}, &CourseFile::name);
    for (CourseFile &file : files) {
        if (file.name == kCourseOrder) {
            course->order = std::move(file.bytes);
            continue;
        }
        Result<CourseLesson> lesson = lessonOf(std::move(file), where, stop);
        if (!lesson)
            return lesson.error();
        course->lessons.push_back(*std::move(lesson));
    }
    if (course->lessons.empty())
        return Error{"it contains no lesson", where, "use file names that end in .headlight"};
    if (!course->order.empty())
        if (const Outcome read =
                OrderReader(*course, where + ": " + std::string(kCourseOrder)).read(stop);
            !read)
            return read.error();
    return CoursePointer(std::move(course));
}

Outcome carriesItsModel(const CourseLesson &lesson, const std::string &where) {
    const Result<JsonValue> json = readJson(lesson.document);
    for (const char *member : {"pretrained", "capture"})
        if (json && json->find(member))
            return Error{{"its %1 is a separate file, which a course cannot contain", member},
                         where + ": " + lesson.id + std::string(kLessonEnding),
                         "give it a model of its own, or leave it out"};
    return Done{};
}

} // namespace headlight::core
