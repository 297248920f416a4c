// What a reader of small type or low contrast would trip over, in the document that this runs in.
(() => {
  const parse = (colour) => {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    const scale = colour.startsWith("color(") ? 255 : 1;
    const [r, g, b, a = 1] = colour.startsWith("color(") ? numbers : numbers;
    return [r * scale, g * scale, b * scale, a];
  };
  const over = (top, ground) => [0, 1, 2].map((n) => top[n] * top[3] + ground[n] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) => { const c = one / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const scale = (element) => { const svg = element.closest("svg"); return svg && element.getScreenCTM ? element.getScreenCTM().a : 1; };

  const faint = [], small = [], seen = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || ["SCRIPT", "STYLE", "title"].includes(element.tagName) || !element.checkVisibility() || element.closest(".unseen")) continue;
    const style = getComputedStyle(element);
    const colour = parse(element.closest("svg") ? style.fill : style.color);
    const ratio = contrast(over(colour, ground(element)), ground(element));
    const pixels = parseFloat(style.fontSize) * scale(element);
    seen.push(text);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)}: ${text.slice(0, 60)}`);
    if (pixels < 11) small.push(`${pixels.toFixed(1)} px: ${text.slice(0, 60)}`);
  }
  return {
    faint, small, texts: seen.length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    paper: getComputedStyle(document.body).backgroundColor,
  };
})()
