"""The tiny product of the judge's tests, judged with bans."""

from tests.integration.judge.conftest import bench_site, sandbox, suite, workspace

__all__ = ["bench_site", "sandbox", "suite", "workspace"]
