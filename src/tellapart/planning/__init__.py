"""Power, number of items and detectable effect of a study: a population, a test, a design and an alpha.

`power_of(study)` asks three engines in this order and says which answered: formula, exact, Monte Carlo. Exact means that every table of
results is summed, with the test's own p-values. Monte Carlo cuts replicates into blocks whose size depends on the study alone, each with its
own numbered random stream, and adds their tallies in order: the same bits on threads, processes or a cluster.

One solver serves all engines. An axis (`solved_axes`) names what is solved for, a field of the design or the effect. Power over items can be
saw-toothed; the answer is the first number of items that reaches the target, and the number from which it stays there.

A population says which random numbers one evaluation takes (`draws`). Studies in a grid that take the same numbers share them, because equal
`draws` are equal noise by construction.
"""
