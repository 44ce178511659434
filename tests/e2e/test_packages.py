# SPDX-License-Identifier: MIT
"""Facts that package/ and debian/ repeat of the rest are right: the version, the library's name, what a build
needs. That packages build and work is what the scripts in package/ see, which take minutes each."""

import os
import re
import subprocess
import unittest

from support import REPOSITORY

# Libraries whose absence costs something that a package promises (docs/install.md), by their names in Debian.
NEEDED = ("zlib1g-dev", "liblzma-dev", "libbz2-dev", "libsuitesparse-dev")


def read(path):
    with open(os.path.join(REPOSITORY, path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search('PROJECT_VERSION "(.*)"', read("common/base/version.h")).group(1)


class Packages(unittest.TestCase):

    def test_version(self):
        """Where a package's format wants it written down."""
        self.assertEqual(re.match(r"apsp \((.*)-\d+\) ", read("debian/changelog")).group(1), version())
        self.assertEqual(re.search('(?m)^  version: "(.*)"$', read("package/conda/recipe.yaml")).group(1), version())

    def test_name_of_the_library(self):
        """Debian's package has that of the soname, so that two of them can be installed."""
        name = "libapsp" + ".".join(version().split(".")[:2 if version().startswith("0.") else 1])
        control = read("debian/control")
        self.assertEqual(re.findall(r"(?m)^Package: (libapsp\d.*)$", control), [name])
        self.assertEqual(set(re.findall(r"\blibapsp\d[\w.]*", control)), {name})
        self.assertTrue(os.path.exists(os.path.join(REPOSITORY, "debian", name + ".install")))

    def test_what_a_build_needs(self):
        """All that is used where it is found."""
        installed = read("common/install_deps.sh").partition("    build)")[2].partition(";;")[0]
        self.assertEqual(tuple(name for name in re.findall(r"need (\S+)", installed) if name.startswith("lib")
                               and name not in ("libc6-dev", "libomp-dev")) + ("zlib1g-dev",),
                         NEEDED[1:] + NEEDED[:1])
        for path in "debian/control", "package/Dockerfile", "package/wheels", "package/conda/check":
            with self.subTest(path):
                self.assertLessEqual(set(NEEDED), set(re.findall(r"[\w.+-]+", read(path))))

    def test_symbols(self):
        """Functions that the library takes from glibc after 2.28 are those that package/glibc_2_28.h knows: with them
        alone a wheel is for as old a glibc as package/wheels says."""
        library = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib", "libapsp.so")
        try:
            listed = subprocess.run(["nm", "-D", "--undefined-only", library], check=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no nm, or no library")
        known = set(re.findall(r"symver (\w+),", read("package/glibc_2_28.h")))
        # glibc 2.32 to 2.34 moved functions into libc.so, and with the headers of 2.38 numbers are read by others.
        later = {name for name, minor in re.findall(r" U (\w+)@GLIBC_2\.(\d+)", listed)
                 if int(minor) > 28 and int(minor) not in (32, 33, 34) and not name.startswith("__isoc23_")}
        self.assertLessEqual(later, known)


if __name__ == "__main__":
    unittest.main()
