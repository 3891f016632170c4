"""Generic names: what plugins declare about the series that logs hold for them.

A generic name is how TensorBoard's plugins and other generic clients call a kind of series:
`histograms` is what our plugin `histogram` shows. Readers of logs and databases look names up in
`GenericNames`; no other module knows one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.series.time_series import DataClass, Tensor, Value
from mindviz.errors import BrokenDataClass, DamagedValue, MindvizError, StartError

Companions = Mapping[str, NDArray[np.generic]]
"""Name of a companion -> its tensor at the step of a value."""
NO_COMPANIONS: Companions = MappingProxyType({})

SIZE_BLOBS = 2
"""Blobs that state the size of images: width and height."""
Asset = Literal["vectors", "metadata", "sprite"]
"""A file of a projector configuration. No log holds sprites."""
ANY = -1
"""A dimension of any size."""


@dataclass(frozen=True, slots=True)
class GenericName:
    """One kind of series. Functions that decode raise DamagedValue."""

    name: str
    data_class: DataClass
    """Applies unless the log declares another one."""
    _: KW_ONLY
    fields: tuple[str, ...] = ()
    """Fields of log formats with such values, e.g. `image`; `mindspore.graph` for one format."""
    plugin_name: str = ""
    """The plugin that declares it; `GenericNames` fills it in."""
    variety: str = ""
    """As in `ValueTimeSeries`."""
    content: bytes = b""
    """The plugin's own metadata, for series whose log has none."""
    content_of: Callable[[NDArray[np.generic]], bytes] | None = None
    """The same, if it depends on the first tensor."""
    shape: tuple[int, ...] | None = None
    """Of a tensor, with `ANY`; None admits all shapes."""
    dtype_kinds: str = ""
    """numpy's kinds of a tensor's dtype; empty admits all. Strings are `O`."""
    ranks: range = range(1, 2)
    """Of tensors of strings that are blob sequences; above 1, the first string of a row counts."""
    is_sized: bool = False
    """Whether a blob sequence starts with the width and height of its images, in digits."""
    value_class: type = Tensor
    """Class of the decoded values."""
    to_tensor: Callable[[Any], NDArray[np.generic]] | None = None
    """Encodes a `value_class` as a tensor."""
    to_blobs: Callable[[Any], Sequence[bytes]] | None = None
    """The blobs of a `value_class`, for downloads."""
    from_tensor: Callable[[Tensor, Companions], Value] | None = None
    """Decodes a tensor; None if tensors are the values."""
    from_blobs: Callable[[Sequence[bytes], Companions], Value] | None = None
    """Decodes a blob sequence."""
    from_proto: Callable[[bytes], Value] | None = None
    """Decodes TensorFlow's TensorProto, if logs hold other tensors than generic clients see."""
    lineage: Callable[[bytes], LineageFacts] | None = None
    """The plugin's metadata -> what it says about the job. For tensors in logs of TensorBoard."""
    facts: Callable[[LineageFacts, float], Mapping[str, bytes]] | None = None
    """Lineage and start time of a job -> tag -> metadata, for jobs that log no such series."""
    asset: Asset | None = None
    """The file of a projector configuration that holds the value. One plugin can have assets."""
    companions: tuple[Companion, ...] = ()

    def admits(self, tensor: NDArray[np.generic]) -> bool:
        """Whether `shape` and `dtype_kinds` allow a tensor."""
        has_shape = self.shape is None or (
            len(self.shape) == tensor.ndim
            and all(dim in (ANY, size) for dim, size in zip(self.shape, tensor.shape, strict=True))
        )
        return has_shape and (not self.dtype_kinds or tensor.dtype.kind in self.dtype_kinds)

    def decoded(self, tensor: Tensor, companions: Companions = NO_COMPANIONS) -> Value:
        """The value of a tensor. Raises DamagedValue."""
        if self.from_tensor is None:
            return tensor
        if not self.admits(tensor.data):
            raise broken_class(self.name, self.data_class, tensor.data)
        with decoding():
            return self.from_tensor(tensor, companions)


@dataclass(frozen=True, slots=True)
class Companion(GenericName):
    """A series made of parts of another's values, which generic clients read separately."""

    make: Callable[[Any], Any]
    """A `value_class` of the other series -> the tensor or blob."""
    logged_in: tuple[str, ...] | None = None
    """`format.field` of values that have such parts; None for all."""
    tag: str = ""
    """Empty for the tag of the other series."""
    otherwise: Companion | None = None
    """Replaces it if its tag is taken."""

    def of(self, value: Value) -> Any:
        """The tensor or blob of a value. Raises DamagedValue."""
        if not isinstance(value, self.value_class):
            raise DamagedValue(f"A {type(value).__name__} has no {self.name}.")
        with decoding():
            return self.make(value)


@contextmanager
def decoding() -> Iterator[None]:
    """Turns errors of a plugin's conversion into DamagedValue."""
    try:
        yield
    except MindvizError:
        raise
    except (
        *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
        struct.error,
    ) as error:
        raise DamagedValue(f"The value cannot be decoded: {error}.") from error


def broken_class(name: str, data_class: DataClass, tensor: NDArray[np.generic]) -> BrokenDataClass:
    """The error for a tensor that the series' class or plugin excludes."""
    dtype = "strings" if tensor.dtype.kind == "O" else tensor.dtype.name
    return BrokenDataClass(
        f"A tensor of shape {list(tensor.shape)} and type {dtype} is no value of a "
        f"{data_class} series of plugin {name[:100]!r}."
    )


def strings(texts: Sequence[bytes]) -> NDArray[np.object_]:
    """A tensor of rank 1."""
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


def only_blob(decode: Callable[[bytes], Value]) -> Callable[[Sequence[bytes], Companions], Value]:
    """A `from_blobs` for sequences of one blob."""
    return lambda blobs, _: decode(blobs[0] if blobs else b"")


class GenericNames:
    """All names that plugins declare."""

    def __init__(self, declared: Iterable[tuple[str, Sequence[GenericName]]]) -> None:
        """`declared` are pairs of a plugin and its names.

        Raises StartError if two plugins declare the same name or field. A name may be both of
        logged series and of companions within one plugin.
        """
        self._names: dict[str, GenericName] = {}
        self._fields: dict[str, GenericName] = {}
        self._companions: dict[str, tuple[str, Companion]] = {}
        self._found: dict[tuple[str, str], GenericName | None] = {}
        for plugin_name, names in declared:
            for name in names:
                self._add(replace(name, plugin_name=plugin_name))
        declared_names = [*self._names.values(), *(name for _, name in self._companions.values())]
        self.facts = tuple(name for name in declared_names if name.facts is not None)
        self.assets = tuple(name for name in declared_names if name.asset is not None)
        owners = sorted({name.plugin_name for name in self.assets} - {""})
        if len(owners) > 1:
            raise StartError(f"The plugins {owners[0]!r} and {owners[1]!r} both declare assets.")
        self.asset_plugin = "".join(owners)
        """The plugin with data in files next to the logs; empty if there is none."""
        self._encoders: dict[type, Callable[[Any], NDArray[np.generic]]] = {}
        self._blobs: dict[type, Callable[[Any], Sequence[bytes]]] = {}
        for name in self._names.values():
            if name.to_blobs is not None:
                self._blobs.setdefault(name.value_class, name.to_blobs)
            if name.to_tensor is not None:
                self._encoders.setdefault(name.value_class, name.to_tensor)
            for companion in name.companions:
                logged = self._names.get(companion.name, name)
                known = self._companions[companion.name][1]
                if logged.plugin_name != name.plugin_name or known != companion:
                    raise StartError(
                        f"The plugin {name.plugin_name!r} declares the companion "
                        f"{companion.name!r}, whose name is taken."
                    )

    def _add(self, name: GenericName) -> None:
        for known, key in ((self._names, name.name), *((self._fields, f) for f in name.fields)):
            if key in known:
                raise StartError(
                    f"The plugins {known[key].plugin_name!r} and {name.plugin_name!r} both "
                    f"declare the series {key!r}."
                )
            known[key] = name
        for companion in name.companions:
            self._companions.setdefault(companion.name, (name.name, companion))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def get(self, name: str) -> GenericName | None:
        """The name of a logged series; None if no plugin declares it."""
        return self._names.get(name)

    def find_any(self, name: str) -> GenericName | None:
        """The name of a logged series or of a companion; None if no plugin declares it."""
        return self._names.get(name) or self._companions.get(name, ("", None))[1]

    def of_field(self, format_name: str, field: str) -> GenericName | None:
        """The name of series in this field of a log format; None for fields without series."""
        key = (format_name, field)
        if key not in self._found:  # looked up for every series of a log
            qualified = self._fields.get(f"{format_name}.{field}")
            self._found[key] = qualified or self._fields.get(field)
        return self._found[key]

    def companion_of(self, name: str) -> str:
        """The series whose companion has this name; empty for others."""
        return "" if name in self._names else self._companions.get(name, ("", None))[0]

    def tensor_of(self, value: Value, name: str = "") -> NDArray[np.generic] | None:
        """A value as a tensor; None if it has no such form.

        Encoded by the plugin of this name, else by the first plugin with such values.
        """
        if isinstance(value, Tensor):
            return value.data
        own = self._names.get(name)
        encode = self._encoders.get(type(value))
        if own is not None and own.to_tensor is not None and isinstance(value, own.value_class):
            encode = own.to_tensor
        return None if encode is None else encode(value)

    def blobs_of(self, value: Value) -> tuple[bytes, ...] | None:
        """The blobs of a value; None if no plugin declares any. Raises DamagedValue."""
        blobs = self._blobs.get(type(value))
        if blobs is None:
            return None
        with decoding():
            return tuple(blobs(value))
