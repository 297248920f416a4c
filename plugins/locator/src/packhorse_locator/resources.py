"""Pages about the registry itself, and what to do next; nothing about anybody."""

from typing import Any

from packhorse import UserError
from packhorse_locator.service import OnLocator


class LocatorPages(OnLocator):
    """Health, freshness and guidance."""

    def health(self) -> dict[str, Any]:
        """Whether the registry, its name index and its sources are in order, and how long the tools take.

        Counts and figures, and nothing about anybody.
        """
        from packhorse_locator.service.health import health_of

        return health_of(self.locator.registry, self.locator.remote, self.locator.telemetry)

    def freshness(self) -> dict[str, Any]:
        """Every source of the registry: what day its data describe, when they were loaded, and whether that is old."""
        from packhorse_locator.service.health import freshness_of

        registry = self.locator.registry
        return {"sources": freshness_of(registry, registry.stamps())}

    def guidance(self, language: str, topic: str) -> str:
        """What to do once somebody is found (found), or what it means that nobody was (not-found); en, es, pt, ht."""
        from packhorse_locator.convert import words

        lines = words.guidance(language, topic)
        if lines is None:
            raise UserError(
                f"This guidance does not exist. Languages: {', '.join(words.GUIDANCE_LANGUAGES)}. Topics:"
                f" {', '.join(words.TOPICS)}.",
                code="UNSUPPORTED_LANGUAGE",
            )
        return "\n".join(f"- {line}" for line in lines)

    @staticmethod
    def languages(typed: str) -> list[str]:
        """Languages of the guidance that begin as typed."""
        from packhorse_locator.convert import words

        return [one for one in words.GUIDANCE_LANGUAGES if one.startswith(typed)]

    @staticmethod
    def topics(typed: str) -> list[str]:
        """Topics that begin as typed."""
        from packhorse_locator.convert import words

        return [one for one in words.TOPICS if one.startswith(typed)]
