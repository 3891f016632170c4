"""A drop-in replacement for torch.utils.tensorboard's SummaryWriter.

    from mindviz.summary.torch import SummaryWriter

Methods, arguments and files equal those of torch's class. Encoding and writing happen in the
background, and neither torch nor tensorboard is imported. docs/recording.md lists the differences.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from mindviz.summary.file_writer import FLUSH_SECONDS, FileWriter
from mindviz.summary.values import graphs, torch_histograms, torch_images, torch_values
from mindviz.summary.values.tensorboard_values import Mesh, PrCurve, mesh, pr_curve
from mindviz.summary.values.torch_values import hparams, only_number
from mindviz.wire.encode_tensorboard_plugins import Hyperparameter

Step = Any
"""An integer or something `int` converts; None is 0."""


class SummaryWriter:
    """Writes scalars, images and other values into a directory, in TensorBoard's format.

    `tag` names a series, `global_step` is the step (default 0), `walltime` the Unix time (default
    now). Arrays are numpy's, torch's, or any with `__array__` or DLPack; they are copied. Methods
    raise InvalidValue, a ValueError that names tag and shape, for values they cannot record.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = FLUSH_SECONDS,
        filename_suffix: str = "",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Create the directory if it is missing; default `runs/<time>_<host><comment>`.

        `purge_step`: viewers hide earlier records in this directory at this step or later.
        `max_queue`: ignored. `flush_secs`: maximum delay before a record is written.
        `clock`: default source of wall times. Raises RecordingFailed if the directory is not
        writable.
        """
        if not log_dir:
            now = time.strftime("%b%d_%H-%M-%S")
            log_dir = str(Path("runs") / f"{now}_{platform.node()}{comment}")
        self.log_dir = log_dir
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self._clock = clock
        self.file_writer = self._writer(os.fspath(log_dir))
        self.all_writers = {os.fspath(log_dir): self.file_writer}
        self._projector: Any = None
        if purge_step is not None:
            # Written first, because it hides records of this writer, too.
            self.file_writer.add_value(torch_values.session_start(), purge_step)
            self.file_writer.flush()

    def _writer(self, directory: str) -> FileWriter:
        suffix = self.filename_suffix
        return FileWriter(directory, self.max_queue, self.flush_secs, suffix, clock=self._clock)

    def _get_file_writer(self) -> FileWriter:
        """The file writer; scripts use this private method of torch's to write raw messages."""
        return self.file_writer

    def get_logdir(self) -> str | os.PathLike[str]:
        """The directory."""
        return self.log_dir

    def add_scalar(
        self,
        tag: str,
        scalar_value: object,
        global_step: Step = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Record a number; with `new_style` as a tensor, in single or double precision."""
        if type(scalar_value) is not float:
            scalar_value = only_number(scalar_value, f"scalar {tag!r}")
        if new_style:
            value = torch_values.scalar_tensor(tag, scalar_value, double=double_precision)
            self.file_writer.add_value(value, global_step, walltime)
        else:
            self.file_writer.add_scalar(tag, scalar_value, global_step, walltime)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, object],
        global_step: Step = None,
        walltime: float | None = None,
    ) -> None:
        """Record numbers to compare: each as `main_tag` in a separate subdirectory."""
        walltime = self._clock() if walltime is None else walltime
        for tag, value in tag_scalar_dict.items():
            directory = f"{os.fspath(self.log_dir)}/{main_tag.replace('/', '_')}_{tag}"
            if directory not in self.all_writers:
                self.all_writers[directory] = self._writer(directory)
            number = only_number(value, f"scalar {main_tag!r} of {tag!r}")
            self.all_writers[directory].add_scalar(main_tag, number, global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: Mapping[str, object],
        metric_dict: Mapping[str, object],
        hparam_domain_discrete: Mapping[str, Sequence[Hyperparameter]] | None = None,
        run_name: str | None = None,
        global_step: Step = None,
    ) -> None:
        """Record hyperparameters and final metrics, as a separate run in a subdirectory."""
        values = list(hparams(hparam_dict, list(metric_dict), hparam_domain_discrete))
        metrics = {tag: only_number(value, f"metric {tag!r}") for tag, value in metric_dict.items()}
        writer = self._writer(str(Path(self.log_dir) / (run_name or str(time.time()))))
        for value in values:
            writer.add_value(value, global_step)
        for tag, number in metrics.items():
            writer.add_scalar(tag, number, global_step)
        writer.close()

    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Declare a chart with one line per tag."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Declare a chart with a line and its lower and upper margin."""
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Declare charts: category -> chart -> [`Multiline`, tags] or [`Margin`, three tags]."""
        self.file_writer.add_value(torch_values.custom_scalars(layout))

    def add_tensor(
        self, tag: str, tensor: object, global_step: Step = None, walltime: float | None = None
    ) -> None:
        """Record an array with its type."""
        self.file_writer.add_value(torch_values.tensor(tag, tensor), global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: object,
        global_step: Step = None,
        bins: str | int | Sequence[float] = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Record the distribution of an array, over TensorFlow's buckets or numpy's `bins`."""
        value = torch_histograms.histogram(tag, values, bins, max_bins)
        self.file_writer.add_value(value, global_step, walltime)

    def add_histogram_raw(
        self,
        tag: str,
        min: float,
        max: float,
        num: float,
        sum: float,
        sum_squares: float,
        bucket_limits: object,
        bucket_counts: object,
        global_step: Step = None,
        walltime: float | None = None,
    ) -> None:
        """Record a histogram from upper limits and counts of buckets."""
        value = torch_histograms.histogram_raw(
            tag,
            bucket_limits,
            bucket_counts,
            extent=(min, max),
            count=num,
            total=sum,
            total_of_squares=sum_squares,
        )
        self.file_writer.add_value(value, global_step, walltime)

    def add_pr_curve(
        self,
        tag: str,
        labels: object,
        predictions: object,
        global_step: Step = None,
        num_thresholds: int = 127,
        weights: object = None,
        walltime: float | None = None,
    ) -> None:
        """Record precision and recall of predictions (0 to 1) at every threshold."""
        (value,) = pr_curve(tag, PrCurve(labels, predictions, num_thresholds, weights))
        self.file_writer.add_value(value, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: object,
        false_positive_counts: object,
        true_negative_counts: object,
        false_negative_counts: object,
        precision: object,
        recall: object,
        global_step: Step = None,
        num_thresholds: int = 127,
        weights: object = None,
        walltime: float | None = None,
    ) -> None:
        """Record a curve that is already counted, with one count per threshold."""
        del num_thresholds, weights
        positive = true_positive_counts, false_positive_counts
        rows = *positive, true_negative_counts, false_negative_counts, precision, recall
        value = torch_values.pr_curve_raw(tag, rows)
        self.file_writer.add_value(value, global_step, walltime)

    def add_embedding(
        self,
        mat: object,
        metadata: Sequence[object] | None = None,
        label_img: object = None,
        global_step: Step = None,
        tag: str = "default",
        metadata_header: Sequence[str] | None = None,
    ) -> None:
        """Record points, one per row of `mat`, with their labels and images.

        Written to the log, for mindviz, and to the files of TensorBoard's projector.
        """
        projector = import_module("mindviz.summary.values.projector")
        self._projector = self._projector or projector.Projector(Path(self.log_dir).absolute())
        value = projector.embedding(
            self._projector,
            tag,
            mat,
            metadata=metadata,
            header=metadata_header,
            label_images=label_img,
        )
        self.file_writer.add_value(value, global_step)

    def add_mesh(
        self,
        tag: str,
        vertices: object,
        colors: object = None,
        faces: object = None,
        config_dict: Mapping[str, object] | None = None,
        global_step: Step = None,
        walltime: float | None = None,
    ) -> None:
        """Record point clouds or meshes: arrays of shape (batch, count, 3)."""
        (value,) = mesh(tag, Mesh(vertices, colors, faces, config_dict))
        self.file_writer.add_value(value, global_step, walltime)

    def add_image(
        self,
        tag: str,
        img_tensor: object,
        global_step: Step = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Record an image: uint8, or floats from 0 to 1. `dataformats`: a letter per axis."""
        value = torch_images.image(tag, img_tensor, dataformats)
        self.file_writer.add_value(value, global_step, walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: object,
        global_step: Step = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Record a batch of images as one picture, in rows of eight."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: object,
        box_tensor: object,
        global_step: Step = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: str | Sequence[str] | None = None,
    ) -> None:
        """Record an image with rectangles (xmin, ymin, xmax, ymax), resized by `rescale`."""
        texts = [labels] if isinstance(labels, str) else labels
        value = torch_images.image_with_boxes(
            tag, img_tensor, box_tensor, dataformats, scale=rescale, labels=texts
        )
        self.file_writer.add_value(value, global_step, walltime)

    def add_figure(
        self,
        tag: str,
        figure: object,
        global_step: Step = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Record a matplotlib figure, or a list of figures of one size; closes them by default."""
        drawn, layout = torch_images.figure(figure, tag, close=close)
        self.add_image(tag, drawn, global_step, walltime, layout)

    def add_video(
        self,
        tag: str,
        vid_tensor: object,
        global_step: Step = None,
        fps: float = 4,
        walltime: float | None = None,
    ) -> None:
        """Record videos of shape (batch, time, channels, height, width), as a GIF."""
        self.file_writer.add_value(torch_images.video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(
        self,
        tag: str,
        snd_tensor: object,
        global_step: Step = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Record audio samples from -1 to 1."""
        value = torch_values.audio(tag, snd_tensor, sample_rate)
        self.file_writer.add_value(value, global_step, walltime)

    def add_text(
        self, tag: str, text_string: str, global_step: Step = None, walltime: float | None = None
    ) -> None:
        """Record Markdown text."""
        self.file_writer.add_value(torch_values.text(tag, text_string), global_step, walltime)

    def add_graph(
        self,
        model: object,
        input_to_model: object = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> None:
        """Record the traced operations of a torch module's forward pass."""
        traced_graph = import_module("mindviz.summary.values.traced_graph").traced_graph
        graph = traced_graph(model, input_to_model, strict=use_strict_trace)
        if verbose:
            print(graph)  # noqa: T201 - the purpose of `verbose`
        self._add_graph(graph)

    def add_onnx_graph(self, prototxt: object) -> None:
        """Record the graph of an ONNX file."""
        self._add_graph(import_module("mindviz.summary.values.onnx_graph").onnx_graph(prototxt))

    def _add_graph(self, graph: object) -> None:
        (value,) = graphs.graph("graph", graph)
        self.file_writer.add_value(value)

    def flush(self) -> None:
        """Return when everything recorded is in the files."""
        for writer in self.all_writers.values():
            writer.flush()

    def close(self) -> None:
        """Write everything recorded and close the files; later values start further files."""
        for writer in self.all_writers.values():
            writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
