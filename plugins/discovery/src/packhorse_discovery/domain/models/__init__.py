"""The scheduling model between an interview and a solver: values, how they are built, changed and printed."""
