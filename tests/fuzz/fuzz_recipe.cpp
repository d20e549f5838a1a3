// Takes arbitrary words as the command line that a figure stores, merges typed words over them, and
// parses them as `figure` does. Expects that only typed words set input and output files, and that
// the new figure stores nothing harmful.
#include "app/arguments.h"
#include "app/figure_command_line.h"
#include "core/formats/figure/figure_session.h"
#include "tests/fuzz/hold.h"

using namespace headlight;

namespace {

app::Arguments typed(std::vector<std::string> words) {
    words.insert(words.begin(), {"headlight", "figure"});
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    return std::get<app::Arguments>(
        app::parseArguments(static_cast<int>(pointers.size()), pointers.data()));
}

/// Splits the bytes into lines. If they are a figure, returns its stored words.
QStringList wordsIn(std::string_view bytes) {
    QStringList words;
    if (const auto figure = core::readFigure(bytes)) {
        for (const std::string &word : figure->arguments)
            words << QString::fromStdString(word);
        return words;
    }
    words = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size())).split('\n');
    return words.mid(0, static_cast<qsizetype>(core::kMaxFigureArguments));
}

bool isLesson(const QString &word) {
    return ui::kindOfSource(word) == ui::SourceKind::Lesson;
}

void asTyped(const app::Arguments &typed, const app::Arguments &again) {
    hold(again.command == app::Command::Figure);
    hold(again.output == typed.output && again.format == typed.format);
    hold(again.request.source == typed.request.source);
    hold(again.request.vectors == typed.request.vectors);
    hold(again.compare.source.isEmpty() || again.compare.source == typed.compare.source ||
         isLesson(again.compare.source));
    hold(!again.compare.vectors && again.session == typed.session && !again.json);
    hold(typed.theme.isEmpty() || again.theme == typed.theme);
    hold(typed.title.isEmpty() || again.title == typed.title);
    hold(!typed.request.head || again.request.head == typed.request.head);
    hold(typed.size.isEmpty() || again.size == typed.size);
    hold(!typed.size.isEmpty() || again.scale <= 8);
    const QSizeF pixels = again.size.inPixels();
    hold(!typed.size.isEmpty() || pixels.width() * pixels.height() <= app::kMaxCarriedPixels);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const app::Arguments all[] = {
        typed({"got.svg", "-o", "out.png"}),
        typed({"--output=-", "--format", "svg", "got.png", "--theme=dark", "--head", "1"}),
        typed({"-oout.pdf", "--title", "mine", "--vectors", "v.txt", "--compare=./a.headlight",
               "--size=200x100", "--", "got.pdf"}),
    };
    const QStringList carried = wordsIn({reinterpret_cast<const char *>(data), size});
    for (const app::Arguments &one : all) {
        const app::ParsedArguments parsed = app::paintedAgain(one, carried);
        hold(!std::holds_alternative<app::PrintAndExit>(parsed));
        const auto *again = std::get_if<app::Arguments>(&parsed);
        if (!again)
            continue;
        asTyped(one, *again);
        // The words in the new figure contain nothing that has to be left out.
        hold(again->words.size() <= 2 * qsizetype(core::kMaxFigureArguments));
        const app::MergedOptions twice = app::laidOver(again->words, {}, one.format);
        if (!one.request.vectors)
            hold(twice.leftOut.isEmpty() && twice.words == again->words);
    }
    return 0;
}
