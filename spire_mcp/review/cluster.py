"""The same fights on a Dask cluster, when one machine is too small; Dask is an optional extra."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from spire_mcp.errors import UsageError
from spire_mcp.review.fights import Fought, Task


def fight_on_cluster(
    fight: Callable[[Task], Fought], tasks: Sequence[Task], scheduler: str, *, connect: float = 3
) -> Iterator[Fought]:
    """Fight on the workers of a scheduler, in whatever order they are done.

    Raises:
        UsageError: Dask is not installed, or nobody answers at the address.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UsageError("Dask is not installed", fix="Run `pip install 'spire-mcp[cluster]'`.") from None
    try:
        client = distributed.Client(scheduler, timeout=connect)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            f"no Dask scheduler answers there: {type(error).__name__}", fix="Correct --scheduler."
        ) from None
    with client:
        futures = client.map(fight, list(tasks), pure=True)
        for future in distributed.as_completed(futures):
            yield future.result()
