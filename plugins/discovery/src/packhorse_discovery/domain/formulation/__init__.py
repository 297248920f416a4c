"""Problems of no built-in kind, as an assistant writes them: sets, data, variables, rules and a goal."""
