"""Two loops and hostile hosts: threads_test.py PATH_TO_WEFT. Only loopback.

In every build it must end as a crawl of such hosts may end. It is there for ThreadSanitizer, under
which a race ends the program.
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from program import Scratch  # noqa: E402

import hostile_site as hostile  # noqa: E402
from memory_test import Attack, run_attack  # noqa: E402

MEMORY_MIB = 256  # ThreadSanitizer's own is many times that.
ATTACKS = [
    Attack("hosts that reset, cut off and redirect", hostile.moody, 40, ["--scope", "any"]),
    Attack("sitemaps of 45 MiB", hostile.sitemap_bombs, 20),
    Attack("links without end", hostile.new_links_forever, 20),
]


class Threads(Scratch):
    def test_h135_two_loops_share_nothing_that_hostile_hosts_could_race_for(self):
        for attack in ATTACKS:
            with hostile.hostile(attack.site) as port:
                for command in attack.commands:
                    with self.subTest(attack=attack.name, command=command):
                        folder = self.path / f"{attack.site.__name__}-{command}"
                        folder.mkdir()
                        _, status, said = run_attack(attack, command, MEMORY_MIB, folder, port,
                                                     threads=2, seconds=2)
                        self.assertIn(status, (0, 4, 8, 14, 15), said)
                        self.assertNotIn("Sanitizer", said)


if __name__ == "__main__":
    unittest.main()
