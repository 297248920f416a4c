"""Plans to start the search from, best known for whole shifts at two light levels.

Provenance: ``benchmarks/start_table.py --seconds 200 --seed 1 --write``, which
judges rows by the planner's own engine and improves them by kicks and
descents, on top of the rows of the project's research prototype (an iterated
local search of some ten minutes). ``--fresh`` makes a table from plain
structured plans alone.

Each line: light level (L 1000, H 10,000 lux), shift in hours (east positive),
kind (f fast, s steady), expected last bad morning counted from 0, then eight
nights of five base-36 digits: bedtime + 10, start and length of bright light,
start and length of dim light, in half hours (see `board.Row`).
"""

from functools import cache

from packhorse_circadian.domain.planner.board import Row

TABLE = """
L-12f4 8ia0a afa0a aha0c aja09 ama0a ak70c a0016 b0000
L-12s5 8ea07 cha08 cda09 cda06 eea0a cfa0a ega06 cia04
L-11f4 9fa0c eca08 dea08 fga08 fga08 e0006 b0000 b0044
L-11s5 3ha0c 5ia0c 7ia0c aia0c cja0c dja0c fia0c cja00
L-10f4 6ia0c aga0b cia0c gha0b gja0c gga00 bia00 bia00
L-10s5 3ja0c 6ja0c 9ia0c bja0c eia0c fja0c ega00 bia00
L-09f4 5ja0c 9ia0c bja0c dja0c eja0c ei90c aja00 aia00
L-08f3 9ia0c aka0c eja0c gka0c fk60c b0000 aj634 a6400
L-07f3 9ja0c bka0c eja0c fja0c ega00 aka00 a0000 a0000
L-06f2 aka0c cka0c fja0c fha0c aka00 aia00 a0000 a0000
L-05f2 ama0c eka0c gha0c dfa00 bja00 90000 a0000 a0000
L-04f1 ana0c fka0c ffa08 b0000 a0000 a0000 a0000 a0000
L-03f1 apa0c gi90c c0000 a0000 90015 a0000 a0000 a0000
L-02f0 aqa0c g0000 b0000 a0000 a0000 a0000 a0000 a0000
L-01f0 aq70c c0000 a0000 a0000 a0000 a0000 a0000 a0000
L+01f0 a0ao8 a0000 a0000 a0000 a0000 a0000 a0000 a0000
L+02f1 a0a00 40000 a0000 a0000 a0000 a0000 a0000 a0000
L+03f2 a0a00 51a00 80000 a0000 a0000 b1400 a0000 a0000
L+04f2 a0aq3 72a00 63900 a0000 a0000 a0000 a0000 a0000
L+05f2 a2ar3 82a00 54a00 84400 a0000 a0000 a0000 a0000
L+06f2 b4as2 94as2 74at2 64a00 94300 a0000 a0000 a0000
L+07f3 d4a00 a4as3 93ar3 74a00 66a00 90086 a0000 a0000
L+08f4 f4as3 e3a00 a6a00 76at2 63a00 82900 a0000 a0000
L+09f4 g4as2 e3a00 b4as2 93ar3 73as3 62a00 a0000 a0000
L+09s5 i3as2 f4as2 d5as2 a5as2 83a00 63a00 700c6 90000
L+10f5 i4as2 g4ar3 e4ar2 b5ar2 86at2 74a00 73a00 92700
L+10s5 i4as2 g4ar3 e4ar2 b5ar2 86at2 74a00 73a00 92700
L+11f4 f4at2 e7at3 e7a00 eaas4 ebaq4 cia00 aja00 a0000
L+11s4 f3au2 e8au2 e9au2 e8ar5 ecar2 bha00 aka00 8520c
L+12f4 g4as6 i8as3 h7ap7 h6ar2 dcap7 dga09 a0000 a00c2
L+12s4 g69t3 g6a00 g7as4 gca00 fea02 di309 a0000 c0047
H-12f2 ada08 cea08 dfa08 bha08 aka48 aj900 aia00 a0000
H-12s2 ada08 cea08 dfa08 bha09 bja2b 9ka00 aja00 aha00
H-11f2 afa08 dga06 hca08 ffa04 bka1c aja00 aia00 ah900
H-11s2 afa08 dga06 hca08 ffa04 bka1c aja00 aia00 ah900
H-10f3 4ka0c 9ja0c bla0c gia0c ffa00 aia00 a0000 a0000
H-10s3 4ka0c 9ja0c bka0c fja0c ffa24 aka00 aha00 al500
H-09f2 aia0c gha0b hia0b hc703 b0000 bka00 aha00 b0300
H-08f2 9ka0c dja0c fja0c gea08 aia00 aha00 bd800 b0000
H-07f2 aka0c cma0c fja0c dn200 a0000 a0000 a0000 a0000
H-06f1 ama0c gka0c gg90c a0000 a0004 90000 a0000 a0000
H-05f1 aoa0c ema0c em300 a0000 b0000 90002 a0000 a0000
H-04f1 apa0c fk70c d0000 a0000 a0000 a0000 a0000 a0000
H-03f0 aqa0c gj20a a0000 b0000 a0000 a0000 a0000 a0000
H-02f0 apa0c d0000 a0000 a0000 a0000 a0000 ag200 b0000
H-01f0 ao80c a0000 a0000 a0000 90004 90002 ai400 b0000
H+01f0 a0a00 a0000 a0000 a0000 a0000 a0000 a0000 a0000
H+02f1 a0a00 60000 a0000 a0000 a0000 a0000 a0000 a0000
H+03f1 a0ao3 55300 a0000 as200 80000 a0000 a0000 a0000
H+04f2 a0a00 61a00 90000 a0000 a0000 a0000 a0000 a0000
H+05f1 a2aq3 73a00 74500 a0000 a0000 a0000 a0000 a0000
H+06f2 b4ar2 84a00 54a00 90085 a0000 a0000 a0000 a0000
H+07f2 d6a00 a7a00 75a00 537c7 a0000 a0000 a0000 a0000
H+08f3 g5a00 d5a00 a3a00 72a00 71268 a0000 a0000 a0000
H+09f2 d5ap4 a7aq6 a9a00 8ma00 bia00 8ma00 800b4 a0000
H+09s2 d5ap4 a7aq6 a9a00 8ma00 bia00 8ma00 800b4 a0000
H+10f2 d7ap8 e8ap3 aaaq7 bha1b ar200 9m900 800a8 90000
H+10s3 f6as3 e7ao3 97ar4 8ga00 90000 am800 80000 a0083
H+11f2 f7ao6 daas6 f9a00 bk806 at300 96200 a00a3 90049
H+11s2 f7aq4 daar7 f9aq2 bka00 ala00 96200 a00a3 90049
H+12f2 ebav2 g9a00 deau4 ffar5 e0000 bj800 a0000 a0000
H+12s2 h8ao4 dcau3 edat5 gf9q2 c0000 cla00 90000 90000
"""


@cache
def table() -> dict[tuple[str, int], tuple[tuple[int, tuple[Row, ...]], ...]]:
    """By light level and whole shift: expected last bad morning and nights, of each start plan."""
    found: dict[tuple[str, int], tuple[tuple[int, tuple[Row, ...]], ...]] = {}
    for line in TABLE.split("\n"):
        if not line:
            continue
        key, rows = line.split()[0], nights_of(line)
        where = (key[0], int(key[1:4]))
        found[where] = (*found.get(where, ()), (int(key[5]), rows))
    return found


def nights_of(line: str) -> tuple[Row, ...]:
    """The eight nights of one line."""
    return tuple(_row(night) for night in line.split()[1:])


def _row(digits: str) -> Row:
    off, b, bl, m, ml = (int(digit, 36) for digit in digits)
    return (off - 10, b, bl, m, ml)
