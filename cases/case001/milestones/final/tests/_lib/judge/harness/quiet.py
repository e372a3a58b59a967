"""The bench's log: what did not pass, and how many did. Passed reports are counted and let go: a suite may be long."""

from __future__ import annotations

import types

import pytest

_UNUSED = ("cacheprovider", "faulthandler", "junitxml", "logging", "pastebin", "setuponly", "stepwise")
_HOOKS_OF_PYTHON = ("threadexception", "unraisableexception")
"""They look for what the product left in an interpreter; here the product runs in none of ours."""
LEFT_OUT = tuple(word for name in (*_UNUSED, *_HOOKS_OF_PYTHON) for word in ("-p", f"no:{name}"))
"""Arguments of pytest. Each of these plugins would work before and after each node."""

_PASSED = types.SimpleNamespace()
"""Stands for each of them."""


class QuietReporter(pytest.TerminalReporter):  # type: ignore[misc]  # final, to keep its insides free to change
    """Takes the place of pytest's own."""

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """Nothing is said yet."""

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """There is no progress to show."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed or hasattr(report, "wasxfail"):
            super().pytest_runtest_logreport(report)
        elif report.when == "call":
            self.stats.setdefault("passed", []).append(_PASSED)


class Quiet:
    """A pytest plugin that puts it there."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        name = "terminalreporter"
        config.pluginmanager.unregister(name=name)
        config.pluginmanager.register(QuietReporter(config), name)
