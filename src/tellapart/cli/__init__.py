"""Command line: parsing, one library call, rendering and an exit code, with heavy imports deferred."""

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run a command (by default the one that was typed) and leave with its exit code.

    The first thing is to listen for Ctrl-C: whatever is imported or computed afterwards can be stopped without a traceback.
    """
    try:
        from tellapart.cli.interrupts import Interrupts  # noqa: PLC0415  (anything loaded here comes before the first listener)
    except KeyboardInterrupt:
        raise SystemExit(130) from None

    with Interrupts(owns_process=arguments is None) as interrupts:
        from tellapart.cli.commands import run  # noqa: PLC0415

        code = run(arguments, interrupts)
    raise SystemExit(code)
