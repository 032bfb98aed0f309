"""Choice of the default test, interval and correction for given scores, for pairs, leaderboards and raters.

The rule, as the guide states it:

1. Right or wrong on the same items: McNemar's mid-p, Tango's interval.
2. Any other number per item: Student's t; where the differences are visibly skewed, the studentised bootstrap must agree: the
   larger p-value, the wider interval.
3. Metrics that are no averages (F1, MCC, BLEU, …): the same on each item's influence, the bootstrap recomputing the metric.
4. Items in clusters: the same with clusters as units, CR2 and Satterthwaite's degrees of freedom for t; with very few clusters
   their signs must agree.
5. Raters and items crossed: the mixed model.
"""
