"""The public names, and what they cost."""

import subprocess
import sys

import tellapart


def test_public_names() -> None:
    """Everything promised is there, under one name."""
    for name in tellapart.__all__:
        assert getattr(tellapart, name) is not None


def test_version_loads_nothing_heavy() -> None:
    """`tellapart --version` imports neither numpy nor scipy."""
    code = (
        "import sys\n"
        "from tellapart.cli import main\n"
        "try:\n    main(['--version'])\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "sys.exit(len({'numpy', 'scipy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert tellapart.__version__ in done.stdout


def test_verbs_stay_functions_whatever_is_imported_first() -> None:
    """Importing inner modules never turns `tellapart.compare` or `tellapart.read` into a module."""
    import tellapart.readers  # noqa: PLC0415
    import tellapart.verbs.compare  # noqa: PLC0415

    assert callable(tellapart.compare)
    assert callable(tellapart.read)
