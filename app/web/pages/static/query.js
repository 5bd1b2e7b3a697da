// The editor of queries: completes prefixes and terms, runs by Ctrl+Enter, and goes to the place of an error.
(() => {
  "use strict";
  const area = document.getElementById("query");
  const list = document.createElement("ul");
  list.className = "choices"; list.id = "query-choices"; list.hidden = true;
  list.setAttribute("role", "listbox"); list.setAttribute("aria-label", "Terms");
  area.after(list);
  const said = document.createElement("p");
  said.className = "unseen"; said.setAttribute("role", "status");
  list.after(said);
  const KEYWORDS = ["SELECT", "DISTINCT", "WHERE", "OPTIONAL", "FILTER", "GROUP BY", "ORDER BY", "LIMIT", "COUNT", "CONSTRUCT",
    "DESCRIBE", "UNION", "VALUES", "BIND", "REGEX", "CONTAINS", "MINUS", "GRAPH", "NOT EXISTS"];
  let names = null, shown = [], chosen = 0;

  const typed = () => /(?:[\w-]+:[\w-]*|[A-Za-z]{2,})$/.exec(area.value.slice(0, area.selectionStart).replace(/.*[?$#<"']\w*$/s, ""))?.[0] ?? "";
  const close = () => { list.hidden = true; area.removeAttribute("aria-activedescendant"); };
  const mark = (n) => {
    chosen = (n + shown.length) % shown.length;
    [...list.children].forEach((each, i) => each.setAttribute("aria-selected", String(i === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    said.textContent = shown[chosen];
  };
  const take = () => {
    const end = area.selectionStart, start = end - typed().length;
    area.setRangeText(shown[chosen] + (shown[chosen].endsWith(":") ? "" : " "), start, end, "end");
    close(); area.focus();
    if (shown[chosen].endsWith(":")) look();
  };
  const look = async () => {
    if (!names) {
      names = fetch(area.dataset.terms).then((answer) => answer.json())
        .then((found) => [...found.terms, ...Object.keys(found.prefixes).map((name) => name + ":"), ...KEYWORDS]).catch(() => []);
    }
    const all = await names, text = typed().toLowerCase();
    const local = (name) => name.toLowerCase().slice(name.indexOf(":") + 1);
    const hits = text ? all.filter((name) => name.toLowerCase().startsWith(text) || (!text.includes(":") && name.includes(":") && local(name).startsWith(text))) : [];
    shown = hits.filter((name) => name.toLowerCase() !== text).slice(0, 8);
    if (!shown.length) { close(); return; }
    list.replaceChildren(...shown.map((name, n) => {
      const item = document.createElement("li");
      item.id = list.id + n; item.setAttribute("role", "option"); item.textContent = name;
      item.addEventListener("mousedown", (event) => { event.preventDefault(); chosen = n; take(); });
      return item;
    }));
    list.hidden = false; chosen = 0;
    [...list.children].forEach((each, i) => each.setAttribute("aria-selected", String(i === 0)));
    said.textContent = `${shown.length} terms, ${shown[0]} first; Tab takes one`;
  };

  area.addEventListener("input", look);
  area.addEventListener("blur", close);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); area.form.requestSubmit(); return; }
    if (list.hidden) return;
    const acts = { ArrowDown: () => mark(chosen + 1), ArrowUp: () => mark(chosen - 1), Tab: take, Escape: close };
    if (acts[event.key] && !event.shiftKey) { event.preventDefault(); acts[event.key](); }
  });

  if (area.dataset.line) {
    const lines = area.value.split("\n"), line = Number(area.dataset.line) - 1;
    const at = lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + Number(area.dataset.column) - 1;
    area.focus();
    area.setSelectionRange(at, at + (/^\S+/.exec(area.value.slice(at)) || [" "])[0].length);
  }
})();
