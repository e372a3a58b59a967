"""What lies in the middle. Python's own module for it rests on `fractions`."""

from statistics import median_low as middle
