from copy import copy
from dataclasses import dataclass, field

from tellapart.foundation.errors import UsageError
from tellapart.populations.evidence import EXPECTED, HIGH, LOW, Band, Overlap
from tellapart.populations.paired_binary import OVERLAPS, PairedBinary


@dataclass(frozen=True, kw_only=True)
class FromEvidence(PairedBinary):
    """A `paired_binary` whose discordance follows the effect as it did for past pairs of systems.

    It is spelled `paired_binary(accuracy=…, evidence=…)`: evidence is one more way to say the overlap. Assumes systems
    like those that the evidence was seen on. The wrong choice where the overlap is known from one's own systems.
    """

    evidence: Overlap = field(metadata={"help": "what past pairs say of the discordance"})
    place: float = field(
        default=EXPECTED, metadata={"help": "where in its band: -1 the low end, 0 expected, 1 the high end"}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [name for name in OVERLAPS if getattr(self, name) is not None]
        if given or self.accuracy is None:
            raise UsageError(
                f"paired_binary: evidence={self.evidence} speaks for the overlap where only accuracy=… is known; "
                f"given: {' and '.join(given) or 'no accuracy'}"
            )
        if self.place not in {LOW, EXPECTED, HIGH}:
            raise UsageError(f"paired_binary: place={self.place:g} should be -1, 0 or 1")

    @property
    def complete(self) -> bool:
        return True

    @property
    def rests_on_evidence(self) -> bool:
        return True

    @property
    def effect_range(self) -> tuple[float, float]:
        return -self._known_accuracy, 1.0 - self._known_accuracy

    @property
    def settled(self) -> PairedBinary:
        """The same with the discordance as a number."""
        return PairedBinary(effect=self.effect, accuracy=self.accuracy, discordance=self._share())

    def at_place(self, place: float) -> "FromEvidence":
        moved = copy(self)  # whatever place, the same options are possible
        object.__setattr__(moved, "place", place)
        return moved

    def band(self) -> Band:
        return self.evidence.discordance(*self.accuracies)

    def _share(self) -> float:
        return self.band().at(self.place)
