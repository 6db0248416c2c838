"""What must not leave the machine in a recording: paths, accounts, and the name of a save."""

import hashlib
import re
from typing import Final, cast

PATH: Final = re.compile(r"""(?:\b[A-Za-z]:[\\/]|\\\\|~/|\bfile:/|(?<![\w/.:])/(?=[\w.]+/))[^'"<>|]*""")
"""A path and all up to a quote: an exception's text can name the owner's home, and paths may hold spaces."""
_ACCOUNT: Final = re.compile(r"\b7656\d{13}\b")
_PRIVATE: Final = frozenset(
    {"save_path", "steam_id", "user_name", "username", "profile_name", "persona_name", "api_key"}
)


def scrubbed(value: object) -> object:
    """The value without paths, account numbers and private fields; its shape stays."""
    match value:
        case str():
            return _ACCOUNT.sub("(an account)", PATH.sub("(a path)", value))
        case dict():
            items = cast("dict[str, object]", value).items()
            return {key: "(private)" if key in _PRIVATE and item else scrubbed(item) for key, item in items}
        case list():
            return [scrubbed(item) for item in cast("list[object]", value)]
        case _:
            return value


def run_alias(run_id: str) -> str:
    """Another name for a run: equal where the run is, and without the save's own."""
    return f"recorded:profile1:{hashlib.sha256(run_id.encode('utf-8', 'replace')).hexdigest()[:12]}"
