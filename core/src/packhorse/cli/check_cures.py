"""What to do about each thing that the host refuses to start with, found by the words it refuses with.

tests/core/test_check.py brings each of these about, so that a change of words
is noticed.
"""

import re

_CURES = (
    (r"not valid TOML", "Correct that line of the file: put texts in quotes, and each [table] on a line of its own."),
    (r"no such configuration file", "Give --config a file that exists, or leave --config out to use the defaults."),
    (r"configuration cannot be read", "Let the account that runs packhorse read the file, and save it as UTF-8."),
    (r"is no setting of packhorse", "Unset that variable, or give it a name that 'docs/reference/settings.md' lists."),
    (r"unknown key", "Write a key that 'docs/reference/settings.md' lists, or take the line out."),
    (r"printed in a published document", "Replace it with a secret of your own, made with: openssl rand -hex 32"),
    (r"at least 32 bytes", "Replace it with a longer secret, made with: openssl rand -hex 32"),
    (r"no path of the host's own", "Choose another path, such as /mcp."),
    (r"pack that is not installed", "Install that pack, or remove its table from the configuration."),
    (r"there is no pack", "Install that pack, or remove its name from the setting `packs` under [server]."),
    (r"two installed distributions", "Uninstall one of the two distributions."),
    (r"both offer a", "Write that prefix or exclusion under the pack's table, or serve one of the two packs."),
    (r"under \[packs\..*\] lists", "Write one of the pack's own names; 'packhorse tools' lists them."),
    (r"no settings of its own", "Remove that key from the pack's table."),
    (r"\[auth\.roles\] lists", "Write a name that is served; 'packhorse tools' lists the tools."),
    (r"does not say who may use it", "List it under [auth.roles] for a role, or under `exclude` of its pack."),
    (
        r"both public=True and roles",
        "Report this to the pack's author, or list it under [auth.roles], which decides then.",
    ),
    (r"nobody can sign in", "Set `secret` under [auth], or add [[auth.issuers]], or remove [auth]."),
    (r"no built-in pack has", "Write the names of built-in packs only, or remove `without` from [server]."),
    (r"nothing checks them|nothing records its calls", "Do one of these; the first is the safest."),
    (r"guards this deployment", "Repair, update or remove that pack: without its guards the others are not served."),
    (r"the same `state_key`", "Set `state_key` under [server], the same for all, made with: openssl rand -hex 32"),
    (r"limits in memory", 'Write limits = "redis://..." under [server], or run one process.'),
    (r"one PostgreSQL", "Set `database` under [server], or run one process."),
    (r"network file system", "Set `data_dir` under [server] to a folder on a disk of this machine, or set `database`."),
    (r"write how many calls in how long|a limit is 1 to", "Write a limit such as 30/hour, or none."),
    (r"needs? (its client|a driver)", "Install it with the command above, or remove that setting."),
    (r"[Rr]edis", 'Start that Redis and check that this machine reaches it, or write limits = "memory".'),
    (r"needs? prometheus-client", "Install it with the command above, or remove `metrics` from [server]."),
    (r"trusted proxy", "Write addresses or networks under trusted_proxies, such as 10.0.0.0/8."),
    (r"no such lock|not a lock file|packhorse lock", "If you approve of what is served now: packhorse lock"),
    (r"would serve anybody", "Do one of these three; the first is the safest."),
    (r"deployment is strict", "Repair or uninstall those packs, or remove `strict` from [server]."),
    (r"needs packhorse", "Install versions of the pack and of packhorse that work together."),
)

_OTHERWISE = "A server would not start. Correct this, and run 'packhorse check' again."


def cure_of(problem: str, otherwise: str = _OTHERWISE) -> str:
    """What to do about a problem, found by the words that the host has for it."""
    return next((cure for words, cure in _CURES if re.search(words, problem)), otherwise)
