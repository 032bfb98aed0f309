"""Values per topic as trec_eval -q and ir_measures -q print them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import TellapartError, read

File = Callable[..., str]


def _printed(system: str | None, values: dict[str, float], measure: str = "map") -> str:
    rows = "".join(f"num_ret               \t{q}\t10\n{measure:<22}\t{q}\t{v:.4f}\n" for q, v in values.items())
    named = "" if system is None else f"runid                 \tall\t{system}\n"
    return f"{rows}{named}{measure:<22}\tall\t{sum(values.values()) / len(values):.4f}\n"


OLD, NEW = {"301": 0.25, "302": 0.5, "303": 0.0}, {"301": 0.5, "302": 0.75, "303": 0.125}


def test_topics_are_items_and_the_runid_is_the_system(file: File) -> None:
    """Counts and the summary are no scores; the run names itself."""
    scores = read([file(_printed("bm25", OLD), "a.txt"), file(_printed("dense", NEW), "b.txt")])
    assert (scores.systems, scores.measure) == (("bm25", "dense"), "map")
    assert [name for _, name in scores.items] == list(OLD)
    assert scores.values[:, :, 0, 0].tolist() == [list(OLD.values()), list(NEW.values())]


def test_without_a_runid_the_file_is_the_system(file: File) -> None:
    """As for runs."""
    scores = read([file(_printed(None, OLD), "a.txt"), file(_printed(None, NEW), "b.txt")])
    assert scores.systems == ("a", "b")


def test_a_file_without_its_summary_is_cut(file: File) -> None:
    """Version 10 stops at the first topic that a run lacks: it is refused, unless what there is will do."""
    cut = _printed(None, OLD).rpartition("map")[0]
    paths = [file(cut, "a.txt"), file(_printed(None, NEW), "b.txt")]
    with pytest.raises(TellapartError, match="the evaluation did not finish"):
        read(paths)
    assert read(paths, partial=True).systems == ("a", "b")


def test_summaries_alone_hold_no_items(file: File) -> None:
    """Neither trec_eval's nor ir_measures'."""
    for text in (
        "map                   \tall\t0.25\nP_5                   \tall\t0.5\n",
        "nDCG@10\t0.5\nAP\t0.25\n",
    ):
        with pytest.raises(TellapartError, match="holds no items"):
            read([file(text, "a.txt"), file(text, "b.txt")])


def test_a_damaged_line_is_named(file: File) -> None:
    """With what was wanted there."""
    damaged = _printed(None, OLD).replace("map                   \t302\t", "map 302 ")
    with pytest.raises(TellapartError, match=r"line 4: found 'map 302 0.5000'; wanted a measure, a topic and a value"):
        read([file(damaged, "a.txt"), file(_printed(None, NEW), "b.txt")])


def test_ir_measures_as_a_table(file: File) -> None:
    """A query, a measure, a value; several measures are chosen from."""
    paths = [
        file(
            "".join(f"{q}\tAP(rel=2)\t{v}\n{q}\tnDCG@10\t{v / 2}\n" for q, v in {**values, "all": 9.0}.items()),
            name,
        )
        for name, values in (("a.tsv", OLD), ("b.tsv", NEW))
    ]
    scores = read(paths, measure="nDCG@10")
    assert scores.values[0, :, 0, 0].tolist() == [v / 2 for v in OLD.values()]
    assert read(paths, measure="AP(rel=2)").values[1, :, 0, 0].tolist() == list(NEW.values())
    with pytest.raises(TellapartError, match="several measures"):
        read(paths)
    with pytest.raises(TellapartError, match="line 7: found 'q9 AP 1'"):
        read(
            [
                file(
                    "".join(f"{q}\tAP\t{v}\n" for q, v in {**OLD, **dict.fromkeys("xyz", 0.1)}.items()) + "q9 AP 1\n",
                    "c.tsv",
                ),
                paths[0],
            ],
            measure="AP",
        )


@pytest.mark.shared
@pytest.mark.parametrize("version", ["trec_eval9.q.gz", "trec_eval10.q.gz", "trec_eval10.qc"])
def test_real_files_meet_the_runs_they_were_made_of(shared: Path, version: str) -> None:
    """What trec_eval printed, to its four decimals, is what the runs and judgements give."""
    folder = shared / "format-samples" / "trec"
    printed = read([folder / f"{name}.{version}" for name in ("bm25", "dense")], measure="ndcg_cut_10")
    runs = read(
        [folder / f"{name}.run.gz" for name in ("bm25", "dense")],
        qrels=folder / "qrels.txt",
        measure="nDCG@10",
    )
    assert printed.items == runs.items
    np.testing.assert_allclose(printed.values, runs.values, atol=5.1e-5)


@pytest.mark.shared
@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_real_files_of_ir_measures(shared: Path, ending: str) -> None:
    """The same of ir_measures, as a table and as JSON."""
    folder = shared / "format-samples"
    printed = read(
        [folder / "ir_measures_0_4_3" / f"{name}.q.{ending}" for name in ("bm25", "dense")], measure="nDCG@10"
    )
    trec = folder / "trec"
    runs = read([trec / f"{name}.run.gz" for name in ("bm25", "dense")], qrels=trec / "qrels.txt", measure="nDCG@10")
    np.testing.assert_allclose(printed.values, runs.values, atol=5.1e-5 if ending == "tsv" else 1e-9)
