// The stack shared by BERT and related families: layers with post-norm, learned positions, and
// optional output layers.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Reads the fields and tensors of BERT's stack, whose names RoBERTa shares. The result has layers
/// without parameters.
FamilyModel bertStack(const FamilyFields &fields, const char *usualActivation = "gelu");
extern const std::span<const TensorRow> kBertStackTensors;

/// Configures post-norm, a norm of the embeddings, and learned positions.
void normAfterParts(Config &config, float epsilon);
/// Configures the output layer for masked tokens: a linear map, the activation, a norm, and the
/// tied embeddings.
void predictMasked(Config &config, Activation activation);
/// Configures a classifier of one vector per sequence. It has one logit per row of the tensor.
void classify(Config &config, const TensorInfo &classifier);
/// True if config.json declares a sequence classifier.
bool isSequenceClassifier(const FamilyFields &fields);

} // namespace headlight::core
