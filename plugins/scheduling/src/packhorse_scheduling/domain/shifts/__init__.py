"""Shift rosters of nurses, desks and wards: one shift a day, soft cover; how good they are is proven by a bound."""
