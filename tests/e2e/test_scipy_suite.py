# SPDX-License-Identifier: MIT
"""SciPy's own tests of its shortest paths, from the SciPy that is installed, with the functions of
the Python package in place of SciPy's. Skipped without SciPy or its tests."""

import contextlib
import importlib
import inspect
import itertools
import os
import sys
import types
import unittest
import warnings

from support import REPOSITORY, SANITIZED

PACKAGE = os.path.join(REPOSITORY, "python")
SUITE = "scipy.sparse.csgraph.tests.test_shortest_path"
REPLACED = ("shortest_path", "dijkstra", "johnson", "bellman_ford", "construct_dist_matrix")


def marked(name):
    """A mark of pytest that does nothing but to be there."""
    def mark(*args, **_):
        def note(function):
            function.pytestmark = [*getattr(function, "pytestmark", []),
                                   types.SimpleNamespace(name=name, args=args)]
            return function
        return note
    return mark


def stand_in():
    """Returns a module with the part of pytest that the suite uses."""
    pytest = types.ModuleType("pytest")

    def raises(exception, *call, match=None, **kwargs):
        test = unittest.TestCase()
        context = test.assertRaisesRegex(exception, match or "")
        if not call:
            return context
        with context:
            return call[0](*call[1:], **kwargs)
    pytest.raises = raises
    pytest.mark = types.SimpleNamespace(parametrize=marked("parametrize"), skipif=marked("skipif"))
    return pytest


@contextlib.contextmanager
def pytest_there():
    try:
        import pytest
        yield pytest
    except ImportError:
        sys.modules["pytest"] = stand_in()
        try:
            yield sys.modules["pytest"]
        finally:
            del sys.modules["pytest"]


def calls_of(function):
    """The arguments with which a test is to be called, by its marks."""
    lists = []
    for mark in getattr(function, "pytestmark", []):
        if mark.name == "parametrize":
            names, values = mark.args[:2]
            names = [name.strip() for name in names.split(",")]
            lists.append([dict(zip(names, value if len(names) > 1 else (value,)))
                          for value in values])
    for several in itertools.product(*lists):
        yield {name: value for given in several for name, value in given.items()}


@unittest.skipIf(SANITIZED, "a sanitized library needs a sanitized Python")
class SciPySuite(unittest.TestCase):

    def setUp(self):
        sys.path.insert(0, PACKAGE)
        self.addCleanup(sys.path.remove, PACKAGE)
        os.environ.setdefault("APSP_LIBRARY",
                              os.path.join(REPOSITORY, "lib", "libapsp.so.0.2"))

    def test_as_installed(self):
        with pytest_there():
            try:
                suite = importlib.import_module(SUITE)
            except ImportError as error:
                self.skipTest("SciPy's tests are not installed: %s" % error)
            apsp = importlib.import_module("apsp")
            for name in REPLACED:
                setattr(suite, name, getattr(apsp, name))
            self.addCleanup(sys.modules.pop, SUITE)
            passed = 0
            for name, test in inspect.getmembers(suite, inspect.isfunction):
                if not name.startswith("test_"):
                    continue
                for given in calls_of(test):
                    with self.subTest(name, **given), warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        test(**given)
                        passed += 1
        self.assertGreater(passed, 20)


if __name__ == "__main__":
    unittest.main()
