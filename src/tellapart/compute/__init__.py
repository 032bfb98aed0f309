"""Workers and finished work: threads, processes, a Dask cluster or any `concurrent.futures.Executor`, with the same bits from all.

A spelling (`worker_spec`) becomes a `pool`, which `dispatch` gives bundles of consecutive calls of about half a second. The function and its
subject travel once, as plain pickles. Every reply carries its worker's versions and the hash of a self-test. A bundle whose worker was lost is
sent again, then alone, then call by call; an error of the work itself is raised at once. `dask_cluster` alone knows Dask. `store` keeps
finished blocks in a file, by a hash of all that they depend on (`cache_key`).
"""

from tellapart.compute.runner import Progress, Runner
from tellapart.compute.work import BlockKey, CachePolicy, Call, Work
from tellapart.compute.worker_spec import Workers, available_cores

__all__ = ["BlockKey", "CachePolicy", "Call", "Progress", "Runner", "Work", "Workers", "available_cores"]
