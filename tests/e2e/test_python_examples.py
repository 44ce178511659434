# SPDX-License-Identifier: MIT
"""The examples of the Python package, small: they run and say what they found."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest

from support import REPOSITORY, SANITIZED, TIMEOUT_S, ProgramTest, environment, needs, optional

matplotlib, geopandas, nbclient, nbformat, ipykernel, jupyter_client = optional(
    "matplotlib", "geopandas", "nbclient", "nbformat", "ipykernel", "jupyter_client")

EXAMPLES = os.path.join(REPOSITORY, "python", "examples")
LIBRARY = os.environ.get("APSP_LIBRARY") or os.path.join(REPOSITORY, "lib", "libapsp.so.0.2")


@unittest.skipIf(SANITIZED, "a sanitized library needs a sanitized Python")
@unittest.skipIf(importlib.util.find_spec("scipy") is None, "SciPy is not installed")
class Examples(ProgramTest):

    def package_environment(self, **more):
        return environment(PYTHONDONTWRITEBYTECODE="1", APSP_LIBRARY=LIBRARY, MPLCONFIGDIR=self.directory,
                           PYTHONPATH=os.path.join(REPOSITORY, "python"), **more)

    def run_example(self, name, *args):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *map(str, args)],
                              env=self.package_environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_isochrones(self):
        said = self.run_example("isochrones.py", 12, self.path("map.svg"))
        self.assertRegex(said, r"^crossing \d+ is the closest to all 144\n")
        counts = [int(line.split()[2]) for line in said.splitlines()[1:]]
        self.assertEqual((len(counts), counts), (3, sorted(counts)))
        with open(self.path("map.svg"), encoding="ascii") as file:
            self.assertEqual(file.read().count("<circle"), 144)

    def test_brain(self):
        said = self.run_example("brain.py", 60)
        self.assertRegex(said, r"^60 regions, \d+ edges\nglobal efficiency 0\.\d{4}\nmost ")

    def test_larger_than_memory(self):
        said = self.run_example("larger_than_memory.py", self.path("d.npy"), 300)
        self.assertRegex(said, r"^300 x 300 distances in 0\.2 MB\nfrom 0 to 299: \d+\n$")

    @needs(Matplotlib=matplotlib)
    def test_maps(self):
        """With GeoPandas also a table of the streets, which has what the picture shows."""
        table = [self.path("streets.geojson")] if geopandas is not None else []
        said = self.run_example("maps.py", 12, self.path("maps.png"), *table)
        found = re.match(r"\S+: 144 crossings, (\d+) streets\n(\d+\.\d) % of all pairs use the street from ", said)
        with open(self.path("maps.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        if table:
            with open(table[0], encoding="utf-8") as file:
                streets = [street["properties"] for street in json.load(file)["features"]]
            self.assertEqual(len(streets), int(found.group(1)))
            self.assertEqual("%.1f" % (100 * max(street["betweenness"] for street in streets)), found.group(2))

    @needs(Matplotlib=matplotlib, nbclient=nbclient, nbformat=nbformat, ipykernel=ipykernel)
    def test_notebook(self):
        """It runs from top to bottom, and shows results in a line and pictures; it is kept without them."""
        with open(os.path.join(EXAMPLES, "town.ipynb"), encoding="utf-8") as file:
            notebook = nbformat.read(file, as_version=4)
        nbformat.validate(notebook)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.assertEqual([cell for cell in cells if cell.outputs or cell.execution_count], [])
        # The kernel of the Python that runs the tests, whatever others are installed.
        os.makedirs(self.path("kernels/this"))
        self.write("kernels/this/kernel.json", json.dumps(
            {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
             "display_name": "this", "language": "python"}))
        manager = jupyter_client.manager.AsyncKernelManager(
            kernel_name="this", transport="ipc", ip=self.path("socket"), kernel_spec_manager=jupyter_client.kernelspec.KernelSpecManager(
                kernel_dirs=[self.path("kernels")]))
        env = self.package_environment(IPYTHONDIR=self.path("ipython"))
        nbclient.NotebookClient(notebook, timeout=TIMEOUT_S, km=manager, resources={"metadata": {"path": EXAMPLES}}
                                ).execute(env=env)
        shown = [output for cell in cells for output in cell.outputs]
        self.assertEqual([output for output in shown if output.get("name") == "stderr"], [])
        lines = [output.data["text/plain"] for output in shown if output.output_type == "execute_result"]
        self.assertEqual([line.split(":")[0] for line in lines],
                         ["<apsp.Graph", "<apsp.Measures", "<apsp.Result", "<apsp.Betweenness"])
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in shown), 3)

    @unittest.skipIf(importlib.util.find_spec("networkx") is None, "NetworkX is not installed")
    def test_characters(self):
        said = self.run_example("characters.py")
        self.assertRegex(said, r"^77 vertices, 254 edges\nin the middle: Valjean, Marius, Cosette\n"
                               r"farthest apart, \d\.\d{3}: ")
        self.write("two.csv", "source,target,weight\na,b,4\nb,a,4\n")
        self.assertEqual(self.run_example("characters.py", self.path("two.csv")).splitlines()[-1],
                         "farthest apart, 0.250: a - b")

    @unittest.skipIf(importlib.util.find_spec("sklearn") is None, "scikit-learn is not installed")
    def test_isomap(self):
        said = self.run_example("isomap.py", 400)
        self.assertRegex(said, r"differ by \de[-+]\d\d, the embedding by \de-\d\d of its size\n$")


if __name__ == "__main__":
    unittest.main()
