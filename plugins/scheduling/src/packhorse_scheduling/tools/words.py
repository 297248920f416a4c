"""What people say who need a tool: words that its description lacks, then what they would ask.

Written from the specification, for a search over tools.
"""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "validate_schedule": "legal, ACGME compliance, 80 hours, audit, illegal, broken rules; is the schedule legal, does"
    " anybody work too much",
    "check_swap_feasibility": "trade allowed, switch shifts, exchange call; can we two trade Friday, would this swap be"
    " legal",
    "analyze_contingency": "fragile, single point of failure, falls ill, backup; could we survive losing one doctor,"
    " whom could we not replace",
    "suggest_resolution": "fix a gap, double booking, uncovered clinic, options; how do I solve this conflict, who"
    " could fill this hole",
    "generate_schedule": "build, create, new schedule, plan the year, block; make next year's schedule, plan July for"
    " everybody",
    "solve_roster": "benchmark, nurse rostering, competition, optimizer; solve this published instance",
    "publish_schedule": "release, go live, activate, official, restore; put the new schedule in force, let everybody"
    " see the draft",
    "snapshot_schedule": "backup, save, version, plan B, fallback; keep a copy before I change it, prepare a plan for a"
    " pandemic",
    "record_leave": "vacation, sick, ill, off, absent, deployment, maternity, conference; Tran is ill tomorrow, I want"
    " a week's vacation",
    "repair_schedule": "fix, cover, fill holes, reassign, called out; somebody called in sick, close the holes",
    "explain_assignment": "reason, unfair, why me, why not her; why am I on call Sunday, who decided that I work there",
    "change_rotation": "service, elective, ICU, move, switch; move her to another rotation, exchange two residents'"
    " blocks",
    "compare_versions": "diff, changes, before and after, old and new; what does the new version change, who loses"
    " days off",
    "request_swap": "trade, give away, switch, colleague, cover; I want to trade my Friday call, can somebody take my"
    " clinic",
    "respond_swap": "agree, say yes, refuse, reject, trade offer; I accept her trade, no I will not swap",
    "execute_swap": "finalize, approve trade, undo, roll back, reverse; make the agreed swap happen, undo yesterday's"
    " swap",
    "list_requests": "pending, inbox, waiting, approval, open, mine; what is waiting for me, has my leave been"
    " approved",
    "answer_request": "vacation, deny, grant, reject, sign off; approve his vacation, turn that request down",
    "change_assignment": "edit, put on call, remove, hours worked, timesheet; put Baker in clinic Monday, I stayed"
    " until nine yesterday",
    "withdraw_request": "vacation, no longer needed, back early, revoke; cancel my leave, she is back sooner",
    "rank_wishes": "preferences, holiday, Christmas, prefer nights, favourite; I would like Thanksgiving off, I prefer"
    " no Mondays",
    "calendar_address": "ical, ics, Google Calendar, phone, Outlook, sync, feed; put my shifts in my phone",
    "detect_conflicts": "problems, errors, double booked, gaps, issues, overlaps; what is wrong next week, any conflict"
    " in August",
    "analyze_swap_candidates": "cover, replacement, taker, trade partner; who could take my shift, find somebody to"
    " trade with",
    "run_contingency_analysis": "disaster, pandemic, mass casualty, several ill, deployed; what if these three are"
    " away, what breaks without them",
    "get_defense_level": "alert, red, crisis, escalation; which alarm level are we on, how bad is 70 percent",
    "analyze_hub_centrality": "key people, irreplaceable, indispensable, bottleneck; who must not get ill, on whom"
    " does everything depend",
    "check_utilization_threshold": "overloaded, occupancy, buffer, stretched, too full; are we too full, how many more"
    " blocks could we take",
    "get_static_fallbacks": "plan B, emergency schedule, backup, ready; which backup plans are ready, what do we have"
    " for a pandemic",
    "execute_sacrifice_hierarchy": "cut, load shedding, cancel clinics, electives, triage; what can we stop doing,"
    " free people by cancelling clinics",
    "rag_search": "policy, handbook, guideline, ACGME, regulation, allowed; what does the rule say about nights, how"
    " many days off must I get",
    "check_swaps_feasibility": "many trades, chain, batch, round; can all these trades be made",
    "simulate_scenario": "hypothetical, pretend, try, impact, surge; what happens if she is away in May, what if the"
    " ICU needs two more",
    "get_backup_call_pool": "jeopardy, standby, reserve, emergency cover, short notice; who could come in tonight, who"
    " is on backup",
    "optimize_rotation_balance": "fair, equal, even out, weekends, nights, workload; some do more nights than others,"
    " make it fairer",
    "generate_coverage_report": "staffing, short, uncovered, statistics, spreadsheet; where are we short, is every"
    " service staffed",
    "find_person": "doctor, staff list, residents, lookup, tonight; who is on call tonight, which year is Baker in",
    "show_roster": "calendar, shifts, timetable, schedule, week, grid; when do I work, show me next week",
    "show_health": "dashboard, overview, status, resilience; how are we doing, how robust is the schedule",
}
