#include "models/model_factory.h"

#include "models/transformer/transformer.h"
#include "util/check.h"

namespace heed {

std::unique_ptr<Seq2SeqModel> MakeModel(ParameterStore& store, const TransformerShape& shape,
                                        bool checkpoint_layers) {
  switch (shape.options.architecture) {
    case Architecture::kTransformer:
      return std::make_unique<Transformer>(store, shape, checkpoint_layers);
  }
  HEED_CHECK(false, "a model of no architecture");
  return nullptr;
}

}  // namespace heed
