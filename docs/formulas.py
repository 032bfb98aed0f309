"""The formula of each method page, in LaTeX; the page holds it as MathML, which browsers set and screen readers read."""

import re

from latex2mathml.converter import convert

SYMBOLS = """## Symbols

In formulas n is the number of items, dᵢ an item's difference B − A, d̄ their mean and s their standard deviation; w and l are the items that only B
and only A got right; x of n answers are right, with share p̂. There are G clusters, R raters, N votes and m pairs; p₍ₖ₎ is the k-th smallest p-value.
z is the normal quantile at 1 − α/2, t that of Student's law with ν degrees of freedom, B that of the Beta law, V the variance of the effect; a tilde
marks a resample or an adjusted p-value, # counts.
"""
"""What stands below each list of methods."""

FORMULAS = {
    "tests": {
        "bootstrap": r"p = \min\{\alpha : 0 \notin \mathrm{CI}_{1-\alpha}\}",
        "cluster_sign_flip": r"p = \frac{1}{2^G} \, \#\left\{ s \in \{-1, 1\}^G : \left| \sum_{g=1}^{G} s_g D_g \right| \ge \left| \sum_{g=1}^{G} D_g \right| \right\}, \quad D_g = \sum_{i \in g} d_i",
        "cluster_t": r"t = \frac{\bar d}{\sqrt{V}}, \quad V_{\mathrm{cr1}} = \frac{G}{G - 1} \cdot \frac{1}{n^2} \sum_{g=1}^{G} e_g^2, \quad V_{\mathrm{cr2}} = \frac{1}{n^2} \sum_{g=1}^{G} \frac{e_g^2}{1 - n_g / n}, \quad e_g = \sum_{i \in g} (d_i - \bar d)",
        "mcnemar": r"p_{\mathrm{mid}} = 2 \, P(X > x) + P(X = x), \quad X \sim \mathrm{Bin}\left(w + l, \tfrac{1}{2}\right), \quad x = \max(w, l)",
        "permutation": r"p = \frac{1}{2^n} \, \#\left\{ s \in \{-1, 1\}^n : \left| \sum_{i=1}^{n} s_i d_i \right| \ge \left| \sum_{i=1}^{n} d_i \right| \right\}",
        "sign": r"p = \min\left(1, \, 2 \sum_{k=x}^{m} \binom{m}{k} 2^{-m}\right), \quad m = \#\{d_i \ne 0\}, \quad x = \max\left(\#\{d_i > 0\}, \#\{d_i < 0\}\right)",
        "two_proportion_z": r"z = \frac{\hat p_B - \hat p_A}{\sqrt{\hat p (1 - \hat p) \left(\frac{1}{n_A} + \frac{1}{n_B}\right)}}, \quad \hat p = \frac{n_A \hat p_A + n_B \hat p_B}{n_A + n_B}",
        "welch_t": r"t = \frac{\bar x_B - \bar x_A}{\sqrt{\frac{s_A^2}{n_A} + \frac{s_B^2}{n_B}}}, \quad \nu = \frac{\left(\frac{s_A^2}{n_A} + \frac{s_B^2}{n_B}\right)^2}{\frac{s_A^4}{n_A^2 (n_A - 1)} + \frac{s_B^4}{n_B^2 (n_B - 1)}}",
        "wilcoxon": r"V = \sum_{d_i > 0} \mathrm{rank}(|d_i|)",
        "both": r"p = \max(p_1, p_2)",
        "paired_t": r"t = \frac{\bar d}{s / \sqrt{n}}, \quad s^2 = \frac{1}{n - 1} \sum_{i=1}^{n} (d_i - \bar d)^2, \quad \nu = n - 1",
        "equivalence": r"p = \max\left(p_{\Delta > -\delta}, \; p_{\Delta < \delta}\right), \quad \delta = \text{the margin}",
        "non_inferiority": r"p = p_{\Delta > -\delta}, \quad \delta = \text{the margin}",
        "betting": r"p = \frac{2}{\max_{m \le n} \max(K_m^+, K_m^-)}, \quad K_m^{\pm} = \sum_{k=1}^{7} c_k \prod_{i=1}^{m} \left(1 \pm \lambda_k \frac{d_i}{\text{width}}\right), \quad \sum_{k=1}^{7} c_k = 1",
        "judge_regression": r"\hat \Delta = \bar y + \beta \left(\bar F - \bar f\right), \quad t = \frac{\hat \Delta}{\sqrt{V}}, \quad \nu = n - 2",
        "mixed_model": r"d_{ri} = \Delta + u_r + v_i + \varepsilon_{ri}, \quad u_r \sim N(0, \sigma_u^2), \; v_i \sim N(0, \sigma_v^2), \; \varepsilon_{ri} \sim N(0, \sigma^2)",
        "order_score": r"t = \frac{\hat \Delta}{\mathrm{se}_0 \sqrt{N / (N - 1)}}, \quad \hat \Delta = \tfrac{1}{2} \left(\bar d_{A \text{ first}} + \bar d_{B \text{ first}}\right)",
        "rater_sign_flip": r"p = \frac{1}{2^R} \, \#\left\{ s \in \{-1, 1\}^R : \left| \sum_{r=1}^{R} s_r \bar d_r \right| \ge \left| \sum_{r=1}^{R} \bar d_r \right| \right\}",
        "rater_t": r"t = \frac{\bar d}{s / \sqrt{R}}, \quad \bar d = \frac{1}{R} \sum_{r=1}^{R} \bar d_r, \quad \nu = R - 1",
        "seeds_t": r"t = \frac{\hat \Delta}{\sqrt{V_{\text{seeds}} + V_{\text{items}} - V_{\text{seeds} \times \text{items}}}}",
    },
    "intervals": {
        "agresti_coull": r"p' \pm z \sqrt{\frac{p' (1 - p')}{n'}}, \quad n' = n + z^2, \quad p' = \frac{x + z^2 / 2}{n'}",
        "betting": r"\left\{ \mu : \max_{m \le n} \max\left(K_m^+(\mu), K_m^-(\mu)\right) < \frac{2}{\alpha} \right\}",
        "bonett_price": r"w' - l' \pm z \sqrt{\frac{w' + l' - (w' - l')^2}{n + 2}}, \quad w' = \frac{w + 1}{n + 2}, \quad l' = \frac{l + 1}{n + 2}",
        "bootstrap": r"\left[ \bar d - \tilde t_{1 - \alpha/2} \frac{s}{\sqrt{n}}, \; \bar d - \tilde t_{\alpha/2} \frac{s}{\sqrt{n}} \right], \quad \tilde t = \frac{\tilde d - \bar d}{\tilde s / \sqrt{n}}",
        "both": r"\left[ \min(L_1, L_2), \; \max(U_1, U_2) \right]",
        "clopper_pearson": r"\left[ B_{\alpha/2}(x, \, n - x + 1), \; B_{1 - \alpha/2}(x + 1, \, n - x) \right]",
        "cluster_sign_flip": r"\left[ M_{(k)}, \; M_{(2^G - k)} \right], \quad \text{with } M \text{ the means of the } 2^G - 1 \text{ subsets of clusters}",
        "cluster_t": r"\bar d \pm t_{\nu, 1 - \alpha/2} \sqrt{V}, \quad V_{\mathrm{cr1}} = \frac{G}{G - 1} \cdot \frac{1}{n^2} \sum_{g=1}^{G} \left( \sum_{i \in g} (d_i - \bar d) \right)^2",
        "hodges_lehmann": r"\left[ A_{(k)}, \; A_{(N + 1 - k)} \right], \quad A_{ij} = \frac{d_i + d_j}{2} \text{ for } i \le j, \quad N = \frac{n (n + 1)}{2}",
        "jeffreys": r"\left[ B_{\alpha/2}\left(x + \tfrac{1}{2}, \, n - x + \tfrac{1}{2}\right), \; B_{1 - \alpha/2}\left(x + \tfrac{1}{2}, \, n - x + \tfrac{1}{2}\right) \right]",
        "judge_regression": r"\bar y + \beta \left(\bar F - \bar f\right) \pm t_{n - 2, \, 1 - \alpha/2} \sqrt{V}",
        "mixed_model": r"\hat \Delta \pm t_{\nu, 1 - \alpha/2} \, \mathrm{se}(\hat \Delta)",
        "newcombe": r"\left[ \hat d - \sqrt{u_B^2 - 2 \varphi u_B v_A + v_A^2}, \; \hat d + \sqrt{v_B^2 - 2 \varphi v_B u_A + u_A^2} \right], \quad u = \hat p - L, \quad v = U - \hat p",
        "newcombe_independent": r"\left[ \hat d - \sqrt{u_B^2 + v_A^2}, \; \hat d + \sqrt{v_B^2 + u_A^2} \right], \quad u = \hat p - L, \quad v = U - \hat p",
        "order_score": r"\left\{ \Delta : \left| \hat \Delta - \Delta \right| \le t_{\nu, 1 - \alpha/2} \, \mathrm{se}_{\Delta} \right\}",
        "rater_t": r"\bar d \pm t_{R - 1, \, 1 - \alpha/2} \frac{s}{\sqrt{R}}",
        "seeds_t": r"\hat \Delta \pm t_{\nu, 1 - \alpha/2} \sqrt{V_{\text{seeds}} + V_{\text{items}} - V_{\text{seeds} \times \text{items}}}",
        "student_t": r"\bar d \pm t_{n - 1, \, 1 - \alpha/2} \frac{s}{\sqrt{n}}",
        "tango": r"\left\{ d : \left| w - l - n d \right| \le z \sqrt{n \left(2 \tilde q_d + d (1 - d)\right)} \right\}",
        "wald": r"\hat d \pm \frac{z}{n} \sqrt{w + l - \frac{(w - l)^2}{n}}",
        "welch_t": r"\bar x_B - \bar x_A \pm t_{\nu, 1 - \alpha/2} \sqrt{\frac{s_A^2}{n_A} + \frac{s_B^2}{n_B}}",
        "wilson": r"\left\{ p : \left| \hat p - p \right| \le z \sqrt{\frac{p (1 - p)}{n}} \right\}",
    },
    "metrics": {
        "accuracy": r"\frac{\#\{\text{right}\}}{n}",
        "balanced_accuracy": r"\frac{1}{C} \sum_{c=1}^{C} \frac{\mathrm{tp}_c}{\mathrm{tp}_c + \mathrm{fn}_c}",
        "bleu": r"\mathrm{BP} \cdot \exp\left( \frac{1}{4} \sum_{k=1}^{4} \log p_k \right), \quad \mathrm{BP} = \min\left(1, \, e^{1 - r / h}\right)",
        "cer": r"\frac{\#\{\text{characters edited}\}}{\#\{\text{characters of the references}\}}",
        "chrf": r"F_\beta = \frac{(1 + \beta^2) \, P \, R}{\beta^2 P + R}",
        "f1": r"F_1 = \frac{2 \, \mathrm{tp}}{2 \, \mathrm{tp} + \mathrm{fp} + \mathrm{fn}}",
        "mcc": r"\frac{\mathrm{tp} \cdot \mathrm{tn} - \mathrm{fp} \cdot \mathrm{fn}}{\sqrt{(\mathrm{tp} + \mathrm{fp})(\mathrm{tp} + \mathrm{fn})(\mathrm{tn} + \mathrm{fp})(\mathrm{tn} + \mathrm{fn})}}",
        "mean": r"\bar x = \frac{1}{n} \sum_{i=1}^{n} x_i",
        "precision": r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp}}",
        "recall": r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fn}}",
        "ter": r"100 \cdot \frac{\#\{\text{edits and shifts}\}}{\#\{\text{words of the references}\}}",
        "wer": r"\frac{\#\{\text{words edited}\}}{\#\{\text{words of the references}\}}",
    },
    "corrections": {
        "bh": r"\tilde p_{(k)} = \min_{j \ge k} \min\left(1, \, \frac{m}{j} \, p_{(j)}\right)",
        "by": r"\tilde p_{(k)} = \min_{j \ge k} \min\left(1, \, \frac{m}{j} \, p_{(j)} \sum_{i=1}^{m} \frac{1}{i}\right)",
        "bonferroni": r"\tilde p = \min(1, \, m p)",
        "hochberg": r"\tilde p_{(k)} = \min_{j \ge k} \min\left(1, \, (m - j + 1) \, p_{(j)}\right)",
        "holm": r"\tilde p_{(k)} = \max_{j \le k} \min\left(1, \, (m - j + 1) \, p_{(j)}\right)",
        "hommel": r"\tilde p_i = \max_{S \ni i} \min_{k \le |S|} \frac{|S|}{k} \, p_{(k:S)}",
        "max_t": r"\tilde p_i = \frac{1 + \#\left\{ b : \max_j |\tilde t_{jb}| \ge |t_i| \right\}}{1 + B}",
        "none": r"\tilde p = p",
    },
    "effects": {
        "cohen_dav": r"d_{av} = \frac{\bar d}{(s_A + s_B) / 2}",
        "cohen_dz": r"d_z = \frac{\bar d}{s}",
        "cohen_g": r"g = \frac{w}{w + l} - \frac{1}{2}",
        "hedges_g": r"g = d_z \, \frac{\Gamma(m / 2)}{\sqrt{m / 2} \; \Gamma((m - 1) / 2)}, \quad m = n - 1",
        "odds_ratio": r"\frac{w}{l}",
        "probability_of_superiority": r"\frac{\#\{d_i > 0\} + \frac{1}{2} \#\{d_i = 0\}}{n}",
        "rank_biserial": r"\frac{V^+ - V^-}{V^+ + V^-}, \quad V^{\pm} = \sum_{\pm d_i > 0} \mathrm{rank}(|d_i|)",
    },
}  # fmt: skip


LOOSE = re.compile(r"<mi>(&#x000B1;|:|&#x0223C;|~)</mi>")
"""Signs between two terms, which the converter takes for letters."""


def typeset(shelf: str, name: str) -> str:
    """The formula of a method, each of its parts a piece of MathML that may go to the next line; nothing where there is none."""
    parts = FORMULAS.get(shelf, {}).get(name, "").split(r", \quad ")
    pieces = [LOOSE.sub(r"<mo>\1</mo>", convert(part, display="block")) for part in parts if part]
    return f'<div class="formula" markdown="0">{"".join(pieces)}</div>\n\n[Symbols](index.md#symbols)' if pieces else ""
