"""mindviz: MindSpore, TensorBoard and VisualDL logs, exactly and at once."""

__version__ = "0.1.0"
