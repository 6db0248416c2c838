"""Writes the JSON Schema of strategy packets, as the code has it, into strategies/."""

import json
from pathlib import Path

from spire_mcp.policy.packet import packet_schema

FILE = Path(__file__).resolve().parent.parent / "strategies" / "strategy.schema.json"

if __name__ == "__main__":
    FILE.write_text(json.dumps(packet_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {FILE.name}")
