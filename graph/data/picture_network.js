// Shows the picture's data with vis-network: the outlines are those of the SVG, the places too until a node is dragged.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const ink = dark ? "#ececf1" : "#1b1b1f", faint = dark ? "#b9b9c4" : "#55555f", ground = dark ? "#17171b" : "#ffffff";
  const font = getComputedStyle(document.body).fontFamily;
  const drawn = (node) => ({ ctx, x, y, state: { selected, hover } }) => ({
    drawNode() {
      const [fill, line] = data.colours[node.kind].slice(dark ? 2 : 0), [, , , h] = node.box;
      ctx.save();
      ctx.translate(x, y);
      ctx.fillStyle = fill;
      ctx.strokeStyle = line;
      ctx.lineWidth = node.centre || selected || hover ? 3.2 : 1.4;
      const outline = new Path2D(node.path);
      ctx.fill(outline);
      ctx.stroke(outline);
      ctx.textAlign = "center";
      ctx.textBaseline = "alphabetic";
      ctx.fillStyle = faint;
      ctx.font = `9.5px ${font}`;
      ctx.fillText(node.head, 0, 14 - h / 2);
      ctx.fillStyle = ink;
      ctx.font = `${node.centre ? "bold " : ""}12px ${font}`;
      node.lines.forEach((text, i) => ctx.fillText(text, 0, 31 + 15 * i - h / 2));
      ctx.restore();
    },
    nodeDimensions: { width: node.box[2], height: node.box[3] },
  });
  const nodes = data.nodes.map((node) => ({
    id: node.id, x: node.box[0] * 1.2, y: node.box[1], shape: "custom", ctxRenderer: drawn(node), title: node.text,
  }));
  const sure = (edge) => edge.confidence === null ? "stated" : `worked out, confidence ${edge.confidence}`;
  const edges = data.edges.map((edge, i) => ({
    id: i, from: edge.from, to: edge.to, label: edge.label, title: `${edge.label}: ${sure(edge)}`,
    dashes: edge.confidence === null ? false : [5, 3],
  }));
  const network = new vis.Network(document.getElementById("network"), { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) }, {
    physics: false,
    interaction: { hover: true, keyboard: { bindToWindow: false }, tooltipDelay: 150 },
    edges: {
      arrows: { to: { enabled: true, scaleFactor: 0.5 } },
      color: { color: dark ? "#7d7d8a" : "#85858f", highlight: ink, hover: ink, inherit: false },
      font: { size: 10, face: font, color: faint, background: ground, strokeWidth: 0, align: "horizontal" },
      smooth: { type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 },
      width: 1.2,
    },
  });
  const whole = document.getElementById("whole");
  const byId = new Map(data.nodes.map((node) => [node.id, node]));
  network.on("selectNode", ({ nodes: [id] }) => { const node = byId.get(id); whole.textContent = `${node.text}\n${node.iri}`; });
})();
