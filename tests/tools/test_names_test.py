"""What ctest lists are names, and nothing besides: test_names_test.py CTEST BUILD_FOLDER."""

import re
import subprocess
import sys
import unittest

BUILD = sys.argv.pop(2)
CTEST = sys.argv.pop(1)


class TestNames(unittest.TestCase):
    def test_no_name_has_a_comment_or_a_blank_in_it(self):
        listed = subprocess.run([CTEST, "--test-dir", BUILD, "--show-only"], capture_output=True,
                                text=True, check=True).stdout
        names = re.findall(r"(?m)^ +Test +#\d+: (.+)$", listed)

        self.assertGreater(len(names), 10)
        self.assertEqual([name for name in names if not re.fullmatch(r"[\w./-]+", name)], [])


if __name__ == "__main__":
    unittest.main()
