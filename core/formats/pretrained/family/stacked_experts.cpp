// Reads the parameters of experts that are stacked in one tensor.
#include "core/formats/pretrained/family/family_tensors.h"
#include "core/in_quotes.h"
#include "core/tensor/mxfp4.h"
#include "core/tensor/stacked_columns.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

namespace {

constexpr std::string_view kPlaceOfLayer = "{}";

std::string nameInLayer(std::string_view name, Index layer) {
    std::string text(name);
    if (const auto at = text.find(kPlaceOfLayer); at != text.npos)
        text.replace(at, kPlaceOfLayer.size(), std::to_string(layer));
    return text;
}

} // namespace

void FamilyTensors::readStacked(FamilyModel &model, std::span<const StackedRow> table) {
    if (m_problems.size() >= kMaxProblems || !validate(model.config))
        return;
    for (const StackedRow &row : table)
        for (Index layer = 0; layer < std::ssize(model.parameters.main.layers); ++layer)
            if (model.config.ofLayer(layer).feedForward.hasExperts())
                readStackedRow(model, row, layer);
}

std::string FamilyTensors::placeOf(const std::string &name) const {
    return m_source.fileOf(name) + ", tensor " +
           inQuotes(m_source.nameInFile(name), kTensorNameShown);
}

StoragePointer FamilyTensors::bytesOf(const std::string &name, const Shape &wanted,
                                      std::string_view dtype) {
    m_known.insert(name);
    const TensorInfo &tensor = *m_source.find(name);
    if (tensor.shape != wanted || tensor.dtype != dtype) {
        problem({"it is %1 of %2, expected %3 of %4", tensor.shape.text(), inQuotes(tensor.dtype),
                 wanted.text(), dtype},
                placeOf(name), m_source.remedyOfShape());
        return nullptr;
    }
    Result<StoragePointer> bytes = m_source.bytesOf(name);
    if (bytes)
        return *std::move(bytes);
    problem(bytes.error().what, bytes.error().where, bytes.error().remedy);
    return nullptr;
}

StoragePointer FamilyTensors::mxfp4Numbers(const std::string &name, Index experts, Index in,
                                           Index out) {
    const std::string blocks = find(name + "_blocks", false);
    const std::string scales = find(name + "_scales", false);
    if (in % kMxfp4Values != 0) {
        problem({"its rows of %1 numbers are not whole blocks of %2", in, kMxfp4Values},
                placeOf(blocks), m_source.remedyOfShape());
        return nullptr;
    }
    m_hasMxfp4 = true;
    const Index count = in / kMxfp4Values;
    if (scales.empty()) {
        m_known.insert(blocks);
        missing(name + "_scales", {experts, out, count});
        return nullptr;
    }
    StoragePointer fourBits = bytesOf(blocks, {experts, out, count, kMxfp4Bytes}, "U8");
    StoragePointer exponents = bytesOf(scales, {experts, out, count}, "U8");
    return fourBits && exponents
               ? mxfp4Storage(std::move(fourBits), std::move(exponents), placeOf(blocks))
               : nullptr;
}

void FamilyTensors::readStackedRow(FamilyModel &model, const StackedRow &row, Index layer) {
    const ParameterInfo &info = infoOf(row.parts.kinds[0]);
    const Index experts = model.config.feedForward.experts;
    const auto parts = static_cast<Index>(row.parts.count);
    const Index in = info.rows(model.config, model.vocabulary);
    const Index all = info.columns(model.config, model.vocabulary), out = all / experts;
    const std::string names = nameInLayer(row.name, layer);
    const bool isMxfp4 = !info.isRow() && !find(names + "_blocks", false).empty();
    const std::string name = isMxfp4 ? names : find(names, false);
    const Shape wanted =
        info.isRow() ? Shape{experts, parts * out} : Shape{experts, in, parts * out};
    if (name.empty())
        return missing(names, wanted);
    StoragePointer bytes;
    NumberType type = NumberType::F32;
    if (isMxfp4) {
        bytes = mxfp4Numbers(name, experts, in, parts * out);
    } else if (auto read = numbers(name, wanted, false)) {
        bytes = std::move(read->first);
        type = read->second;
    }
    for (Index part = 0; bytes && part < parts; ++part) {
        // In MXFP4, a row has `in` numbers. The biases of all parts are interleaved in one row.
        StoragePointer storage = bytes;
        NumberLayout layout{type, in, all, part * in, 1, parts * in};
        if (info.isRow())
            layout = {type, 1, all, part, parts * all, parts};
        else if (!isMxfp4) {
            storage =
                stackedColumns(bytes, type, {experts, in, out, parts, part, row.areSideBySide});
            layout = {type, in, all, 0, all, 1};
        }
        auto made = ParameterMatrix::create(std::move(storage), layout);
        if (!made)
            return problem(made.error().what, m_source.firstFile(), made.error().remedy);
        parameterOf(model.parameters, {layer, row.parts.kinds[static_cast<std::size_t>(part)]}) =
            *made;
    }
}

} // namespace headlight::core
