"""The write side: reads what log files gained, and decides which jobs stay in memory.

`cache_manager` stands at the top: it owns the threads, has the watcher look, and lets a
`train_job_loader` per job make the snapshots that are published.
"""
