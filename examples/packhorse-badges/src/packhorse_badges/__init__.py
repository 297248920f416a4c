"""Badges (badge.NAME.ROLE.SIGNATURE) instead of the host's own signed tokens."""

import hmac

from pydantic import BaseModel, SecretStr

from packhorse import Pack, Principal, UserError, Verifier, hookimpl


class Settings(BaseModel):
    secret: SecretStr


pack = Pack(title="Badges", settings=Settings)


@hookimpl
def register_auth(host):
    def verify(credential):
        holder, _, signature = credential.rpartition(".")
        kind, _, who = holder.partition(".")
        if kind != "badge":
            return None  # another verifier's
        key = host.settings.secret.get_secret_value().encode()
        if not hmac.compare_digest(signature.encode(), hmac.new(key, holder.encode(), "sha256").hexdigest().encode()):
            raise UserError("This badge was not signed here.")
        name, _, role = who.partition(".")
        return Principal("human", name, frozenset({role}))

    return [Verifier(verify)]
