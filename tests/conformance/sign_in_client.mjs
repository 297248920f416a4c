// The TypeScript SDK's client signs in and calls a tool: node sign_in_client.mjs URL TOOL ARGUMENTS
//
// The address that a person would open is printed as a line "open ADDRESS"; the browser's answer comes to a loopback port.
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";

const [url, tool, given] = process.argv.slice(2);
let arrived;
const code = new Promise((resolve) => (arrived = resolve));
const listener = createServer((request, response) => {
  const answer = new URL(request.url, "http://127.0.0.1").searchParams;
  response.end("done");
  if (answer.has("code")) arrived(answer.get("code"));
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
const redirectUrl = `http://127.0.0.1:${listener.address().port}/callback`;

const kept = {};
const provider = {
  redirectUrl,
  clientMetadata: {
    client_name: "typescript",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  redirectToAuthorization: (address) => console.log(`open ${address}`),
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

const connected = async () => {
  const client = new Client({ name: "typescript", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  try {
    await client.connect(transport);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await code);
    return await connected();
  }
  return client;
};

const client = await connected();
const answer = await client.callTool({ name: tool, arguments: JSON.parse(given) });
console.log(`answer ${answer.content[0].text}`);
kept.tokens = { ...kept.tokens, access_token: "ended" };
const renewed = await (await connected()).callTool({ name: tool, arguments: JSON.parse(given) });
console.log(`renewed ${renewed.content[0].text}`);
await client.close();
listener.close();
process.exit(0);
