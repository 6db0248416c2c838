"""Bounds on every exchange with the bridge: seconds and bytes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WireLimits:
    """Seconds unless said otherwise. A settled state is at most about 60 kB; the compendium some hundred."""

    connect: float = 2.0
    """until the port takes a connection"""
    read: float = 10.0
    """until the next byte of a reading: while the game loads or shows a dialog nothing comes"""
    send: float = 10.0
    """until the next byte of the answer to an action"""
    whole: float = 20.0
    """until the whole answer is there"""
    state_bytes: int = 8 * 1024 * 1024
    """the largest state or action answer in bytes"""
    other_bytes: int = 32 * 1024 * 1024
    """the largest compendium or wiki answer in bytes"""
