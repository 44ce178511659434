# SPDX-License-Identifier: MIT
"""Which options go together: every answer of apsp with every option, and all pairs of those for rows and
measures. golden/refused_options.txt has those that are refused; APSP_WRITE_GOLDEN=1 in the environment writes
it anew, to be read before it is kept."""

import itertools
import os
import unittest

from support import BAD_INPUT, SANITIZED, ProgramTest

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "refused_options.txt")
ANSWERS = {"": [], "--plan": ["--plan"], "--index": ["--index"], "--index --plan": ["--index", "--plan"],
           "--accessibility": ["--accessibility", "t.csv", "--limits", "5"], "--demand": ["--demand", "p.csv"],
           "--accessibility --plan": ["--accessibility", "t.csv", "--limits", "5", "--plan"],
           "--gravity": ["--gravity", "t.csv"], "--gravity --plan": ["--gravity", "t.csv", "--plan"],
           "--pairs": ["--pairs", "p.csv"], "--diameter": ["--diameter"], "--diameter --plan": ["--diameter", "--plan"],
           "--measures": ["--measures"], "--betweenness": ["--measures", "--betweenness"],
           "--resume": ["--format=npy", "--output=out", "--resume"],
           "--along": ["--format=npy", "--output=out", "--along=km"], "reals": ["--type=float64"]}
SOLVING = ("--variant=cpu:johnson", "--variant=cpu:bfs", "--distances-only", "--sources=0", "--targets=1", "--limit=3",
           "--tile=8", "--threads=2", "--output=out", "--output=-", "--format=text", "--format=npy", "--format=npy:uint8",
           "--format=npy:auto", "--format=npz", "--format=none", "--along=km", "--measures", "--measures=m",
           "--omit=harmonic", "--betweenness", "--betweenness=classes", "--check", "--resume", "--repeat=2", "--csv=t",
           "--csv=-", "--grid=0.5", "--grid=off", "--scale=2", "--semiring=max-min", "--undirected", "--unweighted",
           "--weight-transform=inverse", "--type=float64", "--type=int64", "--vertices-from=0", "--keep-gaps",
           "--through-zones", "--json", "--verbose", "--quiet", "--no-sync")
OTHERS = ("--plan", "--index", "--reweight=i.apspx", "--both-directions", "--force", "--accessibility=t.csv", "--decays=3",
          "--decays=3,4", "--limits=3", "--nearest=1", "--demand=p.csv", "--gravity=t.csv", "--mass-columns=a,b",
          "--pairs=p.csv", "--diameter", "--even-if-busy")


class Together(ProgramTest):

    def is_refused(self, *options):
        for name in self.files():
            if name not in ("g.csv", "t.csv", "p.csv", "i.apspx"):
                os.remove(self.path(name))
        done = self.run_program("apsp", "g.csv", *options, stdin="")
        self.assertIn(done.status, (0, BAD_INPUT), (options, done.err))
        return done.status == BAD_INPUT

    def found(self):
        """Lines of what is refused: an answer or an option, and the options that it does not take."""
        for name, answer in ANSWERS.items():
            refused = [option for option in SOLVING + OTHERS if self.is_refused(*answer, option)]
            yield " ".join([name or "rows", ":", *refused])
        alone = {option for option in SOLVING if self.is_refused(option)}
        pairs = {option: [] for option in SOLVING}
        for first, second in itertools.combinations(SOLVING, 2):
            if not {first, second} & alone and first.split("=")[0] != second.split("=")[0] and self.is_refused(first, second):
                pairs[first].append(second)
        for option, refused in pairs.items():
            if refused:
                yield " ".join([option, "+", *refused])

    @unittest.skipIf(SANITIZED, "a thousand runs, which say nothing new to sanitizers")
    def test_all(self):
        self.write("g.csv", "source,target,weight,km\n0,1,2,1\n1,2,3,1\n2,0,1,1\n")
        self.write("t.csv", "v,a,b\n0,1,2\n2,3,1\n")
        self.write("p.csv", "0,2,1\n1,0,2\n")
        self.succeeds("apsp", "g.csv", "--index", "-o", "i.apspx", "-q")
        lines = list(self.found())
        if os.environ.get("APSP_WRITE_GOLDEN"):
            with open(GOLDEN, "w", encoding="ascii") as file:
                file.write("\n".join(lines) + "\n")
        with open(GOLDEN, encoding="ascii") as file:
            kept = file.read().splitlines()
        for line, before in itertools.zip_longest(lines, kept, fillvalue=""):
            self.assertEqual(line.split(), before.split())


if __name__ == "__main__":
    unittest.main()
