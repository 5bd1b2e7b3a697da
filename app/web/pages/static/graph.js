// The picture of the graph: moved by drag, wheel, pinch and keys; a node that is chosen shows what can be done with it.
(() => {
  "use strict";
  let svg, start, box;
  const view = document.getElementById("view");
  const held = new Map();
  let moved = false, spread = 0;

  const show = () => svg.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
  const place = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  const zoom = (by, p) => {
    by = Math.min(Math.max(by, start[2] / 15 / box[2]), (start[2] * 1.5) / box[2]);
    box = [p.x - (p.x - box[0]) * by, p.y - (p.y - box[1]) * by, box[2] * by, box[3] * by];
    show();
  };
  const middle = () => ({ x: box[0] + box[2] / 2, y: box[1] + box[3] / 2 });
  const move = (dx, dy) => { box[0] += dx; box[1] += dy; show(); };
  const whole = () => { box = [...start]; show(); };

  // Text of 12 units is read from 10 pixels on: a wide picture starts at its centre, not as a whole.
  const begin = (node) => {
    const frame = document.getElementById("picture");
    const scale = Math.min(frame.clientWidth / start[2], frame.clientHeight / start[3]);
    if (scale > 0.75) return;
    const at = node.getBBox(), shift = svg.querySelector("g[transform]").transform.baseVal.consolidate().matrix;
    const [w, h] = [frame.clientWidth / 0.8, frame.clientHeight / 0.8];
    // No farther than the picture goes; what is narrower than the frame stands in its middle.
    const within = (from, size, all) => (size > all ? (all - size) / 2 : Math.min(Math.max(from, 0), all - size));
    const x = within(at.x + at.width / 2 + shift.e - w / 2, w, start[2]);
    const y = within(at.y + at.height / 2 + shift.f - h / 2, h, start[3]);
    box = [x, y, w, h];
    show();
  };

  const button = (text, label, act) => {
    const made = document.createElement("button");
    made.type = "button"; made.textContent = text; made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  const link = (href, text) => {
    const made = document.createElement("a");
    made.href = href; made.textContent = text;
    return made;
  };

  const choose = (key) => {
    const panel = document.getElementById("chosen");
    const node = svg.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const listed = view.querySelector(`[data-node="${CSS.escape(key)}"]`);
    const words = document.createElement("p");
    words.className = "book"; words.textContent = node.querySelector("title").textContent;
    const actions = document.createElement("p");
    actions.className = "actions";
    const open = listed.querySelector("a.open"), more = listed.querySelector("a.more");
    if (open) actions.append(link(open.href, "Open its page"));
    if (more) {
      const growing = link(more.href, "Show its neighbours");
      growing.addEventListener("click", (event) => { event.preventDefault(); load(more.href, key); });
      actions.append(growing);
    }
    panel.replaceChildren(actions, words);
    panel.hidden = false;
    svg.querySelectorAll(".chosen").forEach((each) => each.classList.remove("chosen"));
    node.classList.add("chosen");
    (actions.querySelector("a") || panel).focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  };

  const load = async (url, key, push = true) => {
    view.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html" } });
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("view");
      if (!answer.ok || !found) { location.assign(url); return; }
      view.replaceChildren(...found.childNodes);
      if (push) history.pushState(null, "", url);
      ready();
      const node = key && svg.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (node) { begin(node); choose(key); }
    } catch { location.assign(url); } finally { view.removeAttribute("aria-busy"); }
  };

  const drag = (frame) => {
    frame.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(Math.sign(event.deltaY) * 0.15), place(event.clientX, event.clientY));
    }, { passive: false });
    frame.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, event); moved = false; spread = 0;
    });
    frame.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      if (!moved && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 4) return;
      // Only a drag takes the pointer, so that a press still reaches the link below it.
      if (!moved) frame.setPointerCapture(event.pointerId);
      moved = true;
      const a = place(before.clientX, before.clientY), b = place(event.clientX, event.clientY);
      held.set(event.pointerId, event);
      if (held.size === 1) { move(a.x - b.x, a.y - b.y); return; }
      const [one, two] = [...held.values()];
      const apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
      if (spread) zoom(spread / apart, place((one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2));
      spread = apart;
    });
    const drop = (event) => { held.delete(event.pointerId); spread = 0; };
    frame.addEventListener("pointerup", drop);
    frame.addEventListener("pointercancel", drop);
    frame.addEventListener("dragstart", (event) => event.preventDefault());
    frame.addEventListener("click", (event) => {
      const node = event.target.closest("[data-key]");
      if (moved) { event.preventDefault(); moved = false; return; }
      if (!node || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(node.dataset.key);
    });
    frame.addEventListener("keydown", (event) => {
      const step = box[2] / 10;
      const acts = {
        "+": () => zoom(0.8, middle()), "-": () => zoom(1.25, middle()), "0": whole,
        ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0),
        ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step),
      };
      if (acts[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); acts[event.key](); }
    });
  };

  const ready = () => {
    const frame = document.getElementById("picture");
    svg = frame.querySelector("svg");
    const given = svg.viewBox.baseVal;
    start = [given.x, given.y, given.width, given.height];
    box = [...start];
    held.clear();
    frame.classList.add("moving");
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.append(
      button("+", "Zoom in", () => zoom(0.8, middle())),
      button("−", "Zoom out", () => zoom(1.25, middle())),
      button("Whole", "Show the whole picture", whole),
    );
    frame.before(tools);
    drag(frame);
    begin(svg.querySelector(".centre"));
    const form = view.querySelector("[data-filter]");
    form.querySelector("button").hidden = true;
    form.addEventListener("change", () => load("/graph?" + new URLSearchParams(new FormData(form))));
  };

  addEventListener("popstate", () => load(location.href, "", false));
  ready();
})();
