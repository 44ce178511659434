# SPDX-License-Identifier: MIT
"""`make sbom`: what the programs are made of, as SPDX 2.3. Needs what `make run-tests` sets:
APSP_MAKE."""

import json
import os
import re
import subprocess
import unittest

from support import REPOSITORY, TIMEOUT_S, ProgramTest, environment

MAKE = os.environ["APSP_MAKE"]


class Sbom(ProgramTest):

    def sbom(self, *variables, **env):
        done = subprocess.run(
            [MAKE, "--no-print-directory", "-s", "-C", REPOSITORY, "sbom",
             "SBOM=" + self.path("sbom.json")] + list(variables),
            env=environment(**env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.read("sbom.json")

    def test_contents(self):
        found = json.loads(self.sbom("CUDA=0", "AMD=0", "LZMA=0", "BZIP2=0", SOURCE_DATE_EPOCH="86400"))
        self.assertEqual((found["spdxVersion"], found["dataLicense"], found["SPDXID"]),
                         ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertEqual(found["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        with open(os.path.join(REPOSITORY, "libapsp", "apsp.h"), encoding="utf-8") as file:
            version = re.search(r'#define APSP_VERSION "(.*)"', file.read()).group(1)
        packages = {package["name"]: package for package in found["packages"]}
        self.assertEqual(sorted(packages), ["apsp", "libgomp", "zlib"])
        self.assertEqual((packages["apsp"]["versionInfo"], packages["apsp"]["licenseDeclared"]),
                         (version, "MIT"))
        self.assertRegex(packages["zlib"]["versionInfo"], r"^(\d[\w.+:~-]*|NOASSERTION)$")
        related = {(r["relationshipType"], r["relatedSpdxElement"])
                   for r in found["relationships"]}
        self.assertIn(("DESCRIBES", "SPDXRef-Package-apsp"), related)
        self.assertIn(("DYNAMIC_LINK", "SPDXRef-Package-zlib"), related)
        known = {package["SPDXID"] for package in found["packages"]} | {"SPDXRef-DOCUMENT"}
        for relationship in found["relationships"]:
            self.assertIn(relationship["relatedSpdxElement"], known)
            self.assertIn(relationship["spdxElementId"], known)

    def test_what_is_linked(self):
        static = json.loads(self.sbom("CUDA=0", "STATIC=1"))
        self.assertIn(("STATIC_LINK", "SPDXRef-Package-zlib"),
                      {(r["relationshipType"], r["relatedSpdxElement"])
                       for r in static["relationships"]})

    def test_same_bytes(self):
        """But for the date, which is the commit's, or what SOURCE_DATE_EPOCH says."""
        self.assertEqual(self.sbom("CUDA=0"), self.sbom("CUDA=0"))
        self.assertNotEqual(self.sbom("CUDA=0", SOURCE_DATE_EPOCH="1"),
                            self.sbom("CUDA=0", SOURCE_DATE_EPOCH="2"))

    def test_every_library_is_in_it(self):
        """Every library that the built programs load is listed, besides the C library and the
        loader."""
        done = subprocess.run(["readelf", "-d", os.path.join(REPOSITORY, "bin", "apsp")],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False)
        needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so", done.stdout))
        if not needed:
            self.skipTest("no readelf, or no release build")
        names = {"libz": "zlib", "libgomp": "libgomp",
                 "libamd": "suitesparse-amd", "liblzma": "liblzma", "libbz2": "bzip2"}
        packages = {package["name"] for package in json.loads(self.sbom("CUDA=0"))["packages"]}
        for library in needed - {"libc", "libm", "libpthread", "libdl", "librt", "ld-linux-x86-64"}:
            self.assertIn(names.get(library), packages, library)


if __name__ == "__main__":
    unittest.main()
