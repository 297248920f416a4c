"""Formulations to OR-tools and back: CP-SAT for whole variables, GLOP and SCIP where some are real."""
