"""Results of older releases among newer ones: what they lack is said by file."""

import json

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.foundation.errors import ItemMismatch
from tellapart.readers import read
from tellapart.verbs.compare import compare

OLD = {"mteb_dataset_name": "Old", "mteb_version": "1.2.0", "test": {"cos_sim": {"spearman": 0.5}}}


def result(task: str, score: float) -> bytes:
    found = json.loads(written.mteb("", {"T/default": score}))
    return json.dumps(found | {"task_name": task}).encode()


def test_a_result_without_a_main_score_is_named(put: Put) -> None:
    """MTEB before 1.2 wrote none: the refusal says which file lacks it, and dropping the task is a way out."""
    for n, model in enumerate("xy"):
        for k in range(5):
            put(f"r/lab__{model}/1/T{k}.json", result(f"T{k}", 0.5 + (k * (n + 1) % 4) / 10))
    old = put("r/lab__x/1/Old.json", json.dumps(OLD))
    folder = put("r/lab__y/1/Old.json", result("Old", 0.7)).rpartition("/lab__y")[0]
    with pytest.raises(ItemMismatch) as error:
        compare(read(folder))
    assert f"'Old/default'): {old} has none by this measure" in error.value.message
    assert compare(read(folder), missing="drop").items == 5
    put("r/lab__y/1/Old.json", json.dumps(OLD))
    with pytest.raises(ItemMismatch, match=r"no system has .*Old\.json has none by this measure"):
        compare(read(folder))


def test_a_file_with_scores_of_another_system_is_not_blamed(put: Put) -> None:
    path = put("t.csv", "item,a,b\n1,0.5,\n2,0.25,\n3,1,\n")
    with pytest.raises(ItemMismatch) as error:
        compare(read(path))
    assert "by this measure" not in error.value.message
