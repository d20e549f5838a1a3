// Declares all families. Each is defined in the file named after it.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

extern const Family kGpt2;
extern const Family kGptNeo;
extern const Family kLlama;
extern const Family kMistral;
extern const Family kQwen2;
extern const Family kQwen3;
extern const Family kPhi3;
extern const Family kGemma;
extern const Family kGemma2;
extern const Family kGemma3;
extern const Family kSmolLm3;
extern const Family kGranite;
extern const Family kOlmo2;
extern const Family kMixtral;
extern const Family kOlmoe;
extern const Family kGptOss;
extern const Family kQwen3Moe;
extern const Family kDeepseekV3;
extern const Family kLlama4;
extern const Family kGptNeox;
extern const Family kPhi;
extern const Family kGptj;
extern const Family kOpt;
extern const Family kBloom;
extern const Family kFalcon;
extern const Family kBert;
extern const Family kRoberta;
extern const Family kDistilbert;
extern const Family kAlbert;
extern const Family kElectra;
extern const Family kDebertaV2;
extern const Family kModernBert;
extern const Family kBart;
extern const Family kMarian;
extern const Family kM2m100;
extern const Family kPegasus;
extern const Family kT5;
extern const Family kVit;
extern const Family kDeit;
extern const Family kClipText;
extern const Family kClipVision;
extern const Family kWhisper;

} // namespace headlight::core
