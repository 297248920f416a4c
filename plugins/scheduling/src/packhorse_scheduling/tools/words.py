"""What people say who need a tool: words that its description lacks, then what they would ask.

Written from the specification, for a search over tools.
"""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "validate_schedule": (
        "legal, lawful, ACGME, compliance, compliant, 80 hours, audit, illegal, break, overworked, check, "
        "violations, duty hours, correct, breaks, rules, ok, valid; is the schedule legal, does anybody work "
        "too much, does it follow the rules"
    ),
    "check_swap_feasibility": (
        "trade, allowed, possible, exchange, switch, shifts, call, night, ok, feasible, rules; can we two "
        "trade Friday, would this swap be legal, may I switch with her"
    ),
    "analyze_contingency": (
        "fragile, single point of failure, falls ill, quits, depend, vulnerable, stress test, important, "
        "loss, absence, without, covid, attending, same time; could we survive losing one doctor, whom could "
        "we not replace, what if two are out"
    ),
    "suggest_resolution": (
        "fix, solve, gap, hole, double booking, uncovered, options, advice, problem, clash, shortage, "
        "alternatives, help, nobody, covering, ideas, ways; how do I solve this conflict, who could fill this "
        "hole"
    ),
    "generate_schedule": (
        "build, create, new, plan, year, block, month, residents, everybody, optimize, make, rota, "
        "automatically, draw up, new year, gaps; make next year's schedule, plan July, fill the empty days"
    ),
    "solve_roster": "benchmark, nurse rostering, competition, optimizer, research; solve this published instance",
    "publish_schedule": (
        "release, go live, activate, official, final, restore, roll out, effective, announce, everybody, "
        "official version, publish, approve, make it official; put the new schedule in force, let everybody "
        "see the draft"
    ),
    "snapshot_schedule": (
        "backup, save, version, plan B, fallback, archive, safe, mark, before, undo later; keep a copy before "
        "I change it, prepare a plan for a pandemic"
    ),
    "record_leave": (
        "vacation, holiday, sick, ill, off, absent, out, deployment, maternity, conference, days off, away, "
        "trip, baby, appointment, PTO, surgery, jury duty, parental, family; Tran is ill tomorrow, I want a "
        "week's vacation, she will be out until Monday"
    ),
    "repair_schedule": (
        "fix, cover, fill, holes, reassign, called out, sick, absent, rearrange, mend, replacement, hole, "
        "emergency, rework, after, illness; somebody called in sick, close the holes, adjust the schedule"
    ),
    "explain_assignment": (
        "reason, unfair, why me, decided, assigned, put, why, how come, rota, get, got, picked, chosen, "
        "Christmas; why am I on call Sunday, who decided that I work there, why not her"
    ),
    "change_rotation": (
        "service, elective, ICU, clinic, month, move, switch, reassign, block, instead, assign; move her to "
        "another rotation, exchange two residents' blocks"
    ),
    "compare_versions": (
        "difference, diff, changes, changed, before and after, old and new, draft; what does the new version "
        "change, who loses days off"
    ),
    "request_swap": (
        "trade, give away, switch, exchange, colleague, cover, shift, call, Friday, weekend, instead of me, "
        "propose; I want to trade my Friday call, can somebody take my clinic, ask Kim to swap with me"
    ),
    "respond_swap": (
        "agree, say yes, refuse, reject, trade, offer, answer, take, decline, exchange; I accept her trade, "
        "no I will not swap"
    ),
    "execute_swap": (
        "finalize, approve, trade, perform, undo, roll back, reverse, exchange, put through, complete, both "
        "agreed, official, both, done; make the agreed swap happen, undo yesterday's swap"
    ),
    "list_requests": (
        "pending, inbox, waiting, approval, open, mine, vacation, undecided, holidays, asked, decide, "
        "answered, status; what is waiting for me, has my leave been approved"
    ),
    "answer_request": (
        "vacation, leave, swap, deny, grant, reject, allow, sign off, decide, permit, holiday; approve his "
        "vacation, turn that request down"
    ),
    "change_assignment": (
        "edit, put on call, remove, replace, manually, hours worked, overtime, timesheet, stayed late, take "
        "off, free, ward, move, reassign, worked; put Baker in clinic Monday, I stayed until nine yesterday"
    ),
    "withdraw_request": (
        "vacation, days off, no longer needed, back early, revoke, undo; cancel my leave, she is back sooner, "
        "forget my request"
    ),
    "rank_wishes": (
        "preferences, prefer, favourite, holiday, Christmas, weekend, nights, birthday, want, wish, days off, "
        "request, New Year, most, every, Fridays, rather, avoid; I would like Thanksgiving off, I prefer no "
        "Mondays, which days matter most to me"
    ),
    "calendar_address": (
        "ical, ics, Google Calendar, iPhone, phone, Outlook, sync, export, feed, link, subscribe, app, "
        "import; put my shifts in my phone, see my duties in Outlook"
    ),
    "detect_conflicts": (
        "problems, errors, double booked, gaps, issues, overlaps, mistakes, violations, check, clashes, "
        "warnings, anybody, twice, same time, anyone; what is wrong next week, any conflict in August"
    ),
    "analyze_swap_candidates": (
        "cover, replacement, substitute, taker, trade partner, colleague, shift, in my place, instead of me, "
        "able, available; who could take my shift, find somebody to trade with, who can cover for me"
    ),
    "run_contingency_analysis": (
        "disaster, pandemic, mass casualty, several, ill, deployed, missing; what if these three are away, "
        "what breaks without them"
    ),
    "get_defense_level": (
        "alert, alarm, red, crisis, escalation, emergency, coverage, dropped, safe, react; which alarm level "
        "are we on, how bad is 70 percent"
    ),
    "analyze_hub_centrality": (
        "key, critical, irreplaceable, indispensable, important, bottleneck, depends, faculty, lose, losing, "
        "hurt, most; who must not get ill, on whom does everything depend"
    ),
    "check_utilization_threshold": (
        "overloaded, workload, occupancy, buffer, stretched, busy, enough people, enough, doctors, clinics, "
        "percent; are we too full, how many more blocks could we take"
    ),
    "get_static_fallbacks": (
        "plan B, backup, emergency, contingency, ready, prepared; which backup plans are ready, what do we "
        "have for a pandemic"
    ),
    "execute_sacrifice_hierarchy": (
        "cut, drop, load shedding, cancel, clinics, electives, research, triage, emergency, services, first, "
        "priority, give up, suspend; what can we stop doing, free people by cancelling clinics"
    ),
    "rag_search": (
        "policy, handbook, guideline, ACGME, regulation, law, allowed, limit, maximum, look up, rule, "
        "permitted, rest, source, requirement, hours, after call, minimum, how long; what does the rule say "
        "about nights, how many days off must I get"
    ),
    "check_swaps_feasibility": "trades, many, several, chain, batch, round, exchanges; can all these trades be made",
    "simulate_scenario": (
        "what if, hypothetical, pretend, imagine, try, impact, surge, maternity, suppose, test, leave, extra "
        "demand, month, took, would happen, short by; what happens if she is away in May, what if the ICU "
        "needs two more"
    ),
    "get_backup_call_pool": (
        "jeopardy, standby, reserve, emergency, cover, short notice, available, spare, call in, sick, flu, "
        "free, extra, help, called out, someone, last minute, right away; who could come in tonight, who is "
        "on backup"
    ),
    "optimize_rotation_balance": (
        "fair, unfair, equal, even out, balance, weekends, nights, workload, share, level, distribute, too "
        "many, same people, compared, others, evenly, spread; some do more nights than others, make it fairer"
    ),
    "generate_coverage_report": (
        "staffing, short, understaffed, uncovered, statistics, spreadsheet, enough, too few, people, weeks, "
        "missing, numbers, report, unfilled, slots, vacant, open, coverage; where are we short, is every "
        "service staffed"
    ),
    "find_person": (
        "on call, doctor, attending, resident, nurse, staff, lookup, pager, phone, year, today, tonight, "
        "team, contact, right now, at the moment, names, who's; who is on call tonight, which year is Baker "
        "in, who covers the ICU now"
    ),
    "show_roster": (
        "calendar, shifts, timetable, schedule, rota, week, weekend, grid, duties, who works, working, on "
        "duty, plan, hours, from to, who's working, ICU, today; when do I work, show me next week, who is on "
        "Monday"
    ),
    "show_health": (
        "dashboard, overview, status, state, resilience, robust, summary, shape, condition, month, situation; "
        "how are we doing, how robust is the schedule"
    ),
}
