// The page's side of MCP Apps (revision 2026-01-26): JSON-RPC with the client, by messages between frames.
// A view calls show({ draw }): draw(answer, stage) fills the stage with the tool's structured answer.

const PROTOCOL = "2026-01-26";

const unanswered = new Map();
let asked = 0;

function tell(message) {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); // a view cannot know its client's origin
}

function ask(method, params) {
  asked += 1;
  const id = asked;
  tell({ id, method, params });
  return new Promise((resolve, reject) => unanswered.set(id, { resolve, reject }));
}

function show({ draw }) {
  const main = document.getElementById("view");
  const title = document.title;
  const context = {};
  let input = {};

  function settle(...children) {
    main.replaceChildren(...children);
    main.removeAttribute("aria-busy");
  }

  function say(kind, text) {
    settle(
      el("h1", {}, title),
      el("p", { class: `note ${kind}`, role: kind === "bad" ? "alert" : "status" }, text),
    );
  }

  function texts(result) {
    return (result.content || []).filter((one) => one.type === "text").map((one) => one.text).join("\n");
  }

  // What cannot be drawn is told as text: the same words that a client without views has.
  function present(result) {
    if (result.isError) return say("bad", texts(result) || "The tool refused, and gave no reason.");
    if (!result.structuredContent) return say("", texts(result) || "The answer is empty.");
    try {
      const stage = el("div", {});
      draw(result.structuredContent, { stage, input, context });
      settle(...stage.childNodes);
    } catch (fault) {
      tell({ method: "notifications/message", params: { level: "error", logger: title, data: String(fault) } });
      say("warn", texts(result) || "This answer cannot be shown here.");
    }
    return undefined;
  }

  function adopt(changed) {
    Object.assign(context, changed);
    const root = document.documentElement;
    if (context.theme === "light" || context.theme === "dark") root.dataset.theme = context.theme;
    for (const [side, width] of Object.entries(context.safeAreaInsets || {})) {
      root.style.setProperty(`--inset-${side}`, `${Number(width) || 0}px`);
    }
    // Of the client's own look, its type: our colours are measured against one another, and no other's are.
    const fonts = (context.styles || {}).variables || {};
    if (fonts["--font-sans"]) root.style.setProperty("--sans", fonts["--font-sans"]);
    if (fonts["--font-mono"]) root.style.setProperty("--mono", fonts["--font-mono"]);
  }

  const heard = {
    "ui/notifications/tool-input": (params) => { input = params.arguments || {}; },
    "ui/notifications/tool-result": present,
    "ui/notifications/tool-cancelled": (params) => say("warn", `Cancelled. ${params.reason || ""}`.trim()),
    "ui/notifications/host-context-changed": adopt,
  };
  const answered = { ping: () => ({}), "ui/resource-teardown": () => ({}) };

  function hear(event) {
    const message = event.data;
    if (event.source !== window.parent || !message || message.jsonrpc !== "2.0") return;
    if (message.method === undefined) {
      const waiting = unanswered.get(message.id);
      unanswered.delete(message.id);
      if (waiting && message.error) waiting.reject(new Error(message.error.message));
      else if (waiting) waiting.resolve(message.result);
    } else if (message.id !== undefined) {
      const answer = answered[message.method];
      if (answer) tell({ id: message.id, result: answer(message.params || {}) });
      else tell({ id: message.id, error: { code: -32601, message: `This view has no ${message.method}.` } });
    } else if (heard[message.method]) {
      heard[message.method](message.params || {});
    }
  }

  async function greet() {
    const welcome = await ask("ui/initialize", {
      appInfo: { name: title, version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: PROTOCOL,
    });
    adopt(welcome.hostContext || {});
    tell({ method: "ui/notifications/initialized", params: {} });
    let last = "";
    new ResizeObserver(() => {
      const size = {
        width: Math.ceil(document.documentElement.scrollWidth),
        height: Math.ceil(document.body.getBoundingClientRect().height),
      };
      if (`${size.width} ${size.height}` === last) return;
      last = `${size.width} ${size.height}`;
      tell({ method: "ui/notifications/size-changed", params: size });
    }).observe(document.body);
  }

  const inside = document.getElementById("answer");
  if (inside) {
    present({ structuredContent: JSON.parse(inside.textContent) });
  } else if (window.parent === window) {
    say("", "This page shows a tool's answer inside a client that shows MCP Apps. Opened by itself it has none.");
  } else {
    window.addEventListener("message", hear);
    greet().catch((fault) => say("bad", `The client did not accept this view: ${fault.message}`));
  }
}
