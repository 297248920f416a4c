"""A browser whose person agrees and signs in: `python browser.py ADDRESS`, with WALKER in the environment."""

import os
import sys
from urllib.parse import urlsplit

from walking import Person

address = sys.argv[1]
parts = urlsplit(address)
person = Person(f"{parts.scheme}://{parts.netloc}", os.environ["WALKER"])
page = person.browser.get(person.browser.get(address).headers["location"])
answer = os.environ.get("WALKER_ANSWERS", "yes")
leaving = person.agreed(page, answer)
arriving = person.back(person.at_provider(leaving)) if answer == "yes" else leaving
person.back(arriving.headers["location"])
