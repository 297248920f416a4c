"""How many one customer has ordered, told twice: "the hotel ordered 6 lots", "the hotel order is 8 lots"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import evolve

from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.claims import elsewhere
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.contradictions.said import Said, conflict
from packhorse_discovery.domain.markers import CORRECTS
from packhorse_discovery.domain.mentions import UNITS, Mention, mentions
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.quantities import parse
from packhorse_discovery.domain.tallies import COMPLETE

MOST = 100
"""Numbers of things that one answer is read for; nobody tells more orders in one breath."""
_NO_GOODS = frozenset(stems("order customer people person machine step day job delivery piece").split())


def amounts(new: Said, earlier: Sequence[Said], pursuits: Sequence[Pursued]) -> Iterator[Conflict]:
    """Another number of what the same customer was said to want."""
    told = [(said, one) for said in earlier if said.text != new.text for one in _ordered(said.text)]
    told += [(said, one) for said, one in _held(pursuits) if one.said not in new.text]
    for one in _ordered(new.text):
        for said, other in told:
            if _differ(one, other) and not any(_same(one, also) for _, also in told):
                yield conflict("data/orders/orders", said, other.said, new, one.said)
                break


@lru_cache(maxsize=4096)
def _ordered(text: str) -> list[Mention]:
    """The amounts that ``text`` gives whole, of customers of whom it gives one of a kind."""
    if CORRECTS.search(text):
        return []
    found: list[Mention] = []
    for one in mentions(text)[:MOST]:
        alike = next((other for other in found if _shared(one, other) and _goods(one) & _goods(other)), None)
        if alike is None:
            found.append(one)
        else:  # two orders of one customer, or one in parts
            whole = evolve(
                alike, value=alike.value + one.value, partial=alike.said != one.said or not COMPLETE.search(text)
            )
            found[found.index(alike)] = whole
    return [one for one in found if not one.partial and not elsewhere(one.said)]


def _held(pursuits: Sequence[Pursued]) -> Iterator[tuple[Said, Mention]]:
    """The amounts of the orders that are established."""
    orders = next((one for one in pursuits if one.eads.id == "data/orders"), None)
    if orders is None:
        return
    for row in orders.rows("orders"):
        amount, name = orders.quantity(*row, "quantity"), orders.words(*row, "order-id")
        product = orders.words(*row, "product")
        if amount is None or name is None or amount.value.low is None or amount.value.low != amount.value.high:
            continue
        goods = frozenset(stems(f"{product.value if product else ''} {parse(amount.value.text).text}").split())
        goods = frozenset(one for one in goods if not one.isdigit())
        who = frozenset(stems(name.value).split()) - goods
        if who:
            yield (
                Said(amount.question_id or "", amount.said),
                Mention(amount.value.low, goods, who, amount.said, around=who),
            )


def _goods(one: Mention) -> frozenset[str]:
    return one.noun - _NO_GOODS


def _differ(one: Mention, other: Mention) -> bool:
    """Whether both count the same goods of the same customer, differently."""
    units = one.noun & UNITS, other.noun & UNITS
    return (
        one.value != other.value
        and _shared(one, other)
        and bool(_goods(one) & _goods(other))
        and (units[0] == units[1] or bool(units[0] & units[1]))
    )


def _same(one: Mention, other: Mention) -> bool:
    return one.value == other.value and _shared(one, other) and bool(_goods(one) & _goods(other))


def _shared(one: Mention, other: Mention) -> bool:
    """Whether one names a customer and the other too, by whatever words."""
    return bool(one.parties & (other.parties | other.around) or other.parties & one.around)
