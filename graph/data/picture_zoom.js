// Moves and zooms the SVG: wheel, drag, and the keys + - 0.
(() => {
  const svg = document.querySelector("#picture svg");
  const whole = svg.viewBox.baseVal;
  const start = [whole.x, whole.y, whole.width, whole.height];
  let [x, y, w, h] = start, held = null;
  const show = () => svg.setAttribute("viewBox", [x, y, w, h].join(" "));
  const place = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const zoom = (by, px, py) => {
    by = Math.min(Math.max(by, start[2] / 20 / w), start[2] * 2 / w);
    x = px - (px - x) * by; y = py - (py - y) * by; w *= by; h *= by; show();
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const p = place(event);
    zoom(Math.exp(Math.sign(event.deltaY) * 0.15), p.x, p.y);
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => { held = place(event); svg.setPointerCapture(event.pointerId); });
  svg.addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const p = place(event);
    x += held.x - p.x; y += held.y - p.y; show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "+") zoom(0.8, x + w / 2, y + h / 2);
    if (event.key === "-") zoom(1.25, x + w / 2, y + h / 2);
    if (event.key === "0") { [x, y, w, h] = start; show(); }
  });
})();
