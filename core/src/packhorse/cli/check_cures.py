"""What to do about each thing that the host refuses to start with, found by the words it refuses with.

tests/core/test_check.py brings each of these about, so that a change of words
is noticed.
"""

import re

_CURES = (
    (r"not valid TOML", "Correct that line of the file: texts stand in quotes, and each [table] on a line of its own."),
    (r"no such configuration file", "Give --config a file that exists, or leave it out and have the defaults."),
    (r"configuration cannot be read", "Let the account that runs packhorse read the file, and save it as UTF-8."),
    (r"is no setting of packhorse", "Unset that variable, or give it a name that 'docs/reference/settings.md' lists."),
    (r"unknown key", "Write a key that 'docs/reference/settings.md' lists, or take the line out."),
    (r"printed in a published document", "Put one of your own in its place, made with: openssl rand -hex 32"),
    (r"at least 32 bytes", "Put a longer one in its place, made with: openssl rand -hex 32"),
    (r"no path of the host's own", "Choose another path, such as /mcp."),
    (r"pack that is not installed", "Install that pack, or take its table out of the configuration."),
    (r"there is no pack", "Install that pack, or take its name out of packs under [server]."),
    (r"two installed distributions", "Uninstall one of the two distributions."),
    (r"both offer a", "Write that prefix or exclusion under the pack's table, or serve one of the two packs."),
    (r"exclude names|limits names", "Write one of the pack's own names; 'packhorse tools' lists them."),
    (r"no settings of its own", "Take that key out of the pack's table."),
    (r"\[auth\.roles\] names", "Write a name that is served; 'packhorse tools' lists the tools."),
    (r"says neither who may use it", "Write it under [auth.roles] for a role, or under exclude of its pack."),
    (r"for everybody and for roles", "Tell the pack's author, or name it under [auth.roles], which decides then."),
    (r"nobody can sign in", "Write secret = under [auth], or [[auth.issuers]], or take [auth] out."),
    (r"is no built-in pack", "Write one of the names that it lists, or take without out of [server]."),
    (r"nothing verifies them|nothing records it", "Do one of these; the first is the safest."),
    (r"guards this deployment", "Repair, update or remove that pack: without its guards the others are not served."),
    (r"without state_key", "Write state_key = under [server], the same for all, made with: openssl rand -hex 32"),
    (r"limits in memory", 'Write limits = "redis://..." under [server], or run one process.'),
    (r"one PostgreSQL", "Write database = under [server], or run one process."),
    (r"network file system", "Write another data_dir under [server], on a disk of this machine, or a database."),
    (r"write how many calls in how long|a limit is 1 to", "Write a limit such as 30/hour, or none."),
    (r"needs? (its client|a driver)", "Install it as said, or leave that setting out."),
    (r"[Rr]edis", 'Start that Redis and see that this machine reaches it, or write limits = "memory".'),
    (r"needs? prometheus-client", "Install it as said, or take metrics out of [server]."),
    (r"trusted proxy", "Write addresses or networks under trusted_proxies, such as 10.0.0.0/8."),
    (r"no such lock|no lock of this version|packhorse lock", "If that is what you want served: packhorse lock"),
    (r"would serve anybody", "Do one of these three; the first is the safest."),
    (r"deployment is strict", "Repair or uninstall those packs, or take strict out of [server]."),
    (r"needs packhorse", "Install versions of the pack and of packhorse that fit each other."),
)

_OTHERWISE = "A server would not start. Correct what is named, and run 'packhorse check' again."


def cure_of(problem: str, otherwise: str = _OTHERWISE) -> str:
    """What to do about a problem, found by the words that the host has for it."""
    return next((cure for words, cure in _CURES if re.search(words, problem)), otherwise)
