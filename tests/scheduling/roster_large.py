"""A year of sixty people that is in force without a solver: filled by turns, week by week, so that rules break too.

It is made for sizes, not for quality: an answer that lists what is wrong has
much to list here.
"""

from attrs import evolve

from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.roster import Schedule, assignment_id_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from wire import NOW, desk_in

PEOPLE = Shape(residents=42, faculty=18, wishes=6)
ROSTER = "60606060-6060-5060-8060-606060606060"


def filled(kernel):
    """``int[person, day, half]``: each demand met in turns of a week; a night is whole, idle hours are filled."""
    grid = kernel.grid_of(())
    may = kernel.may
    for d in range(kernel.tail, kernel.D):
        turn = (d - kernel.tail) // 7
        for h in (0, 1):
            for s in range(kernel.S):
                for g in range(kernel.least.shape[0]):
                    _fill(kernel, grid, may, (s, d, h), g, turn)
        for s in range(kernel.S):
            if kernel.fills[s]:
                idle = may[:, s, d] & (grid[:, d] == FREE) & (kernel.most[kernel.group, s, d] > 0)
                grid[:, d][idle] = s
    return grid


def _fill(kernel, grid, may, slot, group, turn):
    s, d, h = slot
    wanted = int(kernel.least[group, s, d, h])
    own = [p for p in range(kernel.P) if kernel.group[p] == group]
    wanted -= sum(grid[p, d, h] == s for p in own)
    shift = (turn * 5 + s * 7) % max(1, len(own))
    for p in own[shift:] + own[:shift]:
        if wanted <= 0:
            return
        night = kernel.overnight[s]
        if grid[p, d, h] != FREE or not may[p, s, d, h] or (night and grid[p, d, 1 - h] != FREE):
            continue
        grid[p, d, h] = s
        wanted -= 1
        if night and h and d + 1 < kernel.D and may[p, s, d + 1, 0]:
            grid[p, d + 1, 0] = s


def in_force(folder):
    """A data folder with the year published; its desk."""
    desk = desk_in(folder)
    programme = sample(PEOPLE)
    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in programme.people)
    made = desk.import_programme(evolve(programme, people=people))
    kernel = Kernel(desk.programme()[1])
    cells = tuple(kernel.cells_of(filled(kernel)))
    with desk.rosters() as rosters:
        rosters.save_schedule(Schedule(ROSTER, 1, made, "published", "VIOLATIONS", NOW(), None, cells))
    return desk


def assignment(key, day, half):
    """The id of one."""
    return assignment_id_of(key, day, half)
