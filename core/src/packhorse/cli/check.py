"""``packhorse check``: look for what would go wrong, and say how to mend it."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from packhorse.cli import check_around as around
from packhorse.cli import check_data, check_descriptions
from packhorse.cli.check_around import Finding
from packhorse.errors import PackhorseError
from packhorse.terminal import apart, config_option, json_option, painted, show

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.mounts.served import Mounts, MountState


_CORRECT = "A server does not start with this. Correct it, and run 'packhorse check' again."
"""What is wrong stands together with what to write instead."""


@click.command()
@click.argument("names", metavar="[PACK]...", nargs=-1)
@json_option
@config_option
def check(names: tuple[str, ...], as_json: bool, config: Path | None) -> None:
    """Look for problems in this installation, and say how to solve them.

    With PACK (a name, or a file such as ./weather.py), it checks a server with
    only the packs that you name. The exit status is 1 when something is wrong.
    """
    findings = list(_findings(config, names))
    wrong = [finding for finding in findings if finding.cure]
    if as_json:
        show({"ok": not wrong, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            word = painted("WRONG ", "red") if finding.cure else painted("ok    ", "green")
            word = painted("LOOK  ", "yellow") if finding.look else word
            click.echo(f"{word}{finding.subject}: {finding.found}")
            if finding.cure:
                click.echo(f"      {finding.cure}")
        problems = f"{len(wrong)} problem{'s' if len(wrong) > 1 else ''}."
        click.echo(painted("Nothing is wrong.", "green") if not wrong else painted(problems, "red"))
    if wrong:
        raise click.exceptions.Exit(1)


def _findings(config: Path | None, names: tuple[str, ...]) -> Iterator[Finding]:
    from packhorse import settings
    from packhorse.cli.options import TOKEN_VARIABLE
    from packhorse.compose import packs
    from packhorse.compose.deployment import compose
    from packhorse.contract.principal import LOCAL
    from packhorse.wire.adapter import Adapter

    yield Finding("packhorse", f"{packs.core_version()} on Python {sys.version.split()[0]}")
    try:
        found = packs.find()
    except PackhorseError as exc:
        yield Finding("packs", str(exc), _CORRECT)
        return
    try:
        chosen = settings.load(config, installed=[pack.name for pack in found])
    except PackhorseError as exc:
        yield Finding("configuration", str(exc), _CORRECT)
        return
    yield Finding(
        "configuration",
        str(chosen.source) if chosen.source else f"{settings.usual_file()} is absent: all settings have their defaults",
    )
    yield from around.desktop([*(pack.name for pack in found), *chosen.mounted])
    yield from around.readable_secrets(chosen)
    yield from around.database(chosen)
    yield from check_data.data(chosen, [pack.name for pack in found])
    clashes: list[str] = []
    try:
        with apart():
            deployment = compose(packs.serving(chosen, found, names, strict=False), found, clashes=clashes)
            Adapter(deployment, lambda ctx: LOCAL)  # what only shows when it is put on the wire
    except PackhorseError as exc:
        yield Finding("deployment", str(exc), _CORRECT)
        return
    for clash in clashes:
        yield Finding("deployment", clash, _CORRECT)
    for loaded in deployment.catalogue.packs:
        version = "a file" if loaded.found.file else loaded.found.version
        stopped = bool(deployment.catalogue.broken) and chosen.server.strict
        yield Finding(f"pack {loaded.found.name}", f"{version}, {'sound by itself' if stopped else 'served'}")
    for broken in deployment.catalogue.broken:
        name = f"{broken.found.distribution} {broken.found.version}"
        rest = "no server starts without it" if chosen.server.strict else "the others serve without it"
        cure = broken.cure or f"Correct, update or uninstall {name}; {rest}."
        yield Finding(broken.found.name if broken.cure else f"pack {broken.found.name}", broken.reason, cure)
    if deployment.catalogue.broken and chosen.server.strict:
        yield Finding("deployment", "`strict = true` is set, so what cannot be served stops the start", _CORRECT)
    if chosen.server.without:
        yield Finding("built-in packs", f"left out: {', '.join(chosen.server.without)}")
    yield from _mounts(deployment)
    yield from check_descriptions.descriptions(deployment.catalogue)
    yield from _signing(deployment)
    yield from around.key_sets(deployment)
    yield from around.sign_in(deployment.settings)
    yield from around.token(deployment, TOKEN_VARIABLE)
    yield from check_data.stores(deployment)
    yield from around.jobs(deployment)
    yield _recorded(deployment)
    yield _listening(deployment)
    yield from around.port(chosen)


def _signing(deployment: "Deployment") -> Iterator[Finding]:
    from packhorse.tokens import weaknesses
    from packhorse.tokens.local import issuers_of

    auth = deployment.settings.auth
    if not deployment.dispatcher.authenticated:
        yield from _unasked(deployment)
        return
    issuers = issuers_of(auth) if auth.configured and deployment.catalogue.has("tokens") else []
    named = [issuer.iss for issuer in issuers]
    verifiers = len(deployment.catalogue.verifiers) - bool(issuers)
    accepted = [f"tokens of {', '.join(named)}"] if named else []
    accepted += [f"{verifiers} verifier{'s' if verifiers > 1 else ''} of packs"] if verifiers else []
    yield Finding("callers", " and ".join(accepted))
    for issuer in issuers:
        for weakness in weaknesses(issuer):
            yield Finding("secret", weakness, "Change the secret, and give every user a new token.")


def _unasked(deployment: "Deployment") -> Iterator[Finding]:
    from packhorse.compose.reach import CURE, described, described_ungated, ungated, unreachable

    off = "authentication is off"
    closed, open_to_all = unreachable(deployment, "http"), ungated(deployment, "http")
    said = [described(closed)] if closed else []
    said += [described_ungated(open_to_all)] if open_to_all else []
    if not said:
        yield Finding("callers", off)
    elif deployment.settings.server.transport == "stdio":
        yield Finding("callers", f"{off}, which is right for stdio. If you served over HTTP: {'. '.join(said)}")
    else:
        if closed:
            yield Finding("callers", f"{off}. {described(closed)}", f"{CURE}.")
        if open_to_all:
            yield Finding("callers", f"{off}. {described_ungated(open_to_all)}. {CURE}.", look=True)


def _recorded(deployment: "Deployment") -> Finding:
    settings = deployment.settings
    if not settings.audit.enabled:
        return Finding("audit", "off: no call is recorded (enabled = false under [audit])")
    if not deployment.catalogue.has("audit"):
        others = sum(observer.essential for observer in deployment.catalogue.observers)
        return Finding("audit", "recorded by another pack" if others else "nothing is recorded, and nothing changes")
    path = settings.audit_path
    if not path.exists():
        return Finding("audit", f"{path}, not there yet; the first start creates it")
    from packhorse.audit.report import verify

    report = verify(path, settings.audit.anchor, settings.audit.secret)
    if not report.ok:
        return Finding(
            "audit", f"{path}: {report.problem}", "See 'packhorse audit verify', and keep a copy of the file."
        )
    return Finding("audit", f"{path}, {report.rows} rows, all unchanged")


def _listening(deployment: "Deployment") -> Finding:
    import anyio

    from packhorse.compose.replicas import check_places
    from packhorse.http.app import Service

    server = deployment.settings.server
    try:
        check_places(deployment.settings, deployment.catalogue)
        if server.transport == "stdio":
            return Finding("transport", "stdio")
        anyio.run(Service(deployment).check)
    except PackhorseError as exc:
        return Finding("transport", str(exc), _CORRECT)
    return Finding("transport", f"{server.transport} on {server.host}:{server.port}, paths {', '.join(server.paths)}")


def _mounts(deployment: "Deployment") -> Iterator[Finding]:
    """Each mounted server is asked, and compared with what was accepted."""
    if not deployment.settings.has_mounts or not deployment.catalogue.has("mounts"):
        return
    import anyio

    from packhorse.mounts.served import mounts_of

    mounted = mounts_of(deployment.host)
    for state in anyio.run(_mount_states, mounted):
        if state.name in mounted.links:  # of the others the deployment says that they are broken
            yield _mount(state, per_caller=mounted.links[state.name].mount.per_caller)
            for what, reason in state.set_aside:
                yield Finding(f"mount {state.name}", f"{what} is not served: {reason}", look=True)


async def _mount_states(mounted: "Mounts") -> "list[MountState]":
    try:
        await mounted.reach()
        return mounted.states()
    finally:
        await mounted.close()


def _mount(state: "MountState", *, per_caller: bool) -> Finding:
    subject = f"mount {state.name}"
    if state.state == "down":
        cure = f"Try the server by itself: {state.reached_by}. Its tools are refused with UPSTREAM_DOWN meanwhile."
        return Finding(subject, f"its server cannot be reached: {state.error}", cure)
    if state.drift:
        differs = ", ".join(f"{one.kind} {one.name} ({one.change})" for one in state.drift)
        cure = f"'packhorse mount diff {state.name}' shows it, and 'packhorse mount accept {state.name}' takes it."
        return Finding(subject, ascii(f"{state.server} is not as it was accepted: {differs}")[1:-1], cure)
    if per_caller:
        return Finding(subject, f"{state.server}, with a credential of each caller's own; it was not asked")
    return Finding(subject, f"{state.server}, as it was accepted")
