"""Small instances of the public formats, made up here."""

SMALL = """# two weeks, four people, two shifts
SECTION_HORIZON
14
SECTION_SHIFTS
E,480,
L,480,E
SECTION_STAFF
A,E=14|L=3,4320,2880,5,2,2,1
B,E=14|L=14,4320,2880,5,2,2,1
C,E=14|L=0,4320,2880,5,2,2,1
D,E=14|L=14,2400,960,4,1,2,2
SECTION_DAYS_OFF
A,0
B,5,6
SECTION_SHIFT_ON_REQUESTS
A,2,E,2
A,3,E,2
D,9,L,3
SECTION_SHIFT_OFF_REQUESTS
C,12,E,1
SECTION_COVER
"""
SMALL += "".join(f"{day},E,1,100,1\n{day},L,1,100,1\n" for day in range(14))

SCENARIO = """SCENARIO = tiny

WEEKS = 2

SKILLS = 2
Head
Nurse

SHIFT_TYPES = 2
Early (2,5)
Night (2,3)

FORBIDDEN_SHIFT_TYPES_SUCCESSIONS
Early 0
Night 1 Early

CONTRACTS = 2
Full (6,10) (2,5) (2,3) 1 1
Half (2,6) (1,4) (2,5) 1 0

NURSES = 4
Ann Full 2 Head Nurse
Ben Full 1 Nurse
Cis Half 2 Head Nurse
Dan Half 1 Nurse
"""
HISTORY = """HISTORY
0 tiny

NURSE_HISTORY
Ann 0 0 Night 1 4 0
Ben 0 0 None 0 0 1
Cis 0 0 Early 2 2 0
Dan 0 0 None 0 0 4
"""


def week(off=""):
    """A week's demand, with requests for days off."""
    lines = [
        "WEEK_DATA\ntiny\n\nREQUIREMENTS",
        "Early Head (0,1) (0,1) (0,1) (0,1) (0,1) (0,0) (0,0)",
        "Early Nurse (0,1) (1,1) (1,1) (1,1) (1,1) (0,1) (0,1)",
        "Night Nurse (0,1) (0,1) (1,1) (1,1) (0,1) (0,1) (0,1)",
        f"\nSHIFT_OFF_REQUESTS = {len(off.splitlines())}",
        off,
    ]
    return "\n".join(lines) + "\n"


WEEKS = (week("Ann Any Tue\nDan Night Sat"), week())


def written(folder):
    """The nurses' files in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "Sc-tiny.txt").write_text(SCENARIO)
    (folder / "H0-tiny-0.txt").write_text(HISTORY)
    for number, text in enumerate(WEEKS):
        (folder / f"WD-tiny-{number}.txt").write_text(text)
    return folder
