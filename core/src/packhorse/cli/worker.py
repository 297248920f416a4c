"""``python -m packhorse.cli.worker``: one of the processes that ``packhorse serve --workers`` starts."""

import gc

import click

from packhorse.errors import PackhorseError


def main() -> int:
    """Serve in the place that the supervisor gives; the exit status."""
    gc.disable()
    from packhorse.cli.serve import run
    from packhorse.http.workers import Place

    place, settings = Place.taken()
    try:
        run(settings, place=place)
    except PackhorseError as exc:
        click.echo(f"Error: {exc}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    from packhorse.cli import leave

    leave(main())
