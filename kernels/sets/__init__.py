"""Sets of binary features: how examples are held, checked, ranked by frequency and read by column.

In: lists, CSR arrays or names of features
Out: `FeatureSets`
Uses: kernels.hardware, kernels
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.kernels.sets.checks import TrainingError as TrainingError
    from kakari.kernels.sets.columns import FeatureColumnError as FeatureColumnError
    from kakari.kernels.sets.columns import FeatureColumns as FeatureColumns
    from kakari.kernels.sets.featuresets import FeatureSetError as FeatureSetError
    from kakari.kernels.sets.featuresets import FeatureSets as FeatureSets
    from kakari.kernels.sets.featuresets import FrequencyRanking as FrequencyRanking
    from kakari.kernels.sets.svmlight_lines import binary_lines as binary_lines

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "checks": "TrainingError",
        "columns": "FeatureColumns FeatureColumnError",
        "featuresets": "FeatureSets FeatureSetError FrequencyRanking",
        "svmlight_lines": "binary_lines",
    },
)
