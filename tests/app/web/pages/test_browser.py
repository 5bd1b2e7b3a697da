"""The pages in a real browser: asked, followed, drawn and queried by script and keyboard, on a phone and a screen."""

import re
import shutil
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="playwright is not installed; pip install 'rulings-graph[dev]'")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
from playwright.sync_api import expect, sync_playwright  # noqa: E402

QUESTION = "Can I copy half of a split card?"
VIEWS = {
    "start": "/",
    "answer": "/?q=Can+I+copy+half+of+a+split+card%3F",
    "declined": "/?q=What+does+Blood+Moon+cost+in+euros%3F",
    "card": "/find?q=Clone",
    "concept": "/id/concept/copy",
    "rule": "/id/rule/20260227/707.10",
    "edition": "/id/edition/20260227",
    "graph": "/graph?node=concept/copy",
    "query": "/query?query=SELECT+%3Fc+%7B+%3Fc+a+rul%3AConcept+%7D+LIMIT+5",
    "fault": "/query?query=SELECT",
    "missing": "/id/concept/copyy",
}
KNOWN = re.compile("Failed to load resource: the server responded with a status of 4")
"""What a browser says of a page that is itself an answer of 400 or 404."""


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium, without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(params=[360, 1280], ids=["phone", "screen"])
def page(browser, server, request):
    """A page at both widths; at its end nothing was said on the console and no other host was asked for anything."""
    context = browser.new_context(viewport={"width": request.param, "height": 800}, base_url=server.url)
    opened = context.new_page()
    said, asked = [], []
    opened.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda sent: asked.append(sent.url))
    yield opened
    context.close()
    assert [text for text in said if not KNOWN.match(text)] == []
    assert {urlsplit(url).netloc for url in asked} <= {urlsplit(server.url).netloc}


def test_from_a_question_to_a_rule_and_a_concept(page):
    page.goto("/")
    page.get_by_role("combobox").fill(QUESTION)
    page.keyboard.press("Enter")
    first = page.locator(".results > li").first
    rule = first.locator("details.rule").first
    expect(rule.locator("p").first).not_to_be_visible()
    rule.locator("summary").click()
    expect(rule.locator("p").first).to_be_visible()
    number = re.search(r"[\d.]+[a-z]?", rule.locator("summary").inner_text())[0]
    rule.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Rule {number}")
    page.go_back()
    text = first.locator(".ruling").inner_text()
    first.locator(".ruling a").click()
    expect(page.locator(".quote")).to_have_text(text)
    page.get_by_role("list", name="What it clarifies").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/id/concept/"))
    page.get_by_label("Words, or a card").fill("token")
    page.get_by_role("button", name="Filter").click()
    expect(page).to_have_url(re.compile("words=token"))


def test_what_was_understood_is_taken_back(page):
    page.goto("/?q=Does+Spark+Double+copy+counters%3F")
    page.get_by_role("link", name="Ask again without Spark Double").click()
    expect(page.locator(".taken")).to_have_text("Spark Double")


def test_names_are_completed(page):
    page.goto("/")
    box = page.get_by_role("combobox")
    box.press_sequentially("Does spark dou")
    choices = page.get_by_role("option")
    expect(choices.first).to_contain_text("Spark Double")
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "q-choices0")
    page.keyboard.press("Enter")
    expect(box).to_have_value("Does Spark Double ")
    expect(choices).to_have_count(0)


def test_the_graph_moves_and_grows(page):
    page.goto("/graph?node=concept/copy")
    picture = page.locator("#picture svg")
    before = picture.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    zoomed = picture.get_attribute("viewBox")
    assert float(zoomed.split()[2]) < float(before.split()[2])
    page.locator("#picture").press("ArrowRight")
    assert float(picture.get_attribute("viewBox").split()[0]) > float(zoomed.split()[0])
    page.get_by_role("button", name="Show the whole picture").click()
    nodes = page.locator("svg [data-key]")
    count = nodes.count()
    page.locator("svg [data-key='concept/target']").click()
    page.get_by_role("link", name="Show its neighbours", exact=True).click()
    expect(page).to_have_url(re.compile("open=concept/target"))
    assert nodes.count() > count
    page.get_by_role("checkbox", name="clarifies").check()
    expect(page).to_have_url(re.compile("hide=clarifies"))
    expect(page.locator("svg .statement")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("checkbox", name="clarifies")).not_to_be_checked()
    page.locator("svg [data-key='concept/target']").click()
    page.get_by_role("link", name="Open its page").click()
    expect(page).to_have_url(re.compile("/id/concept/target$"))


def test_a_query_is_written_and_run(page):
    page.goto("/query")
    editor = page.get_by_label("A query in SPARQL")
    editor.fill("SELECT ?c { ?c a ")
    editor.press_sequentially("rul:Conc")
    expect(page.get_by_role("option").first).to_have_text("rul:Concept")
    page.keyboard.press("Tab")
    expect(editor).to_have_value("SELECT ?c { ?c a rul:Concept ")
    editor.press_sequentially("} LIMIT 3")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="3 rows")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    page.locator("tbody a").first.click()
    expect(page).to_have_url(re.compile("/id/concept/"))
    page.goto("/query?query=SELECT+%3Fs+%7B%0A+%3Fs+rul%3Aclarfies+%3Fo+%7D")
    expect(page.get_by_role("alert")).to_contain_text("rul:clarifies")
    selected = (
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    assert page.evaluate(selected) == "rul:clarfies"


def test_every_view_keeps_to_wcag_and_to_its_width(page):
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    assert _violations(page, VIEWS, {"type": "tag", "values": tags}) == []


def test_dark_colours_contrast_too(browser, server):
    context = browser.new_context(color_scheme="dark", base_url=server.url)
    views = {name: VIEWS[name] for name in ("answer", "declined", "card", "graph", "fault")}
    assert _violations(context.new_page(), views, {"type": "rule", "values": ["color-contrast"]}) == []
    context.close()


def _violations(page, views, rules):
    told = []
    for name, path in views.items():
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        found = axe.Axe().run(page, options={"runOnly": rules}).response["violations"]
        told += [(name, each["id"], each["nodes"][0]["html"][:200]) for each in found]
    return told


def test_without_scripts_all_is_there(browser, server):
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    page.goto("/graph?node=concept/copy")
    page.locator("svg a").first.click()
    assert "/id/" in page.url
    page.goto("/")
    page.get_by_role("searchbox").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    assert page.locator(".results > li").count() == 5
    context.close()
