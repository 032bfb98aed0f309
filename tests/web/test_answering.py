"""A worker answers one question after the other and keeps nothing of them."""

import gc
import json

from tellapart.web.job_handler import answered
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job

PLAN = {"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "items": 400, "test": "paired_t"}
LIMITS = ServeLimits()


def plan(**more: object) -> Job:
    return Job("plan", "json", content_type="application/json", body=json.dumps({**PLAN, **more}).encode())


def test_nothing_of_a_question_is_kept_for_good() -> None:
    """A command that is loaded is frozen, so that no garbage is sought in it; what is frozen later would stay for ever."""
    answered(plan(), LIMITS)
    before = gc.get_freeze_count()
    assert [answered(plan(effect=0.01 + n / 1000), LIMITS).status for n in range(5)] == [200] * 5
    assert gc.get_freeze_count() <= before  # some of it may be let go, and none may be added


def test_a_population_that_is_asked_for_again_is_the_same_command_with_its_own_values() -> None:
    one, other = (plan(kind=f"gaussian(sd={sd})", sd=None, test=None) for sd in (0.1, 0.3))
    told = [json.loads(answered(job, LIMITS).body)["rows"][0]["power"] for job in (one, other, one)]
    assert told[0] == told[2] > told[1]
