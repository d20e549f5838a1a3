// The parameters of a model from a folder's tensors, by a table of their names.
#pragma once

#include "core/formats/pretrained/family/tensor_folder.h"
#include "core/formats/warning.h"
#include "core/operations/mask_layers.h"
#include "core/transformer/model/config.h"
#include "core/transformer/model/parameter_id.h"

#include <array>
#include <set>
#include <span>

namespace headlight::core {

/// What a family makes of a folder. The sizes of all tensors follow from it: see parameter_table.h.
struct FamilyModel {
    Config config{};
    ModelParameters
        parameters{};     ///< `layers` as many as have tensors of their own, before tables are read
    Index vocabulary = 0; ///< V, rows of the embeddings
    Index positions = 0;  ///< rows of learned positions
    Index tokenTypes = 0; ///< rows of token types
    MaskLayers masks{};   ///< of what the only stack reads, or the decoder
    MaskLayers encoderMasks{};         ///< of an encoder-decoder's encoder
    MaskLayers crossMasks{};           ///< and of its cross-attention
    std::vector<Index> decoderStart{}; ///< the ids that every text of a decoder begins with
};

/// How a matrix that maps x to x·W stands in the file.
enum class MatrixLayout {
    OutIn, ///< [out, in], as torch.nn.Linear has it
    InOut, ///< [in, out], as GPT-2's Conv1D has it; of embeddings [V, E], of positions [P, E], …
};

/// Parameters whose columns stand beside each other in one tensor: Q·K·V; mostly just one.
struct FusedParameters {
    std::array<ParameterKind, 3> kinds{};
    std::size_t count = 1;
    // NOLINTNEXTLINE: a table's row says just the kind
    constexpr FusedParameters(ParameterKind one) : kinds{one} {}
    constexpr FusedParameters(ParameterKind a, ParameterKind b) : kinds{a, b}, count(2) {}
    constexpr FusedParameters(ParameterKind a, ParameterKind b, ParameterKind c)
        : kinds{a, b, c}, count(3) {}
};

struct TensorRow {
    /// With the family's prefix or without it: files have both; {} stands for the layer. Others
    /// that it may be called are put behind a |. The gain of a norm may be called gamma for weight,
    /// its bias beta.
    std::string_view name;
    FusedParameters parts;
    Stack stack = Stack::Main; ///< Encoder of an encoder's; else the only one, or the decoder
    Block block = Block::SelfAttention;
};

// Short for the rows of an encoder-decoder.
inline constexpr Stack kOfEncoder = Stack::Encoder;
inline constexpr Block kAcross = Block::CrossAttention;

enum class Presence { All, Optional };

class FamilyTensors {
  public:
    FamilyTensors(const TensorFolder &folder, std::string_view prefix);

    /// By one of its names, as of TensorRow; of a layer's with its number.
    bool has(std::string_view names) const { return !find(names, false).empty(); }
    /// Null where there is none.
    const TensorInfo *tensor(std::string_view names) const;

    /// Every parameter of the table, those that the config has no place for left out. A missing or
    /// misshapen tensor is a problem, but for optional ones that are missing. `linear` is how
    /// matrices of layers and of the output layer stand; biases, norms and what tokens are looked
    /// up in stand as they are.
    void read(FamilyModel &model, std::span<const TensorRow> table, Presence need = Presence::All,
              MatrixLayout linear = MatrixLayout::OutIn);
    /// What a tied matrix may be called: as the words' embeddings, or as the output matrix.
    struct TiedNames {
        std::string_view embeddings, output;
    };
    /// Whether logits are made with the embeddings: tie_word_embeddings says so; where it says
    /// nothing, `otherwise` is true and one of the two is not there. To be asked before the
    /// embeddings are read: a library may have written the tied matrix under the output's name
    /// alone, and then they are read from there.
    bool isTied(std::optional<bool> said, const TiedNames &names, bool otherwise);

    /// The tensor in the files that the words' vectors are read from, and the one of the output
    /// matrix: the same where it is tied. Empty: none was read.
    const std::string &embeddingsTensor() const { return m_embeddings; }
    const std::string &outputTensor() const { return m_isTied ? m_embeddings : m_output; }

    /// What is wrong; it names file and tensor.
    const std::vector<Error> &problems() const { return m_problems; }
    /// Tensors that nobody has asked for, but for these patterns.
    std::vector<std::string> unnamed(std::span<const std::string_view> patterns) const;

  private:
    /// The tensor's name in the files; empty: there is none.
    std::string find(std::string_view names, bool isNorm) const;
    std::string nameFor(const TensorRow &row, std::string_view names) const;
    void readRow(FamilyModel &model, const TensorRow &row, Index layer, Presence need,
                 MatrixLayout linear);

    const TensorFolder &m_folder;
    std::string_view m_prefix;
    std::string m_wrapper; ///< what a wrapper of the whole module put before every name
    std::set<std::string, std::less<>> m_known;
    std::vector<Error> m_problems;
    bool m_isTied = false;
    std::string m_tied;                   ///< the output matrix's name, where it is tied
    std::string m_embeddings, m_output{}; ///< what was read
};

} // namespace headlight::core
