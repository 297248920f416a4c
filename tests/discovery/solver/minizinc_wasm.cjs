// Runs the MiniZinc of the npm package `minizinc` once, in plain Node, as if it were the real command.
//
//     node minizinc_wasm.cjs DIST [argument of minizinc ...] < PROGRAM
//
// The package's WebAssembly is written for a browser's worker, so the few names that such a worker has are
// given to it in a context of its own. One process a run: a second run of the same instance fails.
// Prints each message of MiniZinc's JSON stream on a line, and ends with MiniZinc's exit code.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const [dist, ...given] = process.argv.slice(2);
const flags = given.filter((flag) => flag !== "--input-from-stdin" && flag !== "--json-stream");
const listeners = [];

function send(data) {
  for (const listener of listeners) listener({ data });
}

function post(message) {
  if (message.type === "ready") {
    const files = { "program.mzn": fs.readFileSync(0, "utf8") };
    send({ jsonStream: true, files, args: [...flags, "program.mzn"] });
    return;
  }
  fs.writeSync(1, JSON.stringify(message) + "\n");
  if (message.type === "exit") process.exit(message.code === 0 ? 0 : 1);
}

async function read(url) {
  return new Response(fs.readFileSync(String(url)), { headers: { "Content-Type": "application/wasm" } });
}

const scope = {
  addEventListener: (kind, listener) => kind === "message" && listeners.push(listener),
  postMessage: post,
  fetch: read,
  location: { href: "file:///worker.js", pathname: "/worker.js" },
  WorkerGlobalScope: function WorkerGlobalScope() {},
  console, setTimeout, clearTimeout, performance, crypto, TextDecoder, TextEncoder, URL, WebAssembly, Response,
};
scope.self = scope;
vm.runInContext(fs.readFileSync(path.join(dist, "minizinc-worker.js"), "utf8"), vm.createContext(scope));
send({ wasmURL: path.join(dist, "minizinc.wasm"), dataURL: path.join(dist, "minizinc.data") });
