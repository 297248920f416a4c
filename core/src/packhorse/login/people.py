"""Who may sign in, and what roles they have: by the settings as they are now."""

from fnmatch import fnmatchcase

from packhorse.settings import LoginSettings


class People:
    """Those whom [auth.login] names, by their `sub` or by patterns of it."""

    def __init__(self, login: LoginSettings) -> None:
        self._login = login

    def may_sign_in(self, subject: str) -> bool:
        return any(_is_meant(subject, pattern) for pattern in self._login.allow)

    def roles_of(self, subject: str) -> list[str]:
        found = [role for pattern, roles in self._login.roles.items() if _is_meant(subject, pattern) for role in roles]
        return sorted(set(found))

    def sign_in_daily(self, subject: str) -> bool:
        """Whether a role of theirs asks for a sign-in each day."""
        return any(role in self._login.daily_roles for role in self.roles_of(subject))


def _is_meant(subject: str, pattern: str) -> bool:
    return fnmatchcase(subject.lower(), pattern.lower())
