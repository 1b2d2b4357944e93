"""A real browser to look at pages with, if this machine has one: Debian's chromium."""

import os
import shutil
import subprocess

CHROMIUM = os.environ.get("WEFT_CHROMIUM") or shutil.which("chromium")
PATIENCE_SECONDS = 120


def dom(address, profile, *flags):
    """The page as the browser has it once it had time to run what it could."""
    run = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={profile}", *flags, "--dump-dom", address],
        capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE_SECONDS)
    if "</html>" not in run.stdout:
        raise AssertionError(f"the browser shows nothing: {run.stderr}")
    return run.stdout
