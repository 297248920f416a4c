"""Facilities: public facts, each figure with the date it was true."""

from typing import Literal

from attrs import frozen

WireType = Literal["detention_center", "processing_center", "family_facility", "contract_facility"]

WIRE_TYPES: dict[str, WireType] = {
    "detention_center": "detention_center",
    "processing_center": "processing_center",
    "contract_facility": "contract_facility",
    "family": "family_facility",
}
"""Kinds of the facility list that the wire's four types cover; hold rooms, hospitals, prisons and others have none."""

JUVENILE = frozenset({"juvenile"})
"""Kinds whose people are never shown, whatever their record says of their age."""

IN_USE = "active_fy26"
"""The list's word for a facility with people in it this fiscal year."""

# States, the District and territories: USPS Publication 28, appendix B.
STATES: dict[str, str] = {
    "AK": "Alaska", "AL": "Alabama", "AR": "Arkansas", "AS": "American Samoa", "AZ": "Arizona", "CA": "California",
    "CO": "Colorado", "CT": "Connecticut", "DC": "District of Columbia", "DE": "Delaware", "FL": "Florida",
    "GA": "Georgia", "GU": "Guam", "HI": "Hawaii", "IA": "Iowa", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana",
    "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana", "MA": "Massachusetts", "MD": "Maryland", "ME": "Maine",
    "MI": "Michigan", "MN": "Minnesota", "MO": "Missouri", "MP": "Northern Mariana Islands", "MS": "Mississippi",
    "MT": "Montana", "NC": "North Carolina", "ND": "North Dakota", "NE": "Nebraska", "NH": "New Hampshire",
    "NJ": "New Jersey", "NM": "New Mexico", "NV": "Nevada", "NY": "New York", "OH": "Ohio", "OK": "Oklahoma",
    "OR": "Oregon", "PA": "Pennsylvania", "PR": "Puerto Rico", "RI": "Rhode Island", "SC": "South Carolina",
    "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VA": "Virginia",
    "VI": "U.S. Virgin Islands", "VT": "Vermont", "WA": "Washington", "WI": "Wisconsin", "WV": "West Virginia",
    "WY": "Wyoming",
}  # fmt: skip


@frozen
class Figure:
    """A number, what it counts, and when it was true: a date, or a year where no more is known."""

    value: float
    of: str
    as_of: str


@frozen
class Facility:
    """One facility; None is unknown. ``key`` is the official code, or one of the registry's own where there is none."""

    key: str
    official_id: str | None
    name: str
    aliases: tuple[str, ...]
    kind: str
    street: str | None
    city: str | None
    state: str | None
    zip_code: str | None
    operator: str | None
    field_office: str | None
    phone: str | None
    capacity: Figure | None
    population: Figure | None
    status: str | None
    as_of: str

    @property
    def wire_type(self) -> WireType | None:
        """One of the four published types, or None where none of them is true."""
        return WIRE_TYPES.get(self.kind)

    @property
    def address(self) -> str | None:
        """The address in one line, of the parts that are known."""
        region = " ".join(part for part in (self.state, self.zip_code) if part)
        return ", ".join(part for part in (self.street, self.city, region) if part) or None

    @property
    def occupancy(self) -> float | None:
        """Population over capacity, in percent, only where both figures are of one year."""
        if self.capacity is None or self.population is None or not self.capacity.value:
            return None
        if self.capacity.as_of[:4] != self.population.as_of[:4]:
            return None
        return round(100 * self.population.value / self.capacity.value, 1)
