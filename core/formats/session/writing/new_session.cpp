// Writes a new session document from a model and its input.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "core/tokenizers/text/unicode.h"
#include "core/transformer/model/parameter_table.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <iterator>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

std::string indent(int levels) {
    return "\n" + std::string(static_cast<std::size_t>(2 * levels), ' ');
}

std::string embeddingsText(const Embeddings::Given &given) {
    Members members;
    Members words;
    for (const auto &[word, vector] : given.words)
        words.push_back({word, textOf(vector)});
    if (!words.empty())
        members.push_back({"words", jsonObject(words, indent(4))});
    if (given.deviation == 0) {
        members.push_back({"others", "\"zero\""});
    } else {
        members.push_back({"others", "{\"random\": " +
                                         jsonObject({{"seed", seedText(given.seed)},
                                                     {"scale", jsonNumber(given.deviation)}}) +
                                         "}"});
    }
    if (given.ignoreCase)
        members.push_back({"ignore_case", "true"});
    return jsonObject(members, indent(3));
}

struct PartText {
    std::string name; ///< such as "self_attention"
    Members members;
};

enum class Spelling {
    Typed,       ///< readable numbers, for small parameters
    Packed,      ///< base64
    PackedAsF16, ///< base64 of numbers that are rounded to 16 bits
};

JsonMemberText memberText(const ParameterId &id, const Parameter &parameter, Spelling spelling,
                          int depth) {
    const NumberType type = spelling == Spelling::PackedAsF16 ? NumberType::F16 : NumberType::F32;
    return {std::string(infoOf(id.which).name), spelling == Spelling::Typed
                                                    ? textOf(id.which, *parameter, indent(depth))
                                                    : base64Text(*parameter, type)};
}

std::string layerText(const ModelParameters &weights, Stack stack, Index layer, Spelling spelling,
                      int depth) {
    std::vector<PartText> parts;
    for (const ParameterId &id : allParameters(weights)) {
        const Parameter &parameter = parameterOf(weights, id);
        if (!parameter || id.stack != stack || id.layer != layer || !isOfLayer(id.which))
            continue;
        if (parts.empty() || parts.back().name != nameOfPart(id))
            parts.push_back({std::string(nameOfPart(id)), {}});
        parts.back().members.push_back(memberText(id, parameter, spelling, depth + 2));
    }
    Members members;
    for (const PartText &part : parts)
        members.push_back({part.name, jsonObject(part.members, indent(depth + 1))});
    return jsonObject(members, indent(depth));
}

/// Returns the members for the parameters of a part outside the layers.
Members partMembers(const ModelParameters &weights, ParameterPart part, Stack stack,
                    Spelling spelling, int depth) {
    Members members;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &parameter = parameterOf(weights, id);
            parameter && partOf(id.which) == part && id.stack == stack)
            members.push_back(memberText(id, parameter, spelling, depth));
    return members;
}

std::string vocabularyText(const Vocabulary &vocabulary) {
    std::string list;
    for (const std::string &word : vocabulary.words())
        list += (list.empty() ? "" : ", ") + jsonText(word);
    return "[" + list + "]";
}

/// Returns the members of a stack. The layers come last.
Members stackMembers(const ModelParameters &weights, Stack stack, Spelling spelling, int depth) {
    Members members = partMembers(weights, ParameterPart::Stack, stack, spelling, depth + 1);
    const auto &owned = (stack == Stack::Encoder ? weights.encoder : weights.main).layers;
    std::string layers;
    for (Index layer = 0; layer < static_cast<Index>(owned.size()); ++layer)
        layers += (layers.empty() ? "" : ",") + indent(depth + 1) +
                  layerText(weights, stack, layer, spelling, depth + 2);
    members.push_back({"layers", "[" + layers + indent(depth) + "]"});
    return members;
}

std::string encoderText(const Model &model, Spelling spelling) {
    Members members;
    if (model.config.encoderLayerCount > 0)
        members.push_back({"layer_count", std::to_string(model.config.encoderLayerCount)});
    const Members sizes = writtenMembers(model.config.encoder);
    members.insert(members.end(), sizes.begin(), sizes.end());
    if (model.sourceVocabulary)
        members.push_back({"vocabulary", vocabularyText(*model.sourceVocabulary)});
    const Members stack = stackMembers(model.parameters, Stack::Encoder, spelling, 3);
    members.insert(members.end(), stack.begin(), stack.end());
    return jsonObject(members, indent(3));
}

std::string modelText(const Model &model, Spelling spelling) {
    Members members = writtenMembers(model.config);
    if (model.vocabulary)
        members.push_back({"vocabulary", vocabularyText(*model.vocabulary)});
    if (!model.parameters.main.embeddings)
        members.push_back({"embeddings", embeddingsText(model.embeddings->given())});
    if (model.hasEncoder())
        members.push_back({"encoder", encoderText(model, spelling)});
    for (const Members &part :
         {stackMembers(model.parameters, Stack::Main, spelling, 2),
          partMembers(model.parameters, ParameterPart::OutputLayer, Stack::Main, spelling, 3)})
        members.insert(members.end(), part.begin(), part.end());
    return jsonObject(members, indent(2));
}

} // namespace

namespace {

std::string captureText(const CapturedFile &capture, const std::string &file) {
    return written(CapturedFile{asUtf8(file), capture.fingerprint});
}

} // namespace

std::string newCaptureSession(const Session &session) {
    Members members{{"headlight", "2"}};
    std::ranges::copy(writtenMembers<SessionHeader>(session), std::back_inserter(members));
    members.push_back({"capture", captureText(*session.capture, session.capture->path)});
    return jsonObject(members, indent(1)) + "\n";
}

std::string withCaptureFrom(const Session &session, const std::string &folder) {
    const std::filesystem::path path(session.capture->path);
    std::error_code code;
    const std::filesystem::path from =
        folder.empty() ? std::filesystem::path() : std::filesystem::absolute(folder, code);
    std::string file = path.lexically_relative(from).string();
    if (folder.empty() || file.empty())
        file = path.string(); // the absolute path
    return spliced(session.json, {{"capture", captureText(*session.capture, file)}});
}

std::string withoutOwnText(const std::string &document) {
    const std::string_view all = document;
    for (const JsonSpan &member : membersOf(all))
        if (member.name == "training") {
            const std::string_view training = all.substr(member.value, member.end - member.value);
            return spliced(all, {{"training", spliced(training, {{"text", ""}})}});
        }
    return document;
}

std::string writeNewSession(const SessionHeader &header, const Model &model, const Input &input,
                            Index minimumLength, const SelectionPatch &view,
                            Index sourceMinimumLength, const TrainingRun *training,
                            NumberType weights) {
    assert(model.embeddings && input.batch && !model.parameters.main.layers.empty());
    Members members{
        {"headlight", std::to_string(std::max({formatVersionOf(model), formatVersionOf(input),
                                               formatVersionOf(view), versionOfFields(header),
                                               training ? 2 : 1}))}};
    std::ranges::copy(writtenMembers(header), std::back_inserter(members));
    members.push_back({"batch", textOf(*input.batch, minimumLength)});
    if (input.source)
        members.push_back({"source", textOf(*input.source, sourceMinimumLength)});
    const Spelling spelling = !training                    ? Spelling::Typed
                              : weights == NumberType::F16 ? Spelling::PackedAsF16
                                                           : Spelling::Packed;
    members.push_back({"model", modelText(model, spelling)});
    if (!input.masks.empty())
        members.push_back({"masks", textOf(input.masks)});
    // Always written, because the default is a padding mask.
    if (model.hasEncoder())
        members.push_back({"encoder_masks", textOf(input.encoderMasks)});
    if (model.hasCrossAttention())
        members.push_back({"cross_masks", textOf(input.crossMasks)});
    if (!input.interventions.empty())
        members.push_back({"interventions", textOf(input.interventions)});
    if (const Members look = writtenMembers(view); !look.empty())
        members.push_back({"view", jsonObject(look)});
    if (training)
        members.push_back({"training", written(*training, indent(2))});
    return jsonObject(members, indent(1)) + "\n";
}

} // namespace headlight::core
