#include "ui/document/source.h"

#include "core/analysis/random_repeats.h"
#include "core/formats/capture/captured_session.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/pretrained_session.h"
#include "core/transformer/plan/model_stages.h"
#include "ui/document/captured_source.h"
#include "ui/document/edits/mask_edits.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/mechanism_edits.h"
#include "ui/document/edits/media_edits.h"
#include "ui/document/edits/word_edits.h"
#include "ui/document/fitting_selection.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/picture_file.h"
#include "ui/document/state/fitting_input.h"
#include "ui/text/file_path.h"

#include <algorithm>
#include <filesystem>
#include <new>

namespace headlight::ui {

namespace {

/// Reads the capture that the session refers to, if any.
core::Result<core::Session> withCapture(core::Session session, const QString &source,
                                        const std::stop_token &stop) {
    if (core::Outcome read = core::readCaptureOf(session, bytesOf(source), stop); !read)
        return read.error();
    return session;
}

std::string folderOf(const QString &path) {
    return std::filesystem::path(bytesOf(path)).parent_path().string();
}

/// Returns the course that the source is or belongs to, or null. In `source`, replaces a course
/// with its first lesson, and a lesson's file with the lesson's source in its course.
core::Result<OpenCoursePointer> courseFor(const SourceRequest &request, QString &source,
                                          const std::stop_token &stop) {
    const SourceKind kind = kindOfSource(source);
    if (request.course && request.course->indexOf(source) >= 0)
        return request.course;
    if (kind != SourceKind::Course && kind != SourceKind::CourseLesson) {
        OpenCoursePointer around =
            kind == SourceKind::Session ? courseAround(source, stop) : nullptr;
        if (around)
            source = around->lessons[around->indexOf(source)].id;
        return around;
    }
    core::Result<OpenCoursePointer> course =
        openCourse(kind == SourceKind::Course ? source : lessonInFile(source)->course, stop);
    if (course && kind == SourceKind::Course)
        source = (*course)->lessons.first().id;
    return course;
}

core::Result<core::Session> readFolder(const SourceRequest &request, const QString &source,
                                       const std::stop_token &stop) {
    const core::Tower usual = request.picture ? core::Tower::Pictures : core::Tower::Texts;
    core::Result<core::Session> session = core::sessionOfFolder(
        bytesOf(source), stop, request.expression, request.tower.value_or(usual));
    if (session && request.tower && !session->pretrained->tower)
        return core::Error{"this folder has only one model", "--tower", "leave it out"};
    return session;
}

core::Result<core::Session> readSource(const SourceRequest &request, const QString &source,
                                       const OpenCoursePointer &course,
                                       const std::stop_token &stop) {
    if (request.expression && kindOfSource(source) != SourceKind::ModelFolder)
        return core::Error{"it requires a model folder", "--expression", "leave it out"};
    if (request.tower && kindOfSource(source) != SourceKind::ModelFolder)
        return core::Error{"it requires a model folder", "--tower", "leave it out"};
    if (request.content)
        return *request.content;
    if (request.document) {
        core::Result<core::Session> session =
            core::readSession(*request.document, request.seed, stop);
        return session ? withCapture(*std::move(session), source, stop) : session;
    }
    switch (kindOfSource(source)) {
    case SourceKind::Session: {
        core::Result<core::Session> session =
            core::readSessionFile(bytesOf(source), request.seed, stop);
        return session ? withCapture(*std::move(session), source, stop) : session;
    }
    case SourceKind::Figure: {
        const core::Result<core::FigureSession> figure =
            core::readFigureFile(bytesOf(source), stop);
        if (!figure)
            return figure.error();
        core::Result<core::Session> session =
            core::readSession(figure->session, request.seed, stop, folderOf(source));
        if (!session)
            return core::Error{session.error().what, bytesOf(source) + ": " + session.error().where,
                               session.error().remedy};
        return withCapture(*std::move(session), source, stop);
    }
    case SourceKind::CourseLesson:
        return readLessonOf(*course, source, request.seed, stop);
    case SourceKind::ModelFolder:
        return readFolder(request, source, stop);
    case SourceKind::Capture:
        return core::sessionOfCapture(bytesOf(source), stop);
    case SourceKind::Course: // opens its first lesson
    case SourceKind::Lesson:
    case SourceKind::Unknown:
        break;
    }
    return readLesson(source, request.seed);
}

core::MaskLayers layersOf(SourceRequest::Mask mask) {
    using Mask = SourceRequest::Mask;
    core::MaskLayers layers;
    if (mask == Mask::Causal || mask == Mask::CausalAndPadding)
        layers.emplace_back(std::in_place_type<core::CausalMask>);
    if (mask == Mask::Padding || mask == Mask::CausalAndPadding)
        layers.emplace_back(std::in_place_type<core::PaddingMask>);
    return layers;
}

/// Checks that an option's index is within `lowest` … count − 1. The error names the option.
core::Outcome inRange(const char *option, std::optional<core::Index> index, core::Index count,
                      core::Index lowest = 0) {
    if (!index || (*index >= lowest && *index < count))
        return core::Done{};
    return core::Error{{"%1 is out of range", *index},
                       option,
                       count == 1 ? core::Message("only 0 exists here")
                                  : core::Message("use 0 to %1", count - 1)};
}

constexpr core::Index kNone = -1; // clears an index of the selection

/// Returns the number of columns of the widest stage.
core::Index widestOf(const core::Model &model) {
    if (model.captured)
        return core::widestOf(*model.captured);
    const core::Config &config = model.config;
    core::Index widest = std::max({config.width, config.queryWidth(), config.concatenatedWidth(),
                                   config.widestEmbedding(), config.widestFeedForward(),
                                   config.outputLayer.classes});
    for (const core::Parameter &matrix : {model.parameters.main.embeddings})
        widest = std::max(widest, matrix ? matrix->rows() : 0);
    if (const core::Parameter &output = model.parameters.outputLayer.output)
        widest = std::max(widest, output->columns());
    return widest;
}

/// Looks up tokens by their ids.
core::Result<std::vector<core::Token>> tokensOf(const core::Model &model, core::Stack stack,
                                                const std::vector<core::Index> &ids,
                                                const char *option) {
    const core::Vocabulary *words = model.vocabularyOf(stack);
    if (!words)
        return core::Error{"this source splits text into words and has no numbered vocabulary",
                           option, "use --text"};
    std::vector<core::Token> tokens;
    for (const core::Index id : ids) {
        if (id >= words->size())
            return core::Error{
                {"%1 is out of range", id}, option, {"use 0 to %1", words->size() - 1}};
        tokens.push_back(model.embeddingMatrix(stack) ? words->token(id)
                                                      : core::Token{words->word(id)});
    }
    return tokens;
}

/// Replaces the text of the attending sequences or, if `second` is set, of the second sequences.
core::Outcome read(OpenedSource &opened, const std::string &text, bool second, const char *option) {
    core::Session session = opened.session;
    session.model = opened.state.model;
    session.input = opened.state.input;
    core::Result<core::Session> retold =
        second ? core::withSourceText(session, text) : core::withText(session, text);
    if (!retold)
        return core::Error{retold.error().what, option, retold.error().remedy};
    (second ? opened.state.input.source : opened.state.input.batch) =
        second ? retold->input.source : retold->input.batch;
    return core::Done{};
}

/// Replaces the tokens directly, without the tokenizer.
core::Outcome read(OpenedSource &opened, std::vector<core::Token> tokens, bool second,
                   const char *option) {
    const core::Index minimumLength =
        second ? opened.session.sourceMinimumLength : opened.session.minimumLength;
    core::Result<core::BatchPointer> batch =
        core::Batch::create({core::TokenizedText{std::move(tokens)}}, minimumLength);
    if (!batch)
        return core::Error{batch.error().what, option, batch.error().remedy};
    (second ? opened.state.input.source : opened.state.input.batch) = *std::move(batch);
    return core::Done{};
}

/// Returns --text. With --pair, returns both texts joined by the model's separator.
core::Result<std::string> textsOf(const SourceRequest &request, const core::Model &model,
                                  core::Stack stack) {
    if (!request.pair)
        return *request.text;
    const std::string between = model.reader ? model.reader->betweenPair(stack) : "";
    if (between.empty())
        return core::Error{"this source has no separator for two texts", "--pair", "leave it out"};
    return *request.text + between + *request.pair;
}

constexpr char kRandomRepeats[] = "--random-repeats";

/// --text, --token-ids and --random-repeats set the input or, with two sequences, the source.
/// --target-… sets the attending sequence.
core::Outcome applyTexts(const SourceRequest &request, OpenedSource &opened) {
    const core::Model &model = opened.state.model;
    const bool hasTwo = opened.state.input.source != nullptr;
    const bool asksForTarget = request.targetText || request.targetTokenIds;
    if (asksForTarget && !hasTwo)
        return core::Error{
            "this source reads one sequence and has no second one that attends to it",
            request.targetText ? "--target-text" : "--target-token-ids", "leave it out"};
    std::optional<std::string> first;
    if (request.text) {
        auto text = textsOf(request, model, hasTwo ? model.sourceStack() : model.mainStack());
        if (!text)
            return text.error();
        first = *std::move(text);
    }
    std::optional<std::vector<core::Index>> ids = request.tokenIds;
    if (request.randomRepeats) {
        auto repeats = core::randomRepeats(model, *request.randomRepeats);
        if (!repeats)
            return core::Error{repeats.error().what, kRandomRepeats, repeats.error().remedy};
        ids = *std::move(repeats);
    }
    struct Asked {
        const std::optional<std::string> &text;
        const std::optional<std::vector<core::Index>> &ids;
        const char *textOption, *idsOption;
        bool second;
    };
    const Asked all[] = {
        {first, ids, "--text", request.randomRepeats ? kRandomRepeats : "--token-ids", hasTwo},
        {request.targetText, request.targetTokenIds, "--target-text", "--target-token-ids", false}};
    for (const Asked &asked : all) {
        if (asked.ids) {
            auto tokens = tokensOf(model, asked.second ? model.sourceStack() : model.mainStack(),
                                   *asked.ids, asked.idsOption);
            if (!tokens)
                return tokens.error();
            if (core::Outcome outcome =
                    read(opened, *std::move(tokens), asked.second, asked.idsOption);
                !outcome)
                return outcome;
        } else if (asked.text) {
            if (core::Outcome outcome = read(opened, *asked.text, asked.second, asked.textOption);
                !outcome)
                return outcome;
        }
    }
    dropWhatDoesNotFit(opened.state.input);
    return core::Done{};
}

/// Applies an edit as the window does. Its name is dropped, because there is no undo list.
core::Outcome apply(core::Result<Change> made, OpenedSource &opened) {
    if (!made)
        return made.error();
    opened.state = made->state();
    opened.computable = made->computable();
    return core::Done{};
}

core::Outcome applyPicture(const QString &path, OpenedSource &opened, const std::stop_token &stop) {
    const core::Result<core::Picture> picture = readPicture(path, stop);
    if (!picture)
        return picture.error();
    const core::Result<core::BatchPointer> patches =
        edits::patchesOf(opened.session, *picture, stop);
    if (!patches)
        return patches.error();
    return apply(edits::setPicture(opened.state, *patches, path), opened);
}

core::Outcome applySound(const QString &path, OpenedSource &opened, const std::stop_token &stop) {
    const core::Result<core::Sound> sound = core::readWavFile(bytesOf(path), stop);
    if (!sound)
        return sound.error();
    const core::Result<core::BatchPointer> frames = edits::framesOf(opened.session, *sound, stop);
    if (!frames)
        return frames.error();
    return apply(edits::setSound(opened.state, *frames, path), opened);
}

/// True if the stack and its layer exist.
bool isThere(const core::Model &model, core::AttentionId attention) {
    return model.hasStack(attention.stack) &&
           (attention.layer == 0 || attention.layer < model.layerCount(attention.stack));
}

core::Outcome applyVectors(const QString &path, OpenedSource &opened, const std::stop_token &stop) {
    if (!opened.state.model.embeddings)
        return core::Error{"this source has no words", "--vectors", "leave it out"};
    const core::Result<core::WordVectors> vectors =
        core::readWordVectors(bytesOf(path), edits::wordsOf(opened.session, opened.state),
                              opened.state.model.embeddings->given().ignoreCase, {}, stop);
    if (!vectors)
        return vectors.error();
    return apply(edits::setWordVectors(opened.state, *vectors, path), opened);
}

core::Outcome applyHeads(const SourceRequest &request, OpenedSource &opened) {
    for (const HeadName &name : request.silencedHeads) {
        const auto attention = attentionNamed(name, opened.state.model, "--silence");
        if (!attention)
            return attention.error();
        if (core::Outcome outcome = apply(
                edits::setHead(opened.state, *attention, name.head, core::HeadState::Zero), opened);
            !outcome)
            return outcome;
    }
    for (const ScaledHead &scaled : request.scaledHeads) {
        const auto attention = attentionNamed(scaled.head, opened.state.model, "--scale-head");
        if (!attention)
            return attention.error();
        if (core::Outcome outcome =
                apply(edits::scaleHead(opened.state, *attention, scaled.head.head, scaled.factor),
                      opened);
            !outcome)
            return core::Error{outcome.error().what, "--scale-head", outcome.error().remedy};
    }
    return core::Done{};
}

/// Applies the request's text, mask, positions, scaling and heads, as if the user had just made
/// these edits.
core::Outcome applyEdits(const SourceRequest &request, OpenedSource &opened,
                         const std::stop_token &stop) {
    if (core::Outcome outcome = applyTexts(request, opened); !outcome)
        return outcome;
    if (request.picture)
        if (core::Outcome outcome = applyPicture(*request.picture, opened, stop); !outcome)
            return outcome;
    if (request.sound)
        if (core::Outcome outcome = applySound(*request.sound, opened, stop); !outcome)
            return outcome;
    if (request.mask != SourceRequest::Mask::Own)
        if (core::Outcome outcome =
                apply(edits::setLayers(opened.state, layersOf(request.mask)), opened);
            !outcome)
            return outcome;
    if (request.positions)
        if (core::Outcome outcome = apply(edits::setPositions(opened.state, *request.positions,
                                                              opened.session.model.parameters),
                                          opened);
            !outcome)
            return outcome;
    if (request.scale)
        if (core::Outcome outcome = apply(edits::setScale(opened.state, *request.scale), opened);
            !outcome)
            return outcome;
    if (core::Outcome outcome = applyHeads(request, opened); !outcome)
        return outcome;
    if (request.vectors)
        if (core::Outcome outcome = applyVectors(*request.vectors, opened, stop); !outcome)
            return outcome;
    for (const auto &file : {request.picture, request.sound, request.vectors})
        if (file)
            opened.importedFiles.push_back(bytesOf(*file));
    return core::Done{};
}

/// Returns the session with the model and the input that were saved. `base` is the state of the
/// saved step.
core::Result<core::Session> savedState(const core::Session &session, const DocumentState &base) {
    core::Session below = session;
    // `base` may lack masks and scores that the file has for tokens beyond the step's text.
    const core::Result<core::Session> step = core::atStep(session, session.now->step);
    const bool isAsRead =
        !session.lesson || (step && step->model == base.model && step->input == base.input);
    if (const auto &read = session.now->computable; read && isAsRead) {
        below.model = read->model();
        below.input = read->input();
        return below;
    }
    below.model = base.model;
    below.input = base.input;
    return core::patched(std::move(below), session.now->set);
}

/// Goes to the requested step, starting from the saved user state. Without a request, uses the
/// saved state, or else the first step.
core::Outcome goToState(const SourceRequest &request, OpenedSource &opened) {
    const core::Session &session = opened.session;
    if (!session.lesson && request.step)
        return core::Error{"this session is not a lesson and has no steps", "--step",
                           "leave it out"};
    const core::SavedState now = session.now.value_or(core::SavedState());
    const auto go = [&](core::Index step) -> core::Outcome {
        core::Result<DocumentState> atStep = stateAtStep(session, step, opened.state);
        if (!atStep)
            return request.step ? core::Error{atStep.error().what, "--step", atStep.error().remedy}
                                : atStep.error();
        opened.state = *std::move(atStep);
        return core::Done{};
    };
    if (session.lesson)
        if (core::Outcome outcome = go(now.step); !outcome)
            return outcome;
    if (session.now) {
        const DocumentState base = opened.state;
        const core::Result<core::Session> left = savedState(session, base);
        if (!left)
            return left.error();
        opened.state.model = left->model;
        opened.state.input = left->input;
        opened.state.edits = differenceBetween(base, opened.state);
        if (now.training)
            opened.state.training = now.training;
        opened.birth = now.birth;
        opened.modelView = now.modelView;
    }
    const core::Index step = request.step.value_or(now.step);
    if (step != now.step)
        if (core::Outcome outcome = go(step); !outcome)
            return outcome;
    if (session.lesson)
        applyView(shownAt(session, step), opened);
    if (session.now && step == now.step)
        applyView(now.show, opened);
    return core::Done{};
}

} // namespace

core::Result<core::AttentionId> attentionNamed(const HeadName &name, const core::Model &model,
                                               const char *option) {
    const core::Stack stack = name.stack.value_or(model.mainStack());
    if (!model.hasStack(stack))
        return core::Error{{"this source has no %1", wordOf(stack)}, option, "leave it out"};
    const core::Index layers = model.layerCount(stack);
    if (name.layer >= layers)
        return core::Error{{"there is no layer %1", name.layer},
                           option,
                           layers == 1 ? core::Message("only 0 exists here")
                                       : core::Message("use 0 to %1", layers - 1)};
    core::AttentionId attention{name.layer, name.block.value_or(core::Block::SelfAttention), stack};
    if (!name.block && !model.hasAttention(attention))
        attention.block = core::Block::CrossAttention;
    if (!model.hasAttention(attention))
        return core::Error{{"layer %1 has no %2-attention", name.layer, wordOf(attention.block)},
                           option,
                           "leave it out"};
    const core::Index heads = model.headsOf(attention);
    if (name.head >= heads)
        return core::Error{{"layer %1 has no head %2", name.layer, name.head},
                           option,
                           heads == 1 ? core::Message("only 0 exists here")
                                      : core::Message("use 0 to %1", heads - 1)};
    return attention;
}

void applyView(const core::SelectionPatch &view, OpenedSource &opened) {
    opened.selection = view.applied(opened.selection);
    if (view.view)
        opened.view = QString::fromStdString(*view.view);
    opened.state.softmax = view.softmax.value_or(opened.state.softmax);
}

core::Outcome applySelection(const SourceRequest &request, OpenedSource &opened) {
    const core::Model &model = opened.state.model;
    const core::Input &input = opened.state.input;
    core::Selection &selection = opened.selection;
    if (request.stack && !model.hasStack(*request.stack))
        return core::Error{
            {"this source has no %1", wordOf(*request.stack)}, "--stack", "leave it out"};
    // Only the main stack has cross-attention.
    if (request.block == core::Block::CrossAttention)
        selection.stack = model.mainStack();
    selection.stack = request.stack.value_or(selection.stack);
    if (request.place && isThere(model, request.place->attention)) {
        selection.stage = request.place->stage;
        selection.setAttention(request.place->attention);
    } else if (request.place &&
               core::infoOf(request.place->stage).part == core::Part::OutputLayer) {
        // fittingSelection() selects the stack that predicts. A query or key of another stack would
        // refer to a token of another text.
        if (selection.stack != model.mainStack())
            selection.query = selection.key = std::nullopt;
        selection.stage = request.place->stage;
    }
    selection = fittingSelection(selection, opened.state);
    for (const core::Outcome &outcome :
         {inRange("--sequence", request.sequence, input.batch->count()),
          inRange("--layer", request.layer, model.layerCount(selection.stack))})
        if (!outcome)
            return outcome;
    selection.sequence = request.sequence.value_or(selection.sequence);
    selection.layer = request.layer.value_or(selection.layer);
    if (request.block) {
        core::AttentionId attention = selection.attention();
        attention.block = *request.block;
        if (!model.hasAttention(attention) && !model.attentions().empty())
            return core::Error{{"this source has no %1-attention there", wordOf(attention.block)},
                               "--block " + std::string(wordOf(attention.block)),
                               "leave it out, or use another --block, --stack or --layer"};
        selection.block = attention.block;
    }
    for (const core::Outcome &outcome :
         {inRange("--head", request.head, model.headsOf(selection.attention())),
          inRange("--query", request.query, input.queries(selection.attention()).length(), kNone),
          inRange("--key", request.key, input.keys(selection.attention()).length(), kNone),
          inRange("--dimension", request.dimension, widestOf(model), kNone)})
        if (!outcome)
            return outcome;
    selection.head = request.head.value_or(selection.head);
    const auto choose = [](std::optional<core::Index> &index, std::optional<core::Index> wanted) {
        if (wanted)
            index = *wanted < 0 ? std::nullopt : wanted;
    };
    choose(selection.query, request.query);
    choose(selection.key, request.key);
    choose(selection.dimension, request.dimension);
    selection.opened = request.opened.value_or(selection.opened);
    opened.state.softmax = request.softmax.applied(opened.state.softmax);
    const core::SoftmaxLook &softmax = opened.state.softmax;
    const bool isOfOwn = request.softmax.times || request.softmax.temperature;
    if (isOfOwn && !softmax.isOwn())
        return core::Error{"it requires custom logits",
                           request.softmax.times ? "--times" : "--temperature",
                           "give them with --logits"};
    return core::Done{};
}

core::Result<OpenedSource> withComputable(OpenedSource opened) {
    const core::Model &model = opened.state.model;
    const core::Input &input = opened.state.input;
    if (opened.computable && opened.computable->isOf(model, input))
        return opened;
    core::Result<core::Computable> computable = core::computableOf(opened.session, model, input);
    if (!computable)
        return computable.error();
    opened.computable = *std::move(computable);
    return opened;
}

core::Result<OpenedSource> openSource(const SourceRequest &request, std::stop_token stop) try {
    QString source = request.source.isEmpty() ? openingLesson() : request.source;
    const core::Result<OpenCoursePointer> course = courseFor(request, source, stop);
    if (!course)
        return course.error();
    core::Result<core::Session> session = readSource(request, source, *course, stop);
    if (!session)
        return session.error();
    if (session->capture)
        return openCaptured(request, *std::move(session), source, std::move(stop));
    OpenedSource opened;
    opened.session = *std::move(session);
    opened.source = source;
    opened.seed = request.seed;
    opened.course = *course;
    if (!opened.seed && opened.session.now)
        opened.seed = opened.session.now->seed;
    opened.state = {opened.session.model, opened.session.input, 0, {}, opened.session.training};
    applyView(opened.session.view, opened);
    if (core::Outcome outcome = goToState(request, opened); !outcome)
        return outcome.error();
    if (core::Outcome outcome = applyEdits(request, opened, stop); !outcome)
        return outcome.error();
    if (core::Outcome outcome = applySelection(request, opened); !outcome)
        return outcome.error();
    core::Result<OpenedSource> checked = withComputable(std::move(opened));
    if (checked)
        checked->state.edits =
            differenceBetween(baseAt(checked->session, checked->state.lessonStep), checked->state);
    return checked;
} catch (const std::bad_alloc &) {
    // The document that is open stays open, so closing it can free memory.
    return core::Error{"there is not enough memory to open it", bytesOf(request.source),
                       "close what is open, or open something smaller"};
}

} // namespace headlight::ui
