"""Simulates a training for the demo; deterministic by seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s

IMAGE_SIZE = 96
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class Training:
    """The values of one training."""

    steps: int
    curves: dict[str, Float64s]
    """Tag -> a value per step."""
    evaluations: dict[str, Float64s]
    """Tag -> a value per `evaluate_every` steps."""
    evaluate_every: int
    seed: int

    def weights(self, layer: str, step: int) -> Float64s:
        """Shape (3000,): the weights of a layer; their distribution becomes bimodal."""
        random = np.random.default_rng([self.seed, step, *layer.encode()])
        progress = step / self.steps
        weights = random.normal(0, 0.02 + 0.05 * np.sqrt(progress), 3000)
        weights[: int(900 * progress)] += 0.22 * progress
        return weights

    def image(self, step: int) -> NDArray[np.uint8]:
        """Shape (size, size, 3): the output of a generative model, from noise to a flower."""
        random = np.random.default_rng([self.seed, step])
        y, x = np.mgrid[-1 : 1 : IMAGE_SIZE * 1j, -1 : 1 : IMAGE_SIZE * 1j]
        radius, angle = np.hypot(x, y), np.arctan2(y, x)
        petals = 3 + self.seed % 4
        flower = np.exp(-(((radius - 0.55 - 0.25 * np.cos(petals * angle)) / 0.22) ** 2))
        center = np.exp(-((radius / 0.2) ** 2))
        ground = (1 - np.clip(flower + center, 0, 1)) * (1.5 - radius)
        colors = [[0.93, 0.42, 0.31], [0.98, 0.80, 0.32], [0.13, 0.20, 0.30]]
        picture = np.stack([flower, center, ground], axis=-1) @ np.array(colors)
        signal = (step / self.steps) ** 0.4
        noisy = signal * picture + (1 - signal) * random.random((IMAGE_SIZE, IMAGE_SIZE, 3))
        pixels: NDArray[np.uint8] = (np.clip(noisy, 0, 1) * 255).astype(np.uint8)
        return pixels

    def kernel(self, step: int) -> NDArray[np.float32]:
        """Shape (6, 1, 5, 5): the first layer's weights, which become edge detectors."""
        random = np.random.default_rng(self.seed)
        start = random.normal(0, 0.2, (6, 1, 5, 5))
        direction = np.arange(6)[:, np.newaxis, np.newaxis, np.newaxis] * np.pi / 6
        y, x = np.mgrid[-1:1:5j, -1:1:5j]
        edges = np.tanh(2 * (x * np.cos(direction) + y * np.sin(direction)))
        progress = step / self.steps
        kernel: NDArray[np.float32] = ((1 - progress) * start + progress * edges).astype("f4")
        return kernel

    def confusion(self, step: int) -> NDArray[np.int64]:
        """Shape (10, 10): a confusion matrix with 1,000 samples per class."""
        random = np.random.default_rng([self.seed, step, 1])
        accuracy = 0.1 + 0.88 * (1 - np.exp(-4 * step / self.steps))
        error = (1 - accuracy) / 9
        return random.multinomial(1000, np.full((10, 10), error) + np.eye(10) * (accuracy - error))

    def note(self, step: int) -> str:
        """Markdown: the output of a language model, which learns a sentence."""
        sentence = ["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]
        random = np.random.default_rng([self.seed, step, 2])
        known = int(len(sentence) * step / self.steps) + 1
        words = sentence[:known] + random.permutation(sentence[known:]).tolist()
        loss = self.curves["train/loss"][step]
        table = f"| loss | words right |\n|---|---|\n| {loss:.3f} | {known} of {len(sentence)} |"
        return f"### Step {step}\n\n{' '.join(words)}.\n\n{table}\n"

    def sound(self, step: int) -> NDArray[np.float32]:
        """Shape (8000,), one second: from noise to a chord."""
        random = np.random.default_rng([self.seed, step, 3])
        time = np.arange(8000) / 8000
        chord = sum(np.sin(2 * np.pi * pitch * time) for pitch in (220, 277.2, 329.6)) / 3
        signal = step / self.steps
        samples: NDArray[np.float32] = (
            0.7 * np.exp(-2 * time) * (signal * chord + (1 - signal) * random.normal(0, 0.3, 8000))
        ).astype("f4")
        return samples

    def predictions(self, step: int) -> tuple[NDArray[np.bool_], Float64s]:
        """Shapes (2000,): labels, and scores in [0, 1] that separate them ever better."""
        random = np.random.default_rng([self.seed, step, 4])
        labels = random.random(2000) < 0.4
        gap = 0.6 * (1 - np.exp(-3 * step / self.steps))
        return labels, np.clip(random.normal(0.4 - gap / 2, 0.18, 2000) + gap * labels, 0, 1)

    def surface(self, step: int) -> tuple[Float64s, NDArray[np.uint8], NDArray[np.int32]]:
        """A ball with growing dents: vertices (1, n, 3), colors (1, n, 3), triangles (1, m, 3)."""
        rows, columns = 24, 48
        polar, azimuth = np.meshgrid(
            np.linspace(0, np.pi, rows), np.linspace(0, 2 * np.pi, columns), indexing="ij"
        )
        dents = (
            0.25 * (step / self.steps) * np.sin(4 * polar) * np.cos((2 + self.seed % 4) * azimuth)
        )
        radius = 1 + dents
        vertices = np.stack(
            [
                radius * np.sin(polar) * np.cos(azimuth),
                radius * np.cos(polar),
                radius * np.sin(polar) * np.sin(azimuth),
            ],
            axis=-1,
        ).reshape(1, -1, 3)
        shade = np.clip(0.5 + 2 * dents, 0, 1)[..., np.newaxis]
        warm, cold = np.array([237, 107, 79]), np.array([47, 69, 184])
        colors = (shade * warm + (1 - shade) * cold).astype(np.uint8).reshape(1, -1, 3)
        corner = (np.arange(rows - 1)[:, np.newaxis] * columns + np.arange(columns - 1)).ravel()
        faces = np.concatenate(
            [
                np.stack([corner, corner + 1, corner + columns], axis=-1),
                np.stack([corner + 1, corner + columns + 1, corner + columns], axis=-1),
            ]
        )
        return vertices, colors, faces[np.newaxis].astype(np.int32)

    def features(self, step: int) -> tuple[NDArray[np.float32], list[list[str]]]:
        """Shape (300, 16): the features of 300 digits, and their labels."""
        random = np.random.default_rng([self.seed, 5])
        digits = np.arange(300) % 10
        centers = random.normal(0, 1, (10, 16))
        distance = 4 * (1 - np.exp(-3 * step / self.steps))
        vectors = distance * centers[digits] + random.normal(0, 1, (300, 16))
        names = [[f"sample {i}", str(digit)] for i, digit in enumerate(digits.tolist())]
        return vectors.astype("f4"), names

    def digits(self) -> NDArray[np.float32]:
        """Shape (300, 1, 14, 10): a noisy picture of each digit in `features`."""
        random = np.random.default_rng([self.seed, 6])
        pictures = np.ones((300, 14, 10), np.float32)
        for i, picture in enumerate(pictures):
            for segment, (rows, columns) in enumerate(_SEGMENTS):
                if _DIGITS[i % 10] >> segment & 1:
                    picture[rows, columns] = 0
        noisy = np.clip(pictures + random.normal(0, 0.12, pictures.shape), 0, 1)
        return noisy.astype("f4")[:, np.newaxis]


_SEGMENTS = (
    (slice(2, 4), slice(2, 8)),
    (slice(2, 7), slice(6, 8)),
    (slice(6, 12), slice(6, 8)),
    (slice(10, 12), slice(2, 8)),
    (slice(6, 12), slice(2, 4)),
    (slice(2, 7), slice(2, 4)),
    (slice(6, 8), slice(2, 8)),
)
"""The segments of a seven-segment digit, clockwise from the top, then the middle."""
_DIGITS = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F)
"""The segments of each digit, as bits."""


def train(
    seed: int,
    *,
    steps: int = 2000,
    learning_rate: float = 0.01,
    noise: float = 0.05,
    diverges_at: int | None = None,
) -> Training:
    """A training with a noisy, falling loss; a higher learning rate makes it fall faster.

    From step `diverges_at` on, the loss grows, becomes infinite, then NaN.
    """
    random = np.random.default_rng(seed)
    step = np.arange(steps)
    progress = step / steps
    speed = 6 * (learning_rate / 0.01) ** 0.35
    floor = 0.08 + 0.1 * random.random()
    # Autocorrelated noise looks like batches of varying difficulty.
    white = random.normal(0, 1, steps)
    rough = np.convolve(white, np.exp(-np.arange(12) / 3), "same") / 1.8
    loss = floor + 2.2 * np.exp(-speed * progress) * np.exp(noise * (0.6 * white + 0.8 * rough))
    # The learning rate drops twice, and so does the loss.
    rate = (
        learning_rate
        * np.minimum(1, (step + 1) / 100)
        * np.select([progress < 0.5, progress < 0.8], [1.0, 0.3], 0.09)
    )
    loss *= np.select([progress < 0.5, progress < 0.8], [1.0, 0.8], 0.72)
    accuracy = np.clip(1 - 0.42 * loss + 0.012 * rough, 0.1, 0.999)
    gradient = (0.4 + loss) * np.exp(0.35 * white)
    gradient[random.integers(0, steps, 3)] *= 25
    if diverges_at is not None:
        after = step - diverges_at
        growth = np.exp(np.clip(after, 0, 400) / 25)
        loss = np.where(after > 0, loss * growth, loss)
        loss[diverges_at + 180 :] = np.inf
        loss[diverges_at + 220 :] = np.nan
        accuracy = np.where(after > 0, 0.1 + (accuracy - 0.1) / growth, accuracy)
        gradient = np.where(after > 0, gradient * growth, gradient)
    evaluate_every = max(1, steps // 40)
    seen = loss[evaluate_every - 1 :: evaluate_every]
    overfit = 0.12 * np.linspace(0, 1, len(seen)) ** 2
    return Training(
        steps=steps,
        curves={
            "train/loss": loss,
            "train/accuracy": accuracy,
            "train/learning_rate": rate,
            "train/gradient_norm": gradient,
        },
        evaluations={
            "validation/loss": seen * 1.08 + overfit + 0.02,
            "validation/accuracy": np.clip(
                accuracy[evaluate_every - 1 :: evaluate_every] - 0.03 - overfit / 4, 0, 1
            ),
        },
        evaluate_every=evaluate_every,
        seed=seed,
    )
