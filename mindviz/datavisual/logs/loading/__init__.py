"""The write side: reads what log files gained, and decides which jobs stay in memory.

`cache_manager` is the entry: it owns the threads and the watcher, and publishes the snapshots that
a `train_job_loader` per job makes.
"""
