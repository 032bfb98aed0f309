"""Parallel execution on threads, processes, Dask or any executor, bit-identical on all, with stored results.

A spelling (`worker_spec`) becomes a `pool`, which `dispatch` gives bundles of consecutive calls of about half a second. The function and its
subject travel once, as plain pickles. Every reply carries its worker's versions and the hash of a self-test. A bundle whose worker was lost is
sent again, then alone, then call by call; an error of the work itself is raised at once. `dask_cluster` alone knows Dask. `store` keeps
finished blocks in a file, by a hash of all that they depend on (`cache_key`).
"""

from typing import TYPE_CHECKING

from tellapart.compute.runner import Progress, Runner
from tellapart.compute.work import BlockKey, CachePolicy, Call, Work
from tellapart.compute.worker_spec import Workers, available_cores
from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.compute.cache_key import cached_in_order as cached_in_order
    from tellapart.compute.cache_key import study_name as study_name
    from tellapart.compute.dask_cluster import cluster_of_executor as cluster_of_executor
    from tellapart.compute.dask_cluster import open_cluster as open_cluster
    from tellapart.compute.dispatch import Dispatch as Dispatch
    from tellapart.compute.pool import open_pool as open_pool
    from tellapart.compute.processes import Processes as Processes

__all__ = ["BlockKey", "CachePolicy", "Call", "Progress", "Runner", "Work", "Workers", "available_cores"]

__getattr__ = lazy_names(__name__)
