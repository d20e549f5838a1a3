// M2M-100 and NLLB (modeling_m2m_100.py of transformers): BART's stack with pre-norm and a norm
// after the last layer of the encoder and of the decoder. The sinusoids come from fairseq and have
// other wavelengths than the paper's, so they are computed here and stored like learned positions.
#include "core/formats/pretrained/families/bart_stack.h"
#include "core/formats/pretrained/families/families.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Limit on the table of positions: 256 MB.
constexpr Index kMaxPositionNumbers = Index(1) << 26;

/// Returns the sinusoids [rows, width]. Row p is sin(p·w_i) and then cos(p·w_i) with w_i =
/// 10000^(−i/(h − 1)), where h = ⌊width/2⌋. The last column of an odd width is 0. Requires width ≥
/// 4.
Matrix fairseqSinusoids(Index rows, Index width) {
    const Index half = width / 2;
    Matrix table(rows, width);
    for (Index i = 0; i < half; ++i) {
        const double frequency =
            std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half - 1));
        for (Index row = 0; row < rows; ++row) {
            const double angle = static_cast<double>(row) * frequency;
            table(row, i) = static_cast<float>(std::sin(angle));
            table(row, half + i) = static_cast<float>(std::cos(angle));
        }
    }
    if (width % 2 == 1)
        for (Index row = 0; row < rows; ++row)
            table(row, width - 1) = 0;
    return table;
}

FamilyModel readM2m100(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = bartStack(fields, {.place = NormPosition::Before,
                                           .scalesEmbeddings = true,
                                           .start = 2,
                                           .activation = "relu"});
    Config &config = model.config;
    config.positions = Positions::Learned;
    config.sinusoidOrder = {};
    config.positionOffset = fields.id("pad_token_id").value_or(1) + 1;
    model.positions += config.positionOffset;
    if (config.width < 4)
        fields.refuse("d_model", {"%1 dimensions are too few for its positions", config.width},
                      "there must be at least 4");
    else if (model.positions > kMaxPositions ||
             model.positions * config.width > kMaxPositionNumbers)
        fields.refuse("max_position_embeddings",
                      {"%1 positions of %2 dimensions are too many", model.positions, config.width},
                      {"there may be %1 numbers in all", kMaxPositionNumbers});
    if (!fields.isSound())
        return model;
    readBartParameters(fields, tensors, model);
    if (!tensors.problems().empty())
        return model;
    const Parameter table = makeParameter(fairseqSinusoids(model.positions, config.width));
    model.parameters.encoder.positions = table;
    model.parameters.main.positions = table;
    return model;
}

constexpr std::string_view kM2m100Types[] = {"m2m_100"};
// Tensors to ignore: copies of the embedding matrix, and positions, which are computed here.
constexpr std::string_view kM2m100Ignored[] = {
    "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
    "model.encoder.embed_positions.weights", "model.decoder.embed_positions.weights"};

} // namespace

const Family kM2m100{
    .name = "M2M-100",
    .paper = "Fan et al. 2021, Beyond English-Centric Multilingual Machine Translation",
    .notes = "M2M-100 and NLLB. Their sinusoids have other wavelengths than the paper's, so "
             "Headlight shows them as learned positions. The token of the target language, such "
             "as `__fr__`, is typed at the start of the decoder's text",
    .modelTypes = kM2m100Types,
    .prefix = "model.",
    .unusedFields = kBartStackUnused,
    .unusedTensors = kM2m100Ignored,
    .read = readM2m100,
};

} // namespace headlight::core
