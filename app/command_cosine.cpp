#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/analysis/cosine_similarity.h"
#include "core/analysis/sentence_vector.h"
#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/fields/words.h"
#include "core/formats/json/text.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/transformer/run/forward.h"
#include "ui/document/picture_file.h"
#include "ui/text/file_path.h"

#include <cmath>

namespace headlight::app {

namespace {

using Vector = std::vector<float>;

/// The vector of a text or a picture.
struct InputVector {
    Vector numbers;
    core::Index tokens = 0;
};

/// The cosine of two vectors, and values that only some folders provide.
struct TwoVectors {
    InputVector first, second;
    core::Cosine cosine;
    std::optional<core::SentencePooling> pooling{}; ///< how sentence-transformers pools
    std::optional<double> logit{};                  ///< CLIP's factor times the cosine
};

core::Result<core::TracePointer> traceOf(const core::PretrainedFolder &folder,
                                         core::Result<core::Input> input,
                                         const std::stop_token &stop) {
    if (!input)
        return input.error();
    auto computable = core::Computable::of(folder.model, *std::move(input));
    if (!computable)
        return computable.error();
    return core::forward(*computable, nullptr, stop);
}

core::Result<core::Input> inputOf(const core::PretrainedFolder &folder, const QString &text,
                                  const std::stop_token &stop) {
    auto tokens = core::tokenized(folder.model, core::Stack::Main, text.toStdString(), stop);
    if (!tokens)
        return tokens.error();
    return core::inputOf(folder, *std::move(tokens));
}

core::Result<InputVector> vectorOf(const core::PretrainedFolder &folder,
                                   const core::SentencePooling &pooling, const QString &text,
                                   const std::stop_token &stop) {
    auto input = inputOf(folder, text, stop);
    const core::Index count = input ? (*input).batch->length() : 0;
    if (pooling.longest && count > *pooling.longest)
        return core::Error{{"a text has %1 tokens, and sentence-transformers cuts it after %2",
                            count, *pooling.longest},
                           folder.path,
                           "use a shorter text"};
    const auto trace = traceOf(folder, std::move(input), stop);
    if (!trace)
        return trace.error();
    return InputVector{core::sentenceVector(**trace, 0, pooling), count};
}

bool projects(const core::PretrainedFolder &folder) {
    return folder.model.config.outputLayer.kind == core::OutputLayerKind::Projection;
}

/// Returns the vector in the space that texts and pictures share.
core::Result<InputVector> projectedOf(const core::PretrainedFolder &folder,
                                      core::Result<core::Input> input,
                                      const std::stop_token &stop) {
    const auto trace = traceOf(folder, std::move(input), stop);
    if (!trace)
        return trace.error();
    const core::SharedMatrix made = (*trace)->matrix(core::Stage::Projected, {}, 0, 0);
    const auto row = made.row(0);
    return InputVector{Vector(row.begin(), row.end()), (*trace)->batch().length()};
}

core::Result<InputVector> vectorOfPicture(const std::string &path, const QString &file,
                                          const std::stop_token &stop) {
    const auto folder = core::readPretrained(path, stop, {}, core::Tower::Pictures);
    if (!folder)
        return folder.error();
    if (!(*folder)->picture || !projects(**folder))
        return core::Error{"this folder does not compare texts with pictures", "--picture",
                           "use a folder of CLIP, or --pair TEXT"};
    const auto picture = ui::readPicture(file, stop);
    if (!picture)
        return picture.error();
    return projectedOf(**folder, core::inputOf(**folder, *picture), stop);
}

/// Compares two texts, or a text and a picture, in the space that CLIP's models share.
core::Result<TwoVectors> inSharedSpace(const core::PretrainedFolder &folder,
                                       const Arguments &arguments, const std::stop_token &stop) {
    auto first = projectedOf(folder, inputOf(folder, *arguments.text, stop), stop);
    if (!first)
        return first.error();
    auto second = arguments.request.picture
                      ? vectorOfPicture(folder.path, *arguments.request.picture, stop)
                      : projectedOf(folder, inputOf(folder, *arguments.pair, stop), stop);
    if (!second)
        return second.error();
    TwoVectors made{*std::move(first), *std::move(second), {}};
    made.cosine = core::cosineOf(made.first.numbers, made.second.numbers);
    if (folder.logitScale && made.cosine.isDefined)
        made.logit = std::exp(static_cast<double>(*folder.logitScale)) * made.cosine.value;
    return made;
}

core::Result<TwoVectors> ofSentences(const core::PretrainedFolder &folder,
                                     const Arguments &arguments, const std::stop_token &stop) {
    if (arguments.request.picture)
        return core::Error{"this folder does not compare texts with pictures", "--picture",
                           "use a folder of CLIP, or --pair TEXT"};
    if (!folder.sentence)
        return core::Error{"it is neither a folder of sentence-transformers nor of CLIP",
                           folder.path, "it should have modules.json"};
    const auto &pooling = *folder.sentence;
    if (!pooling)
        return pooling.error();
    auto first = vectorOf(folder, *pooling, *arguments.text, stop);
    if (!first)
        return first.error();
    auto second = vectorOf(folder, *pooling, *arguments.pair, stop);
    if (!second)
        return second.error();
    TwoVectors made{*std::move(first), *std::move(second), {}, *pooling};
    made.cosine = core::cosineOf(made.first.numbers, made.second.numbers);
    return made;
}

std::string number(double value) {
    return core::jsonNumber(static_cast<float>(value));
}

std::string jsonOf(const TwoVectors &made) {
    const core::Cosine &cosine = made.cosine;
    std::vector<core::JsonMemberText> members{
        {"cosine", cosine.isDefined ? number(cosine.value) : "null"},
        {"product", number(cosine.product)},
        {"lengths", core::jsonArray({number(cosine.firstLength), number(cosine.secondLength)})}};
    if (made.logit)
        members.push_back({"logit", number(*made.logit)});
    if (made.pooling) {
        members.push_back({"pooling", core::jsonText(core::wordFor(made.pooling->pooling))});
        members.push_back({"unit", made.pooling->isUnit ? "true" : "false"});
    }
    members.push_back({"dimensions", std::to_string(made.first.numbers.size())});
    members.push_back({"tokens", core::jsonArray({std::to_string(made.first.tokens),
                                                  std::to_string(made.second.tokens)})});
    return core::jsonObject(members) + '\n';
}

} // namespace

int runCosine(const Arguments &arguments, std::stop_token stop) {
    const auto failed = [](const core::Error &error) {
        return core::isCancelled(error) ? kInterrupted : fail(error);
    };
    const auto folder = core::readPretrained(ui::bytesOf(arguments.request.source), stop);
    if (!folder)
        return failed(folder.error());
    const auto made = projects(**folder) ? inSharedSpace(**folder, arguments, stop)
                                         : ofSentences(**folder, arguments, stop);
    if (!made)
        return failed(made.error());
    std::string text = made->cosine.isDefined
                           ? number(made->cosine.value)
                           : Words::tr("undefined, because a vector has length 0").toStdString();
    text += '\n';
    if (made->logit)
        text += number(*made->logit) + '\n';
    return writeOutput("-", arguments.json ? jsonOf(*made) : text, stop);
}

} // namespace headlight::app
