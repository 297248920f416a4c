"""Everything wrong with a question, said at once."""

from attrs import field, frozen

from packhorse import UserError


@frozen
class Faults:
    """Everything wrong with one question, so that one refusal can say it all."""

    found: list[dict[str, str]] = field(factory=list)

    def add(self, name: str, code: str, message: str) -> None:
        self.found.append({"field": name, "code": code, "message": message})

    def refusal(self) -> UserError:
        codes = {fault["code"] for fault in self.found}
        return UserError(
            " ".join(fault["message"] for fault in self.found),
            code=codes.pop() if len(codes) == 1 else "INVALID_ARGUMENTS",
            details={"faults": self.found},
        )
