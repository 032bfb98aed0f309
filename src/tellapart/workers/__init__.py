"""Who does the work: threads, processes, a Dask cluster, or any `concurrent.futures.Executor`. The same bits from all of them."""

from tellapart.workers.runner import Progress, Runner
from tellapart.workers.spelled import Workers, cores
from tellapart.workers.work import Call, Filed, Filing, Work

__all__ = ["Call", "Filed", "Filing", "Progress", "Runner", "Work", "Workers", "cores"]
