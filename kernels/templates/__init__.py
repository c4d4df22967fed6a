"""Template kernels: parts with slots of properties, sums over support parts, weights of combinations, reranking.

In: tables of property values, parts over them, lists of candidates made of parts
Out: kernel values, `Support`, `CombinationWeights`, rerankers
Uses: kernels.hardware, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.templates.learning import CandidateLists as CandidateLists
    from kakari.kernels.templates.learning import RerankLearner as RerankLearner
    from kakari.kernels.templates.parts import Parts as Parts
    from kakari.kernels.templates.parts import TemplateError as TemplateError
    from kakari.kernels.templates.parts import TemplateKernel as TemplateKernel
    from kakari.kernels.templates.support import CombinationWeights as CombinationWeights
    from kakari.kernels.templates.support import Support as Support

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "learning": "CandidateLists RerankLearner",
        "parts": "Parts TemplateError TemplateKernel",
        "support": "CombinationWeights Support",
    },
)
