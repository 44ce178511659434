# SPDX-License-Identifier: MIT
"""JSON is read as Python reads it: texts that are right, wrong, and mangled. Needs what `make
run-tests` sets: APSP_READ_JSON, the program of read_json.c."""

import json
import os
import random
import subprocess
import unittest

from support import TIMEOUT_S

READ_JSON = os.environ["APSP_READ_JSON"]

TEXTS = [
    b'{}', b'[]', b' [ ] ', b'', b' ', b'null', b'5', b'"a"', b'{', b'[', b'}', b'[1', b'[1,', b'[1,]',
    b'[,1]', b'{"a"}', b'{"a":}', b'{"a":1,}', b'{a:1}', b'{"a":1 "b":2}', b'{"a":1,"a":2}',
    b'{"a":1}{}', b'{"a":1} x', b'[true,false,null]', b'[tru]', b'[nulll]', b'[True]',
    b'[0,-0,1,-1,12,9223372036854775807,-9223372036854775808]', b'[9223372036854775808]', b'[01]',
    b'[-]', b'[+1]', b'[.5]', b'[5.]', b'[0.5,-0.25,1e3,1E-3,1e+3,1.5e300]', b'[1e]', b'[1e+]',
    b'[1e999]', b'[-1e999]', b'[1e-999]', b'[NaN]', b'[Infinity]', b'[0x1]', b'[1.2.3]',
    rb'["","a","\"\\\/\b\f\n\r\t","\u0041\u00e9\u20ac\ud83d\ude00\uABCD"]', rb'["\u0000"]',
    rb'["\ud83d"]', rb'["\ude00"]', rb'["\ud83d\u0041"]', rb'["\u12"]', rb'["\x"]', b'["a]',
    b'["a\nb"]', b'["\\', b'["\x01"]', b'["\xc3\xa9\xe2\x82\xac"]', b'["\xf0\x9f\x98\x80"]',
    b'["\xff"]', b'["\xc3"]', b'["\xc0\x80"]', b'["\xe0\x80\x80"]', b'["\xed\xa0\x80"]',
    b'["\xf4\x90\x80\x80"]', b'["\xf8\x88\x80\x80\x80"]', b'\xef\xbb\xbf[]',
    b'{"a":{"b":[{"c":1},{"c":[]}]},"d":"e"}', b'{"":1}', b'[[[[[[1]]]]]]', b'[1]]',
    b'\t\r\n{\r\n"predecessors":\ttrue , "x" : [ 1 , { } ] }\n', b'[1 2]', b'{"a" 1}', b'{1:2}',
    b'["\0"]', b'[]\0', b'[' * 100 + b']' * 100, b'[' * 101 + b']' * 101,
]


def members(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def refuse(word):
    raise ValueError(word)


def text_form(text):
    if "\0" in text:
        raise ValueError("U+0000")
    return "s" + text.encode("utf-8").hex() + ";"  # half a surrogate pair is refused


def form(value, depth=1):
    """A value as read_json.c prints it; ValueError if it is beyond the limits of json_text.h."""
    if isinstance(value, (list, dict)) and depth > 100:
        raise ValueError("too deep")
    if value is None or isinstance(value, bool):
        return {None: "n", False: "f", True: "t"}[value]
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise ValueError("64 bits")
        return "i%d;" % value
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError("infinite")
        return "r%s;" % value.hex()
    if isinstance(value, str):
        return text_form(value)
    if isinstance(value, list):
        return "[%s]" % "".join(form(element, depth + 1) for element in value)
    return "{%s}" % "".join(text_form(name) + form(member, depth + 1)
                            for name, member in value.items())


def expected(text):
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse)
        return form(value) if isinstance(value, (list, dict)) else "-"
    except ValueError:  # of which errors of UTF-8 and of json are kinds
        return "-"


def same_form(line):
    """C may write the same real number with other zeros and another exponent."""
    parts = line.split(";")
    return [float.fromhex(part[part.rindex("r") + 1:]) if "0x" in part else part for part in parts]


def mangled(source):
    """One of TEXTS with up to three bytes replaced, left out or doubled."""
    text = bytearray(source.choice(TEXTS[:-2]))
    for _ in range(source.randint(1, 3)):
        if text:
            at = source.randrange(len(text))
            text[at:at + 1] = source.choice([
                b"", bytes(text[at:at + 1] * 2),
                bytes([source.choice(b'{}[]",:\\/ u0189.eE+-tfn\n\x01\x80\xc3\xff')])])
    return bytes(text)


class Json(unittest.TestCase):

    def check(self, texts):
        done = subprocess.run([READ_JSON], input=b"".join(text.hex().encode() + b"\n" for text in texts),
                              stdout=subprocess.PIPE, timeout=TIMEOUT_S, check=True)
        lines = done.stdout.decode().split("\n")[:-1]
        self.assertEqual(len(lines), len(texts))
        for text, line in zip(texts, lines):
            self.assertEqual(same_form(line), same_form(expected(text)), text)
        return sum(line != "-" for line in lines)

    def test_texts(self):
        self.assertEqual(self.check(TEXTS), 15)

    def test_mangled_texts(self):
        source = random.Random(3)
        self.assertGreater(self.check([mangled(source) for _ in range(40000)]), 1000)


if __name__ == "__main__":
    unittest.main()
