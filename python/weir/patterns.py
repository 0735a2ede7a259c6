"""Traffic patterns written in Python, for `destinations` of [[traffic]]."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from typing import Any

from . import _weir
from .errors import mistake

_OWN: set[str] = set()


def _digest(function: Callable) -> str:
    """Of what a function does, as far as that stands in its code."""

    def parts(code) -> str:
        inner = [parts(one) if hasattr(one, "co_code") else repr(one) for one in code.co_consts]
        return f"{code.co_code.hex()}{code.co_names}{inner}"

    code = getattr(function, "__code__", None)
    text = parts(code) if code is not None else repr(function)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def pattern(name: str) -> Callable[[Callable], Callable]:
    """Makes a function a traffic pattern that experiments of this process may name.

        @weir.pattern("neighbour-or-random")
        def destination(source, hosts, rng, *, share: float = 0.5):
            if rng.unit() < share:
                return (source + 1) % hosts
            return (source + 1 + rng.below(hosts - 1)) % hosts

        destinations = {"model": "neighbour-or-random", "share": 0.8}

    The function gets the number of the source, the number of hosts and the source's random numbers
    (unit(), below(bound), exponential(mean)), and returns the number of a host other than the
    source. Arguments after `*` are keys of the pattern; their defaults give the types. It is called
    for every message, by whatever thread simulates. As long as it draws from `rng` alone, the same
    seed gives the same run, for any number of jobs.

    Results folders tell functions apart by a digest of their code. It does not see what a function
    calls, nor the values of what stands outside of it.

    Registering a name again replaces the function; the names of the library's own are refused.
    """

    def register(function: Callable) -> Callable:
        if _weir.is_pattern(name) and name not in _OWN:
            raise mistake("name", f"'{name}' is a pattern of weir itself")
        parameters = inspect.signature(function).parameters.values()
        keys: dict[str, Any] = {
            one.name: one.default for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY
        }
        for key, default in keys.items():
            if key in ("code", "model"):
                raise mistake(key, "is a name that weir uses itself")
            if default is inspect.Parameter.empty:
                raise mistake(key, "needs a default")
        purpose = (inspect.getdoc(function) or f"{function.__name__}, written in Python").split("\n")[0]
        _weir.register_pattern(name, purpose, function, keys, _digest(function))
        _OWN.add(name)
        return function

    return register
