"""The rules, each defined once.

A rule is an object made from a `Kernel`. It has three ways of use and one
definition behind them:

* ``check(grid)`` lists every violation of a whole roster;
* ``hurts(board, changes)`` lists what a change of a few cells would newly break (`board.Board` keeps the sums);
* ``post(model)`` adds it to a solver model (``solve.model.Model``).
"""
