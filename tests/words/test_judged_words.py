"""Words of a judge with human labels: headline and sentence of comparison and plan."""

from pathlib import Path

from tellapart import compare, plan_judged
from tellapart.answers.texts import add_text

JUDGED = Path(__file__).parents[1] / "golden" / "data" / "judged.csv"


def test_a_comparison_names_labels_and_judge() -> None:
    answer = compare(JUDGED, human="human", judge="judge")
    assert answer.headline == "new is better than base, by human labels and a judge"
    assert "(human, 120 labels, 600 items judged by judge)" in answer.sentence
    assert "Labels alone: 95 % CI [−0.003, +0.170]." in answer.sentence


def test_an_open_comparison_leads_to_a_plan_that_answers() -> None:
    answer = compare(JUDGED, human="human", judge="judge", alpha=0.01)
    assert answer.headline == "undetermined: 120 labels and a judge do not tell base and new apart"
    command = "tellapart plan judged --sd-difference 0.48 --judge-correlation 0.47 --labels 120 --items 600"
    assert answer.to_settle.endswith(command)
    assert plan_judged(sd_difference=0.48, judge_correlation=0.47, items=600, labels=120).rows[0].power


def test_of_clusters_the_plan_says_what_it_leaves_out(tmp_path: Path) -> None:
    lines = JUDGED.read_text(encoding="utf-8").splitlines()
    table = [f"{line},{f'c{n // 5}' if n else 'cluster'}" for n, line in enumerate(lines)]
    (tmp_path / "clusters.csv").write_text("\n".join(table), encoding="utf-8")
    answer = compare(tmp_path / "clusters.csv", human="human", judge="judge", alpha=0.001)
    assert "how many find it, were items independent: tellapart plan judged" in answer.to_settle


def test_a_judge_that_does_not_pay() -> None:
    answer = plan_judged(sd_difference=0.45, judge_correlation=0.5, budget=1000, cost_label=2, cost_judgement=1)
    assert add_text(answer).headline.startswith("at these prices the judge does not pay: 500 labels alone")
