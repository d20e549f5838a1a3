// What BERT and those made like it have in common: one stack of layers with a norm after each part,
// learned positions, and what may follow the last layer.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Fields and tensors of BERT's stack, by the names that RoBERTa has as well. The stack has its
/// layers, but none of its parameters.
FamilyModel bertStack(const FamilyFields &fields, const char *usualActivation = "gelu");
extern const std::span<const TensorRow> kBertStackTensors;

/// Norms after each part, one of the embeddings, and positions as rows of a matrix.
void normAfterParts(Config &config, float epsilon);
/// Predicts masked tokens: a linear map, the activation, a norm, and the embeddings once more.
void predictMasked(Config &config, Activation activation);
/// One vector a sequence, as many logits as the tensor has rows.
void classify(Config &config, const TensorInfo &classifier);
/// What config.json says that the folder's model was trained for.
bool isSequenceClassifier(const FamilyFields &fields);

} // namespace headlight::core
