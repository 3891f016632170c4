import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DataRequest(_message.Message):
    __slots__ = ("experiment_id", "plugin_filter", "run_tag_filter", "downsample")
    EXPERIMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FILTER_FIELD_NUMBER: _ClassVar[int]
    RUN_TAG_FILTER_FIELD_NUMBER: _ClassVar[int]
    DOWNSAMPLE_FIELD_NUMBER: _ClassVar[int]
    experiment_id: str
    plugin_filter: PluginFilter
    run_tag_filter: RunTagFilter
    downsample: Downsample
    def __init__(self, experiment_id: _Optional[str] = ..., plugin_filter: _Optional[_Union[PluginFilter, _Mapping]] = ..., run_tag_filter: _Optional[_Union[RunTagFilter, _Mapping]] = ..., downsample: _Optional[_Union[Downsample, _Mapping]] = ...) -> None: ...

class PluginFilter(_message.Message):
    __slots__ = ("plugin_name",)
    PLUGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    plugin_name: str
    def __init__(self, plugin_name: _Optional[str] = ...) -> None: ...

class RunTagFilter(_message.Message):
    __slots__ = ("runs", "tags")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    runs: NameFilter
    tags: NameFilter
    def __init__(self, runs: _Optional[_Union[NameFilter, _Mapping]] = ..., tags: _Optional[_Union[NameFilter, _Mapping]] = ...) -> None: ...

class NameFilter(_message.Message):
    __slots__ = ("names",)
    NAMES_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, names: _Optional[_Iterable[str]] = ...) -> None: ...

class Downsample(_message.Message):
    __slots__ = ("num_points",)
    NUM_POINTS_FIELD_NUMBER: _ClassVar[int]
    num_points: int
    def __init__(self, num_points: _Optional[int] = ...) -> None: ...

class ReadBlobRequest(_message.Message):
    __slots__ = ("blob_key",)
    BLOB_KEY_FIELD_NUMBER: _ClassVar[int]
    blob_key: str
    def __init__(self, blob_key: _Optional[str] = ...) -> None: ...

class GetExperimentResponse(_message.Message):
    __slots__ = ("data_location", "name", "description", "creation_time")
    DATA_LOCATION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CREATION_TIME_FIELD_NUMBER: _ClassVar[int]
    data_location: str
    name: str
    description: str
    creation_time: _timestamp_pb2.Timestamp
    def __init__(self, data_location: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., creation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListPluginsResponse(_message.Message):
    __slots__ = ("plugins",)
    class Plugin(_message.Message):
        __slots__ = ("name",)
        NAME_FIELD_NUMBER: _ClassVar[int]
        name: str
        def __init__(self, name: _Optional[str] = ...) -> None: ...
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    plugins: _containers.RepeatedCompositeFieldContainer[ListPluginsResponse.Plugin]
    def __init__(self, plugins: _Optional[_Iterable[_Union[ListPluginsResponse.Plugin, _Mapping]]] = ...) -> None: ...

class ListRunsResponse(_message.Message):
    __slots__ = ("runs",)
    class Run(_message.Message):
        __slots__ = ("name", "start_time")
        NAME_FIELD_NUMBER: _ClassVar[int]
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        name: str
        start_time: float
        def __init__(self, name: _Optional[str] = ..., start_time: _Optional[float] = ...) -> None: ...
    RUNS_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[ListRunsResponse.Run]
    def __init__(self, runs: _Optional[_Iterable[_Union[ListRunsResponse.Run, _Mapping]]] = ...) -> None: ...
