"""The read side: what is asked of the logs below a base dir, answered from snapshots.

`log_directory_experiment` answers business code and plugins, `log_directory_provider` generic
clients. What is not in memory is read from where it lies in its file, when somebody asks for it.
"""
