"""Conversation starters for travellers."""


def plan_a_trip(origin: str, destination: str, flights: str = "") -> str:
    """Plan the days before and after a long flight."""
    known = f" The flights: {flights}." if flights else " Ask for departure and arrival times, each in local time."
    return (
        f"I am travelling from {origin} to {destination}.{known} Find the IANA time zones of both places, ask when I "
        "usually sleep and wake, whether I can get bright light, and whether I want melatonin and naps planned. Then "
        "call get_adaptation_plan, lead with key advice, give the days for half of people and for the slow, show the "
        "first three days in full and the rest in short, offer the calendar file, and pass on the caution."
    )


def i_just_landed(destination: str, flight: str = "") -> str:
    """Ask what to do in the next hours after landing."""
    known = f" The flight was {flight}." if flight else " Ask which flight it was and where it left."
    return (
        f"I have just landed in {destination}.{known} Ask how I slept on board and when I usually sleep at home. Call "
        "what_now with the trip line and the local time; if I have not followed a plan so far, call replan. Tell me "
        "what to do until tomorrow morning, with times by the clock here, and not to drive if I am sleepy."
    )


def which_flight(origin: str, destination: str, options: str = "") -> str:
    """Compare routings by how hard they are on the body."""
    known = f" The options: {options}." if options else " Ask for two to four options with their times."
    return (
        f"I want to fly from {origin} to {destination} and choose the easier routing.{known} Call compare_itineraries "
        "with every option as a trip line, layovers included. Say which is easiest and why, with days to adapt, sleep "
        "on board and the first night; where they are about equal, say so."
    )
