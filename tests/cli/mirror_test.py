"""A mirror runs nothing that the site itself does not: mirror_test.py PATH_TO_WEFT.

Every page of a hostile site holds text that a browser must not run. A real browser (chromium, if
there is one) opens each page on the site, where nothing runs, and then in the mirror."""

import html
import http.server
import re
import threading
import unittest

import browser
from program import Scratch

OWN = "top.postMessage(1,String.fromCharCode(42))"  # Without quotes and blanks: fits anywhere.

# What a visitor may have typed into a form, and the site has escaped as it should.
TEXTS = [
    f"x onload={OWN} onerror={OWN} src=x ",
    f"x/onload={OWN}/onerror={OWN}/src=x\tonload={OWN}\nonerror={OWN}\fsrc=y",
    f"x><script>{OWN}</script>",
    f"\"><img src=x onerror=\"{OWN}\">",
    f"'><svg onload=\"{OWN}\">",
    f"`><img src=x onerror={OWN}>",
    f"</style></noscript></title></textarea></iframe></xmp><script>{OWN}</script>",
    f"--><script>{OWN}</script><!--",
    f"]]><script>{OWN}</script>",
    f"&quot;&gt;<img src=x onerror={OWN}>&#34;&#62;",
    f"\n\r\t\f\"\n><script>{OWN}</script>",
    f"%22%3E%3Cscript%3E{OWN}%3C/script%3E",
    f"\\\"\\3c/style>\\3cscript>{OWN}\\3c/script>",
    f", x.png 2x, \"><script>{OWN}</script> 3x,",
    f"');}}</style><script>{OWN}</script>",
]


def references(text):
    """Every special character as a character reference: fits into an attribute without quotes."""
    return "".join(c if c.isalnum() else f"&#{ord(c)};" for c in text)


def css(text):
    """The inside of a CSS string."""
    return "".join(c if c.isalnum() else f"\\{ord(c):x} " for c in text)


def address(text):
    return "/x?" + text


PAGES = {
    "unquoted": lambda t: f"<a href={references(address(t))}>x</a>",
    "bare": lambda t: f"<a href={references(t)}>x</a>",
    "double": lambda t: f"<a href=\"{html.escape(address(t))}\">x</a>",
    "single": lambda t: f"<a href='{html.escape(address(t))}'>x</a>",
    "image": lambda t: f"<img src={references('mailto:' + t)}>",
    "frame": lambda t: f"<iframe longdesc={references('mailto:' + t)}></iframe>",
    "descriptor": lambda t: f"<img srcset={references('x.png ' + t)}>",
    "style-text": lambda t: "<img style="
                            + references('background:url(y);content:"' + t + '"') + ">",
    "quote-image": lambda t: f"<img src='mailto:{html.escape(t)}' srcset=\"y.png 1x\">",
    "srcset": lambda t: f"<img srcset={references(address(t).replace(' ', '') + ' 2x')}>",
    "style": lambda t: f"<p style={references('background:url(' + css(address(t)) + ')')}>",
    "quoted-style": lambda t: f"<p style=\"background:url('{html.escape(css(address(t)))}')\">",
    "sheet": lambda t: f"<style>a{{background:url(\"{css(address(t))}\")}}</style>",
    "bare-sheet": lambda t: f"<style>a{{background:url({css(address(t))})}}</style>",
    "other-scheme": lambda t: f"<style>a{{background:url(\"about:{css(t)}\")}}</style>",
    "import": lambda t: f"<style>@import \"{css(address(t))}\";</style>",
    "refresh": lambda t: "<meta http-equiv=refresh content="
                         f"{references('99999;url=' + address(t))}>",
    "base": lambda t: f"<base href={references(address(t))}><a href=y>y</a>",
    "svg": lambda t: f"<svg><a xlink:href={references(address(t))}>x</a></svg>",
    "math": lambda t: f"<math><a href={references(address(t))}>x</a></math>",
    "svg-style": lambda t: f"<svg><style>a{{background:url(\"{css(address(t))}\")}}</style></svg>",
    "noscript": lambda t: f"<noscript><a href=\"{html.escape(address(t))}\">x</a>"
                          "<a href=y>y</a></noscript>",
    "integrity": lambda t: f"<link rel=x integrity={references(t)} href={references(address(t))}>",
}

HIDE = f"<img src=x onerror={OWN}>"
ODD = {  # Where a reader that does not know what is text and what is a tag goes wrong.
    "svg-title": f"<svg><title><a title=\"</title><a href=x>{HIDE}\"></a></title></svg>",
    "svg-textarea": f"<svg><textarea><a title='</textarea><a href=\"x\" y=\"{HIDE}'></textarea>",
    "noscript-end": f"<noscript><a href=\"x</noscript><p title='\"></a></noscript>{HIDE}'>",
    "title": f"<title><a href=x {HIDE}</title>",
    "xmp": f"<xmp><a href=x>{HIDE}<a href=\"</xmp>",
    "iframe": f"<iframe src=about:blank><a href=y>{HIDE}</iframe>",
    "comment": f"<!-- <a href=x>{HIDE} -- > --!x <a href=\"-\">-->",
    "template": f"<template><a href=x>{HIDE}</template>",
    "script": f"<script type=text/plain><a href=x>{HIDE}</script>",
    "escaped-script": f"<script type=text/plain><!-- <script> <a href=x> {HIDE} </script>"
                      f"<a href=y>{HIDE}--></script>",
    "plaintext": f"<p><plaintext><a href=x>{HIDE}",
    "math-style": f"<math><mtext><style><a href=x title='</style>{HIDE.replace('<', '&lt;')}'>"
                  "</style></math>",
    "many": f"<a {' '.join(f'a{i}=1' for i in range(3000))} href=x title=\"{HIDE}\">",
    "many-style": f"<style {' '.join(f'a{i}=1' for i in range(3000))} title=\">url(x) {HIDE}\">"
                  "a{background:url(y)}</style>",
    "duplicate": f"<a href=x href='{HIDE}' HREF=\"{HIDE}\">",
    "no-space": f"<a href='x'title='{HIDE}'href=y>",
    "equals": f"<a =href=x title='{HIDE}' \"=y href='>",
}


def wide(text, encoding="utf-16-le"):
    return f"<!doctype html><title>x</title>{text}".encode(encoding)


def kanji(text):
    """Characters of JIS X 0208 whose bytes, read as ASCII, are the text."""
    text += " " * (len(text) % 2)
    text = text.replace(" ", "!")
    return b"<!doctype html><p>\x1b$B" + text.encode() + b"\x1b(B</p><a href=x>"


SCRIPT = f"<script>{OWN}</script>"
CODED = [  # Path, type, bytes: text in the encoding that the header names, markup in others.
    ("jp.html", "text/html; charset=iso-2022-jp", kanji(SCRIPT)),
    ("jp-meta.html", "text/html", b"<meta charset=iso-2022-jp>" + kanji(SCRIPT)),
    ("jp.svg", "image/svg+xml; charset=iso-2022-jp",
     b"<svg xmlns='http://www.w3.org/2000/svg'><desc>\x1b$B" + SCRIPT.encode() + b"!"
     b"\x1b(B</desc></svg>"),
    ("jp.xml", "application/xml; charset=iso-2022-jp",
     b"<html xmlns='http://www.w3.org/1999/xhtml'><p>\x1b$B" + SCRIPT.encode() + b"!"
     b"\x1b(B</p></html>"),
    ("wide.html", "text/html; charset=utf-16le", wide("<p>&lt;script&gt;" + OWN)),
    ("wide-be.html", "text/html; charset=utf-16be", wide("<a href=x>" + OWN, "utf-16-be")),
    ("utf7.html", "text/html; charset=utf-7",
     f"<p>+ADw-script+AD4-{OWN}+ADw-/script+AD4-<a href=x>".encode()),
    ("utf7-meta.html", "text/html",
     f"<meta charset=utf-7><p>+ADw-script+AD4-{OWN}+ADw-/script+AD4-".encode()),
    ("hz.html", "text/html; charset=hz-gb-2312", b"<p>~{" + SCRIPT.encode() + b"~}"),
    ("sjis.html", "text/html; charset=shift_jis",
     f"<a href=\"x\x81\" title='{HIDE}'>".encode("latin-1")),
    ("gbk.js.html", "text/html; charset=gbk",
     b"<script>var a = \"\xbf\\\"; var b = \";" + OWN.encode() + b";\";</script>"),
    ("nul.html", "text/html", f"<a href=\0x\0 title='\0{HIDE}'>".encode()),
]
TYPED = [  # What the server calls a text is none of a page, whatever its name ends in.
    (name, kind, f"<html xmlns='http://www.w3.org/1999/xhtml'>{SCRIPT}</html>".encode())
    for kind in ("text/plain", "image/png")
    for name in ("a.html", "b.htm", "c.shtml", "d.xhtml", "e.svg", "f.xml", "g.xsl", "h.rss",
                 "i.mht", "j.HTML", "k", "l.txt")
] + [
    ("xhtml-cdata", "application/xhtml+xml",
     f"<html xmlns='http://www.w3.org/1999/xhtml'><p><![CDATA[ > <a href=\"x]]> <![CDATA[ \">"
     f"{SCRIPT} ]]></p><a href='y'>y</a></html>".encode()),
    ("xhtml-title", "application/xhtml+xml",
     f"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body><![CDATA[</title>"
     f"<a href=x>{SCRIPT}]]></body></html>".encode()),
    ("xhtml-script", "application/xhtml+xml",
     b"<html xmlns='http://www.w3.org/1999/xhtml'><script><![CDATA[ var s = \"<a href='x'> ;"
     + OWN.encode() + b"; //\"; ]]></script></html>"),
]


def all_pages():
    """Path, Content-Type and content of each."""
    kind = "text/html; charset=utf-8"
    for name, page in PAGES.items():
        if name in ("base", "refresh"):  # The first of a page counts.
            for i, text in enumerate(TEXTS):
                yield f"/{name}/{i}", kind, page(text).encode()
        else:
            yield f"/all/{name}", kind, "<hr>".join(map(page, TEXTS)).encode()
    for name, page in ODD.items():
        yield f"/odd/{name}", kind, page.encode()
    for name, kind, content in CODED:
        yield f"/coded/{name}", kind, content
    for i, (name, kind, content) in enumerate(TYPED):
        yield f"/typed/{i}/{name}", kind, content


CONTROL = "<script>top.postMessage(2,'*')</script>"


def harness(addresses):
    """A page that shows others and notes what they call out."""
    frames = "".join(f'<iframe src="{html.escape(each)}"></iframe>' for each in addresses)
    return ("<!doctype html><html><body><script>onmessage = e => {"
            "const from = [...document.querySelectorAll('iframe')]"
            ".find(frame => frame.contentWindow === e.source);"
            "const line = document.createElement('p');"
            "line.textContent = '[' + ['', 'owned', 'control'][e.data] + ' by ' +"
            " (from ? from.getAttribute('src') : '?') + ']'; document.body.append(line); }"
            "</script>" + frames + "</body></html>")


class HostileSite(Scratch):
    def setUp(self):
        super().setUp()
        pages = {path: (kind, content) for path, kind, content in all_pages()}
        links = "".join(f"<a href='{path}'>x</a>" for path in pages)
        pages["/"] = ("text/html", (links + "<a href=/control>c</a>").encode())
        pages["/control"] = ("text/html", CONTROL.encode())
        pages["/robots.txt"] = ("text/plain", b"")
        self.site = pages

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                kind, content = pages.get(self.path, ("text/plain", None))
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Type", kind)
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.home = f"http://127.0.0.1:{server.server_port}/"

    def mirror(self):
        run = self.weft("crawl", "--wait", "0", "--max-per-host", "8", "--quiet", "--depth", "1",
                        "--requisites", "none", "--output", "crawl", "--no-sitemaps", self.home)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = self.weft("mirror", "crawl", "copy")
        self.assertEqual(run.returncode, 0, run.stderr)
        return sorted(path for path in (self.path / "copy").rglob("*") if path.is_file())


class Names(HostileSite):
    def test_h102_what_is_no_page_has_no_ending_of_one(self):
        files = self.mirror()

        self.assertGreaterEqual(len(files), 90)
        active = re.compile(r"\.(s?html?|xhtml?|svgz?|x[ms]l|rss|mht)$", re.I)
        typed = [path for path in files if "/typed/" in str(path) and active.search(path.name)]
        self.assertEqual({path.name for path in typed},
                         {"xhtml-cdata.xhtml", "xhtml-title.xhtml", "xhtml-script.xhtml"})


@unittest.skipUnless(browser.CHROMIUM, "no chromium to open the mirror with")
class Browser(HostileSite):
    def called_out(self, address, *flags):
        shown = browser.dom(address, self.path / "profile", "--timeout=60000",
                            "--allow-file-access-from-files", *flags)
        return set(re.findall(r"\[((?:control|owned) by [^\]]*)\]", shown))

    def test_h102_a_browser_runs_in_a_mirror_only_what_runs_on_the_site(self):
        files = self.mirror()
        live = [self.home + path[1:] for path in self.site if path not in ("/", "/robots.txt")]
        copies = [str(path.relative_to(self.path / "copy")).replace("%", "%25")
                  for path in files if path.suffix != ".bin" and path.name != "index.html"]
        self.assertGreaterEqual(len(copies), 90)
        page = self.path / "copy/harness.html"
        page.write_text(harness(live + copies))

        called = self.called_out(page.as_uri())

        folder = re.sub(r"^http://|/$", "", self.home).replace(":", "_")
        self.assertEqual(called, {f"control by {self.home}control",
                                  f"control by {folder}/control.html"})


if __name__ == "__main__":
    unittest.main()
