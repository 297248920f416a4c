"""What people say who need a tool: words that its description lacks, then what they would ask.

Written from the specification, for a search over tools.
"""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "validate_schedule": (
        "legal lawful ACGME compliance compliant 80 eighty hours audit illegal break overworked "
        "violations limits correct ok valid anybody; is the schedule legal, does anybody work too "
        "much, does it follow the rules\n"
        "make sure nobody broken rule hours week rest days off supervision ratio check October month "
        "violates inspection accreditation fatigue 24 hours"
    ),
    "check_swap_feasibility": (
        "trade allowed possible exchange switch shifts call night ok legal feasible took; can we two "
        "trade Friday, would this swap be legal, may I switch with her\n"
        "within the rules if took instead of me me and him would it be okay could we change places "
        "test"
    ),
    "analyze_contingency": (
        "fragile single point of failure falls ill quits depend vulnerable stress test indispensable "
        "loss absence without attending; could we survive losing one doctor, whom could we not "
        "replace, what if two are out\n"
        "backup for each person illness resign leaves gone N-1 fragile weakest robust bus factor next "
        "month attending"
    ),
    "suggest_resolution": (
        "fix solve gap hole double booking uncovered options advice problem clash shortage "
        "alternatives help nobody ideas ways; how do I solve this conflict, who could fill this hole, "
        "what could we do about it\n"
        "propose something empty ward two people same shift proposal remedy repair possibilities "
        "nobody available missing person"
    ),
    "generate_schedule": (
        "build create new plan year block month July residents everybody rota timetable automatically "
        "draw up scratch; make next year's schedule, plan July, fill the empty days\n"
        "need a rota starting block July half year term semester automatic solver compute produce "
        "design draft interns fellows attendings first version"
    ),
    "solve_roster": (
        "benchmark nurse rostering competition optimizer research; solve this published instance\n"
        "paper instance file optimum bound Curtois INRC ward nurses rota"
    ),
    "publish_schedule": (
        "release go live activate official final restore roll out effective announce approve version "
        "in force; make it official, let everybody see the draft\n"
        "this version is good everyone live use from Monday make valid commit push out activate draft"
    ),
    "snapshot_schedule": (
        "backup save version plan B fallback archive safe mark before undo; keep a copy before I "
        "change it, prepare a plan for a pandemic\n"
        "store current state go back later duplicate checkpoint freeze restore point keep"
    ),
    "record_leave": (
        "vacation holiday sick ill off absent out deployment maternity parental conference days away "
        "trip baby broke appointment PTO surgery jury duty family; Tran is ill tomorrow, I want a "
        "week's vacation, she will be out until Monday\n"
        "funeral wedding can't come in cannot work not available free time off day off week off study "
        "leave exam residency interview bereavement paternity unavailable injury injured hospital "
        "course training"
    ),
    "repair_schedule": (
        "fix cover fill holes reassign called out sick absent cannot rearrange replacement emergency "
        "illness as little as possible; somebody called in sick, close the holes, adjust the schedule\n"
        "all her shifts covered redistribute take over out now patch rework reorganise quickly change "
        "as few mend sick leave"
    ),
    "explain_assignment": (
        "reason unfair decided assigned put how come picked chosen Christmas why not; why me, why am "
        "I on call Sunday, who decided that I work there\n"
        "how come got Labor Day holiday and not me fairness justify explanation why am I working "
        "Thanksgiving night weekend"
    ),
    "change_rotation": (
        "service elective ICU clinic emergency month move switch swap reassign block instead assign; "
        "move her to another rotation, exchange two residents' blocks\n"
        "do pediatrics in block rather than surgery cardiology place on rotation schedule of "
        "rotations trade blocks psychiatry"
    ),
    "compare_versions": (
        "difference different diff changes changed before after old new yesterday; what does the new "
        "version change, who loses days off\n"
        "summarise moved between draft and live two versions what is new against present revision "
        "affects"
    ),
    "request_swap": (
        "trade give away switch exchange offer propose colleague cover shift call my Tuesday for her "
        "Thursday; I want to trade my Friday call, can somebody take my clinic, ask Kim to swap with "
        "me, I need somebody to take it\n"
        "anyone please take mine return the favour looking for someone who wants my duty instead give "
        "shift change with colleague cover me on"
    ),
    "respond_swap": (
        "agree say yes refuse reject trade offer proposed answer take no thanks; I accept her trade, "
        "no I will not swap, tell him yes\n"
        "tell him her fine with me okay deal switch agreed to not interested confirm"
    ),
    "execute_swap": (
        "finalize approve trade perform undo roll back reverse exchange put through complete agreed "
        "official done; make the agreed swap happen, undo yesterday's swap\n"
        "enter record it all agreed finalise confirmed swap both sides carried out book it cancel "
        "swap"
    ),
    "list_requests": (
        "pending inbox waiting approval decision open mine vacation undecided holidays answered "
        "status; what is waiting for me, has my leave been approved, who asked for days off\n"
        "asks on my desk to do still waiting outstanding applications requests new unanswered time "
        "off who wants"
    ),
    "answer_request": (
        "vacation leave days off swap deny grant reject allow sign off permit turn down yes; approve "
        "his vacation, turn that request down\n"
        "say yes no week off give him accept confirm decision okay application refuse"
    ),
    "change_assignment": (
        "edit put on call remove replace manually hours worked overtime timesheet stayed late take "
        "off ward move instead; put Baker in clinic Monday, I stayed until nine yesterday\n"
        "pull from there put somebody else swap in by hand Monday morning one shift only reassign "
        "single replace OR assign instead worked extra left early"
    ),
    "withdraw_request": (
        "vacation days off no longer need cancel back early sooner revoke undo; cancel my leave, she "
        "is back sooner, forget my request\n"
        "after all not need anymore take back drop my request changed my mind plans fell through "
        "retract"
    ),
    "rank_wishes": (
        "preferences prefer favourite holiday Christmas weekend nights birthday want wish New Year "
        "rather avoid matters more important; I would like Thanksgiving off, I prefer no Mondays, "
        "which days matter most to me\n"
        "if I can only get one let it be Eid Diwali Easter rank priority first choice second choice "
        "favourite shifts like dislike religious"
    ),
    "calendar_address": (
        "ical ics Google Calendar iPhone phone Outlook sync export feed link app import; put my "
        "shifts in my phone, see my duties in Outlook\n"
        "iPhone Android my shifts on phone URL webcal subscription integrate Apple"
    ),
    "detect_conflicts": (
        "problems errors double booked booking gaps issues overlaps mistakes violations clashes twice "
        "same time; what is wrong next week, any conflict in August, is anybody booked twice\n"
        "look for clashes between dates first fifteenth wrong conflict inspect find check week month "
        "breaches"
    ),
    "analyze_swap_candidates": (
        "cover replacement substitute taker partner colleague shift night in my place instead of me "
        "able available; who could take my shift, find somebody to trade with, who can cover for me\n"
        "list people may legally cover my Friday call who else possible takers candidates options "
        "free willing suitable ask whom"
    ),
    "run_contingency_analysis": (
        "disaster pandemic covid mass casualty several ill deployed missing same week; what if these "
        "three are away, what breaks without them\n"
        "flu outbreak strike snow storm half of staff absent at once scenario"
    ),
    "get_defense_level": (
        "alert alarm stage red crisis escalation emergency coverage dropped react; which alarm level "
        "are we on, how bad is 70 percent\n"
        "readiness colour yellow orange status of emergency resilience measure"
    ),
    "analyze_hub_centrality": (
        "key critical irreplaceable indispensable important bottleneck depends hangs faculty lose "
        "hurt; who must not get ill, on whom does everything depend\n"
        "single point of failure most needed rely network who matters overdependent"
    ),
    "check_utilization_threshold": (
        "overloaded load workload occupancy buffer stretched busy enough doctors clinics percent; are "
        "we too full, how many more blocks could we take\n"
        "percentage 80 percent utilisation full how much too many patients slots"
    ),
    "get_static_fallbacks": (
        "plan B backup emergency contingency ready drawer; which backup plans are ready, what do we "
        "have for a pandemic\n"
        "precomputed alternative schedules reserve plans disaster"
    ),
    "execute_sacrifice_hierarchy": (
        "cut drop load shedding cancel close clinics electives research triage emergency crisis "
        "services first priority give up; what can we stop doing, free people by cancelling clinics\n"
        "stop postpone reduce what services can wait least important crisis mode free up staff "
        "lectures teaching"
    ),
    "rag_search": (
        "policy handbook guideline ACGME regulation law allowed limit maximum look up permitted rest "
        "requirement moonlighting after call how long; what does the rule say about nights, how many "
        "days off must I get\n"
        "hours between shifts required documentation text article paragraph accreditation written "
        "where does it say allowed to duty hour rule break fatigue transition night float"
    ),
    "check_swaps_feasibility": (
        "trades many several chain batch round exchanges at once; can all these trades be made\n"
        "list of swaps all of them verify together"
    ),
    "simulate_scenario": (
        "hypothetical pretend imagine try out impact surge maternity suppose leave extra demand took "
        "short; what happens if she is away in May, what if the ICU needs two more\n"
        "play through go on leave two away another clinic opens what would happen effect model test "
        "add demand quit"
    ),
    "get_backup_call_pool": (
        "jeopardy standby reserve emergency cover short notice available spare call in sick flu free "
        "extra help someone last minute; who could come in tonight, who is on backup\n"
        "night resident called out now who is free this evening emergency cover today short staffed "
        "immediately substitute phone list on standby weekend"
    ),
    "optimize_rotation_balance": (
        "fair fairer fairly unfair equal even out balance weekends nights workload share level "
        "distribute too many interns seniors; some do more nights than others, make it fairer\n"
        "complain always the same people burden unjust distribution share out equally better equalise "
        "calls holidays"
    ),
    "generate_coverage_report": (
        "staffing staffed short understaffed uncovered statistics enough too few weeks missing "
        "unfilled slots vacant spreadsheet; where are we short, is every service staffed, how many "
        "are missing\n"
        "short-handed February understaffing where do we lack people demand shortage gaps per service "
        "numbers needed clinic ICU ward"
    ),
    "find_person": (
        "on call doctor attending resident nurse staff lookup pager phone today tonight team contact "
        "right now duty carries; who is on call tonight, which year is Baker in, who covers the ICU "
        "now\n"
        "page whom which attending who is the number of years role PGY level look up doctor name "
        "identify who's on supervising tonight"
    ),
    "show_roster": (
        "calendar shifts timetable schedule rota week weekend month grid duties duty plan hours "
        "working today; when do I work, which shifts do I have, show me next week, who is on Monday\n"
        "print week duty plan PGY-2 list of shifts my schedule who works Friday see view display days "
        "between from first to fifteenth November month night shifts off"
    ),
    "show_health": (
        "dashboard overview status resilience robust coping overloaded shape condition month "
        "situation; how are we doing, are we in good shape, how robust is the schedule\n"
        "overall healthy how is it going strain overworked summary of schedule risk resilient strong "
        "weak"
    ),
}
