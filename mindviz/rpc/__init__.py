"""The gRPC service that lets TensorBoard show what mindviz reads. See docs/tensorboard.md."""
