// Completes names of cards, concepts and rules at the end of what is typed (a combobox as in the WAI-ARIA practices).
(() => {
  "use strict";
  const WORDS = 4, LEAST = 3, PAUSE = 120;
  const PLAIN = new Set(("the and for are can does did has have how its not off that this what when who why will with you your " +
    "der die das und ist was wie wenn kann les des est une que qui").split(" "));
  const known = new Map();

  const found = async (text) => {
    if (!known.has(text)) {
      const answer = await fetch("/api/complete?k=7&q=" + encodeURIComponent(text));
      known.set(text, answer.ok ? (await answer.json()).completions : []);
    }
    return known.get(text);
  };

  // The ends of the text that may be the beginning of a name, the longest first.
  const ends = (text) => {
    const starts = [...text.matchAll(/(?<![^\s("“„«[])[^\s("“„«[]/gu)].map((match) => match.index).slice(-WORDS);
    return starts.map((at) => ({ at, text: text.slice(at) }))
      .filter((end) => end.text.trim().length >= LEAST && !/[?!]\s*$/.test(end.text) && !PLAIN.has(end.text.trim().toLowerCase()));
  };

  const attach = (input) => {
    const list = document.createElement("ul");
    list.className = "choices"; list.id = input.id + "-choices"; list.hidden = true;
    list.setAttribute("role", "listbox"); list.setAttribute("aria-label", "Names");
    input.closest("form").append(list);
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) {
      input.setAttribute(name, value);
    }
    let at = 0, entries = [], chosen = -1, timer = 0, asked = 0;

    const close = () => {
      list.hidden = true; chosen = -1;
      input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant");
    };
    const mark = (n) => {
      chosen = n;
      [...list.children].forEach((each, i) => each.setAttribute("aria-selected", String(i === n)));
      if (n < 0) { input.removeAttribute("aria-activedescendant"); return; }
      input.setAttribute("aria-activedescendant", list.children[n].id);
      list.children[n].scrollIntoView({ block: "nearest" });
    };
    const take = (n) => {
      const name = entries[n].kind === "rule" ? entries[n].name : entries[n].name + " ";
      const caret = input.selectionStart;
      input.value = input.value.slice(0, at) + name + input.value.slice(caret).trimStart();
      input.setSelectionRange(at + name.length, at + name.length);
      close(); input.focus();
    };
    const open = () => {
      list.replaceChildren(...entries.map((entry, n) => {
        const item = document.createElement("li"), kind = document.createElement("small");
        item.id = list.id + n; item.setAttribute("role", "option"); item.setAttribute("aria-selected", "false");
        item.lang = entry.language;
        item.textContent = entry.name;
        kind.textContent = entry.kind; kind.lang = "en";
        item.append(kind);
        item.addEventListener("mousedown", (event) => event.preventDefault());
        item.addEventListener("click", () => take(n));
        return item;
      }));
      list.hidden = false; chosen = -1;
      input.setAttribute("aria-expanded", "true"); input.removeAttribute("aria-activedescendant");
    };
    const look = async () => {
      const mine = ++asked;
      for (const end of ends(input.value.slice(0, input.selectionStart))) {
        let names = [];
        try { names = await found(end.text.trim()); } catch { close(); return; }
        if (mine !== asked) return;
        if (names.length === 1 && names[0].name === end.text.trim()) break;
        if (names.length) { at = end.at; entries = names; open(); return; }
      }
      close();
    };

    input.addEventListener("input", () => { clearTimeout(timer); asked++; timer = setTimeout(look, PAUSE); });
    input.addEventListener("blur", () => { asked++; clearTimeout(timer); close(); });
    input.addEventListener("keydown", (event) => {
      if (list.hidden || event.isComposing) return;
      const last = entries.length - 1;
      const acts = {
        ArrowDown: () => mark(chosen === last ? -1 : chosen + 1),
        ArrowUp: () => mark(chosen < 0 ? last : chosen - 1),
        Escape: close,
        Enter: chosen < 0 ? undefined : () => take(chosen),
        Tab: chosen < 0 ? undefined : () => take(chosen),
      };
      if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
    });
  };

  document.querySelectorAll("input[data-complete]").forEach(attach);
})();
