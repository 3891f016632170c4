"""The hparams series that TensorBoard is told of.

It takes the first Experiment that it finds for the description of all runs, and shows no
hyper-parameter that is not in there. Where there is none, it takes all that the runs themselves
have. VisualDL declares metrics alone: such an Experiment would hide every hyper-parameter.

Source: tensorboard/plugins/hparams/{backend_context.py,plugin_data.proto,api.proto}.
"""

from __future__ import annotations

from collections.abc import Mapping

from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.wire.fields import BadMessage, Message

PLUGIN_NAME = "hparams"
_EXPERIMENT = "_hparams_/experiment"

Listing = Mapping[str, Mapping[str, SeriesListing]]


def telling_hparams(found: Listing) -> Listing:
    """Without the Experiments that name no hyper-parameter."""
    return {
        train_id: {
            tag: listing
            for tag, listing in tags.items()
            if tag != _EXPERIMENT or _names_hparams(listing.summary_metadata.plugin_content)
        }
        for train_id, tags in found.items()
    }


def _names_hparams(content: bytes) -> bool:
    """HParamsPluginData: experiment 2, whose hparam_infos are 4."""
    try:
        return 4 in Message(Message(content).bytes(2))
    except BadMessage:
        return True  # TensorBoard may say what it thinks of it
