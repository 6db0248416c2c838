"""Runs the command line as `python -m spire_mcp`."""

from spire_mcp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
