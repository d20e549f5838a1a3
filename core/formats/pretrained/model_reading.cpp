#include "core/formats/pretrained/model_reading.h"

#include "core/in_quotes.h"
#include "core/tokenizers/token_words.h"
#include "core/transformer/model/parameter_summary.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the maximum text length: the number of learned positions, or else the value in
/// config.json.
std::optional<Index> positionsIn(const FamilyModel &made, const JsonValue &config) {
    if (made.config.positions == Positions::Learned)
        return made.positions - made.config.positionOffset;
    if (made.config.positions == Positions::Relative)
        return std::nullopt;
    // In a multimodal model, the text model has its own object.
    const JsonValue *text = config.find("text_config");
    const bool hasText = text && text->kind == JsonValue::Kind::Object;
    for (const char *name : {"max_position_embeddings", "n_positions", "n_ctx", "block_size"}) {
        const JsonValue *value = (hasText ? *text : config).find(name);
        if (value && value->kind == JsonValue::Kind::Number && value->number >= 1 &&
            value->number <= static_cast<double>(kMaxConfigPositions))
            return static_cast<Index>(value->number);
    }
    return std::nullopt;
}

} // namespace

void readParts(const PretrainedParts &parts, PretrainedFolder &folder, Findings &findings,
               const std::stop_token &stop) {
    const Family &family = parts.family;
    Reading reading;
    reading.stop = StopCheck(stop);
    FamilyFields fields(Field(&parts.config, "", reading));
    FamilyTensors tensors(parts.tensors, family.prefix);
    FamilyModel made = family.read(fields, tensors);
    fields.refusePrunedHeads();
    fields.ignore(kUnusedFields);
    fields.ignore(family.unusedFields);
    for (const Error &problem : reading.problems)
        findings.problems.push_back({problem.what, parts.whereOf(problem.where), problem.remedy});
    for (const Error &problem : tensors.problems())
        findings.problems.push_back(
            {problem.what,
             problem.where.starts_with("model.") ? parts.whereOf(problem.where) : problem.where,
             problem.remedy});
    if (!findings.problems.empty())
        return;
    for (const Warning &odd : reading.asked.unknownIn(parts.config, kMaxProblems))
        addWarning(findings, {"unknown field of %1, ignored", family.name},
                   parts.whereOf(odd.where));
    for (const std::string &name : tensors.unnamed(family.unusedTensors))
        addWarning(findings,
                   {"unknown tensor %1 of %2, ignored",
                    inQuotes(parts.tensors.nameInFile(name), kTensorNameShown), family.name},
                   parts.tensors.fileOf(name));
    folder.embeddingsTensor = parts.tensors.nameInFile(tensors.embeddingsTensor());
    folder.outputTensor = parts.tensors.nameInFile(tensors.outputTensor());
    folder.declaredPositions = positionsIn(made, parts.config);
    folder.masks = std::move(made.masks);
    folder.encoderMasks = std::move(made.encoderMasks);
    folder.crossMasks = std::move(made.crossMasks);
    folder.decoderStart = made.decoderStart;
    folder.logitScale = made.logitScale;
    folder.model.config = std::move(made.config);
    folder.model.parameters = std::move(made.parameters);
    for (const std::string_view type : numberTypesOf(folder.model.parameters)) {
        // The type is F32 after decoding MXFP4 and for convolutions, so the files may not contain
        // it.
        const bool isInFiles =
            std::ranges::any_of(parts.tensors.names(), [&](const std::string &name) {
                return parts.tensors.find(name)->dtype == type;
            });
        if (!(tensors.hasMxfp4() || folder.model.config.soundBands > 0) || isInFiles)
            folder.numberTypes.emplace_back(type);
    }
    if (tensors.hasMxfp4())
        folder.numberTypes.emplace_back("MXFP4");
}

Result<VocabularyPointer> wordsFor(const Tokenizer *tokenizer, const Parameter &embeddings) {
    if (!embeddings)
        return VocabularyPointer();
    return Vocabulary::create(wordsOf(tokenizer, embeddings->rows()));
}

void addWarning(Findings &findings, Message what, std::string where) {
    if (findings.warnings.size() < kMaxProblems)
        findings.warnings.push_back({std::move(what), std::move(where), "", ""});
}

std::string ModelHash::text() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += "0123456789abcdef"[(m_state >> shift) & 15];
    return digits;
}

} // namespace headlight::core
