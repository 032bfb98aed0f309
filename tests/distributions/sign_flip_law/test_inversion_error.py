"""The error of an inversion, term by term."""

from dataclasses import replace

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import inversion
from tellapart.numerics.sign_flip_law.contour import Contour, NodeProducts, saddlepoint_contour
from tellapart.numerics.sign_flip_law.inversion import NEGLIGIBLE, _NodeSums
from tellapart.numerics.sign_flip_law.subset_sums import SubsetSums, Tail


@pytest.fixture(autouse=True)
def _nothing_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Revivals have their own tests."""
    monkeypatch.setattr(inversion, "secondary_peaks", lambda contour, frequency: 0.0 * frequency)


def contour_of(values: FloatArray) -> Contour:
    sums = asked(values)
    return saddlepoint_contour(np.ascontiguousarray(sums.sizes.T), sums.threshold, sums.whole)


def sums(nodes: int, late: float, last: float) -> _NodeSums:
    return _NodeSums(np.ones(1), np.ones(1), nodes, np.array([late]), np.array([last]))


FEW, MANY = (
    contour_of(np.random.default_rng(1).normal(size=12)),
    contour_of(np.random.default_rng(2).normal(size=400)),
)


def test_a_random_walk_is_left_out() -> None:
    """Values as large as their mean over all frequencies add up like the root of the nodes beyond the last."""
    floor = float(FEW.floor[0])
    assert floor > NEGLIGIBLE
    for late in (0.1 * floor, floor, 3.0 * floor):
        found = inversion._truncation_error(FEW, sums(400, late, late))
        assert float(found[0]) == pytest.approx(8.0 * max(late, floor) / np.sqrt(400.0) / np.pi)


def test_values_that_have_not_decayed_may_all_add_up() -> None:
    """Beyond four times the mean they are no random walk any more."""
    floor = float(FEW.floor[0])
    found = inversion._truncation_error(FEW, sums(400, 10.0 * floor, floor))
    walk, coherent = 80.0 * floor / 20.0, 2.0 * (10.0 - 4.0) * floor
    assert float(found[0]) == pytest.approx((walk + coherent) / np.pi)


def test_a_decay_leaves_ten_times_the_last() -> None:
    """Only where values are negligible on average, too: small values of few differences prove nothing."""
    assert float(MANY.floor[0]) < NEGLIGIBLE
    assert float(inversion._truncation_error(MANY, sums(20, 1e-3, 2e-18))[0]) == pytest.approx(2e-17, rel=1e-9, abs=0.0)
    assert float(inversion._truncation_error(FEW, sums(20, 1e-3, 2e-18))[0]) > 1e-4


def test_all_frequencies_of_a_lattice_leave_nothing() -> None:
    """At its last node a finite sum is complete."""
    lattice = contour_of(np.random.default_rng(3).integers(-9, 10, size=30).astype(np.float64))
    limit = int(lattice.limit[0])
    assert float(inversion._truncation_error(lattice, sums(limit, 0.1, 0.1))[0]) == 0.0
    assert float(inversion._truncation_error(lattice, sums(limit - 1, 0.1, 0.1))[0]) > 0.0


def test_chunks_end_with_the_first_decay() -> None:
    """A law that decays is summed in one chunk of about 9/(spacing·spread) nodes; others fill a block."""
    never = np.zeros(1)
    needed = float(np.max(9.0 / (MANY.spacing * MANY.spread))) + 4.0
    assert inversion._chunk(MANY, 10_000, never) == int(needed)
    assert inversion._chunk(MANY, 7, never) == 7
    block = max(4, inversion.BLOCK // FEW.sizes.size)
    assert inversion._chunk(FEW, 10**9, never) == block
    assert inversion._chunk(MANY, 10**9, np.array([5.0])) == inversion.BLOCK // MANY.sizes.size


def test_revivals_are_looked_for_beyond_the_last_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the frequency of the last node on; what is found there is added."""
    monkeypatch.setattr(inversion, "secondary_peaks", lambda contour, frequency: 0.0 * contour.spacing + frequency)
    floor = float(FEW.floor[0])
    found = inversion._truncation_error(FEW, sums(400, floor, floor))
    walk = 8.0 * floor / np.sqrt(400.0) / np.pi
    assert float(found[0]) == pytest.approx(walk + 400.0 * 2.0 * np.pi / float(FEW.period[0]))


@pytest.mark.parametrize("most", [96, 100, 5000])
def test_as_many_nodes_as_were_allowed(most: int) -> None:
    """What never decays is summed up to the last node that is allowed, or the end of its chunk."""
    found = inversion._sum_nodes(FEW, most, np.zeros(1))
    chunk = inversion._chunk(FEW, most, np.zeros(1))
    assert found.nodes == chunk * -(-most // chunk)


@pytest.mark.parametrize("kind", ["few", "many", "lattice"])
def test_nodes_summed_in_any_chunks(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many nodes are evaluated together changes no sum by more than is said to be left out."""
    rng = np.random.default_rng(5)
    values = {
        "few": rng.normal(size=30),
        "many": rng.normal(size=300),
        "lattice": rng.integers(-9, 10, 60) * 1.0,
    }[kind]
    asked_for = asked(np.asarray(values, dtype=np.float64))
    plain = inversion.inverted_tails(asked_for, 1 << 16)
    for chunk in (4, 5, 17, 96, 300):
        monkeypatch.setattr(inversion, "_chunk", lambda *_, chunk=chunk: chunk)
        found = inversion.inverted_tails(asked_for, 1 << 16)
        assert abs(float(found.at_most[0] - plain.at_most[0])) <= float(found.error[0] + plain.error[0])


def test_the_error_is_the_sum_of_its_terms() -> None:
    """What is left out, six typical jumps and rounding, each in proportion to the contour's height."""
    question = asked(np.random.default_rng(6).normal(size=40))
    contour = saddlepoint_contour(np.ascontiguousarray(question.sizes.T), question.threshold, question.whole)
    summed = inversion._sum_nodes(contour, 200, np.zeros(1))
    terms = inversion._truncation_error(contour, summed) + 6.0 * contour.floor**2 + 3e-15 * np.sqrt(len(contour.sizes))
    found = inversion._invert_block(question, 200, patient=False)
    assert found.error == pytest.approx(question.chance * contour.height * terms, rel=1e-12, abs=0.0)


def test_a_row_that_decays_does_not_end_the_others() -> None:
    """Beside four hundred differences, which decay at once, thirty are summed as far as alone."""
    rng = np.random.default_rng(8)
    few, many = rng.normal(size=30), rng.normal(size=400)
    both = asked(np.stack([np.append(few, np.zeros(370)), many]))
    alone, together = (inversion.inverted_tails(q, 4000 * q.sizes.size) for q in (asked(few), both))
    assert float(together.error[0]) <= 2.0 * float(alone.error[0])


def test_a_tail_too_small_for_a_double_stands_alone() -> None:
    """Beside a row whose tail is below every double the others keep theirs."""
    rng = np.random.default_rng(11)
    far, near = rng.normal(2.0, 0.4, 2500), rng.normal(0.05, 1.0, 2500)
    far[:3] = -np.abs(far[:3])
    alone, together = (inversion.inverted_tails(asked(values), 1 << 22) for values in (near, np.stack([far, near])))
    assert abs(float(together.at_most[0])) < 1e-300
    assert float(together.at_most[1]) == pytest.approx(float(alone.at_most[0]), rel=1e-9, abs=0.0)


def test_rows_inverted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are worked on together, each has the tail and the error that it has alone."""
    sums = asked(np.random.default_rng(7).normal(0.2, 1.0, size=(9, 30)))
    together = inversion.inverted_tails(sums, 1 << 18)
    for step in (1, 4):
        monkeypatch.setattr(inversion, "_contour_rows_at_once", lambda _, step=step: step)
        pieces = inversion.inverted_tails(sums, 1 << 18)
        assert (np.abs(pieces.at_most - together.at_most) <= pieces.error + together.error).all()
        np.testing.assert_allclose(pieces.at_most, together.at_most, rtol=1e-5)


@pytest.mark.parametrize("chunk", [6, 8])
def test_how_large_the_last_nodes_were(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest of the last four, and the root mean square of the later half of each chunk, over the later half of the chunks."""
    monkeypatch.setattr(inversion, "_chunk", lambda *_: chunk)
    found = inversion._sum_nodes(FEW, 5 * chunk, np.zeros(1))
    assert found.nodes == 5 * chunk
    products = NodeProducts(FEW, chunk)
    sizes = np.abs([products.following()[:, 0] for _ in range(5)])
    assert float(found.last[0]) == pytest.approx(sizes[-1, -4:].max(), rel=1e-12, abs=0.0)
    assert float(found.late[0]) == pytest.approx(np.sqrt(np.mean(sizes[2:, chunk // 2 :] ** 2)), rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("patient", "limit", "least"),
    [
        (False, np.inf, 0.0),
        (True, np.inf, 200.0),
        (False, 199.0, 199.0),
        (False, 200.0, 200.0),
        (False, 201.0, 0.0),
    ],
)
def test_how_many_nodes_are_summed_even_after_a_decay(
    patient: bool, limit: float, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that are allowed if it is patient; all there are, where these are no more than are allowed."""
    asked_for: list[float] = []

    def told(contour: Contour, most: int, least: FloatArray) -> _NodeSums:
        asked_for.extend([float(most), *least.tolist()])
        return sums(most, 0.0, 0.0)

    question = asked(np.random.default_rng(6).normal(size=40))
    monkeypatch.setattr(inversion, "_sum_nodes", told)
    monkeypatch.setattr(
        inversion,
        "saddlepoint_contour",
        lambda *of: replace(saddlepoint_contour(*of), limit=np.array([limit])),
    )
    inversion._invert_block(question, 200, patient=patient)
    assert asked_for == [200.0, least]


def test_patience_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is not there otherwise; nodes are what the work allows for each row, and 96 at least."""
    question = asked(np.random.default_rng(6).normal(size=(2, 40)))
    calls: list[tuple[int, bool]] = []

    def told(rows: SubsetSums, most: int, *, patient: bool) -> Tail:
        calls.append((most, patient))
        return Tail(*np.zeros((3, len(rows))))

    monkeypatch.setattr(inversion, "_invert_block", told)
    width = question.sizes.shape[1]
    inversion.inverted_tails(question, 0)
    inversion.inverted_tails(question, 2 * width * 500)
    inversion.inverted_tails(question, 2 * width * 97, patient=True)
    assert calls == [(96, False), (500, False), (97, True)]


def test_the_last_frequency_of_a_lattice_is_summed() -> None:
    """A chunk that ends one node before it is followed by another, and one that ends with it by none."""
    lattice = contour_of(np.random.default_rng(3).integers(-9, 10, size=30).astype(np.float64))
    last = int(lattice.limit[0])
    for chunk, nodes in ((last - 1, 2 * (last - 1)), (last, last), (last + 1, last + 1)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(inversion, "_chunk", lambda *_, chunk=chunk: chunk)
            assert inversion._sum_nodes(lattice, 10 * last, lattice.limit).nodes == nodes
