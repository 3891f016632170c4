"""Hides hparams series that would mislead TensorBoard.

TensorBoard applies the first Experiment to all runs and shows only its hyperparameters. Without an
Experiment it shows those of the runs. VisualDL declares only metrics, and such an Experiment would
hide all hyperparameters.

Source: tensorboard/plugins/hparams/{backend_context.py,plugin_data.proto,api.proto}.
"""

from __future__ import annotations

from collections.abc import Mapping

from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.wire.fields import BadMessage, Message

_EXPERIMENT = "_hparams_/experiment"

Listing = Mapping[str, Mapping[str, SeriesListing]]


def without_empty_experiments(found: Listing) -> Listing:
    """The listing without Experiments that declare no hyperparameter."""
    return {
        train_id: {
            tag: listing
            for tag, listing in tags.items()
            if tag != _EXPERIMENT or _names_hparams(listing.summary_metadata.plugin_content)
        }
        for train_id, tags in found.items()
    }


def _names_hparams(content: bytes) -> bool:
    """HParamsPluginData: field 2 is the experiment, whose field 4 is hparam_infos."""
    try:
        return 4 in Message(Message(content).bytes(2))
    except BadMessage:
        return True  # left to TensorBoard's error handling
