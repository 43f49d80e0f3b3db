/** Snippets for first calls with a bearer session: the API has no keys of its own. */

export const LANGUAGES = ['curl', 'node', 'python'] as const;
export type Way = (typeof LANGUAGES)[number];
export const LANGUAGE_LABELS: Record<Way, string> = { curl: 'cURL', node: 'Node.js', python: 'Python' };

export type Snippet = { name: string; code: string };

/** Escapes text for single-quoted shell and JavaScript strings: an e-mail address may contain an apostrophe. */
const inShell = (text: string): string => text.replaceAll("'", `'\\''`);
const inScript = (text: string): string => text.replaceAll("'", `\\'`);

/** Login and one call. The password comes from the environment, so it stays out of the shell history. */
export function firstCallSnippet(way: Way, baseUrl: string, email: string): Snippet {
  switch (way) {
    case 'curl':
      return {
        name: 'Log in, then list your clients',
        code: `SESSION=$(curl -sS '${baseUrl}/auth/login' \\
  -H 'Content-Type: application/json' \\
  -d "$(jq -n --arg password "$PORTAL_PASSWORD" '{ email: "${inShell(email)}", password: $password }')")
TOKEN=$(echo "$SESSION" | jq -r .accessToken)

curl -sS '${baseUrl}/clients' -H "Authorization: Bearer $TOKEN"`,
      };
    case 'node':
      return {
        name: 'Log in, then list your clients',
        code: `const answer = await fetch('${baseUrl}/auth/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: '${inScript(email)}', password: process.env.PORTAL_PASSWORD }),
});
if (!answer.ok) throw new Error((await answer.json()).detail);
const { accessToken } = await answer.json();

const clients = await fetch('${baseUrl}/clients', { headers: { authorization: \`Bearer \${accessToken}\` } });
console.log(await clients.json());`,
      };
    case 'python':
      return {
        name: 'Log in, then list your clients',
        code: `import os
import requests

answer = requests.post("${baseUrl}/auth/login", json={"email": "${email}", "password": os.environ["PORTAL_PASSWORD"]})
answer.raise_for_status()
token = answer.json()["accessToken"]

clients = requests.get("${baseUrl}/clients", headers={"Authorization": f"Bearer {token}"})
print(clients.json())`,
      };
  }
}

/** A client that reuses its session, logs in again when it expires or is revoked, and honors Retry-After. */
export function sessionSnippet(way: Way, baseUrl: string, email: string): Snippet {
  switch (way) {
    case 'curl':
      return {
        name: 'Reuse the session until it expires',
        code: `# SESSION is the login response. Log in again when less than a minute is left.
EXPIRES=$(echo "$SESSION" | jq -r '.expiresAt | sub("\\\\.[0-9]+"; "") | fromdateiso8601')
if [ "$(date +%s)" -ge $((EXPIRES - 60)) ]; then
  echo 'The session has expired: log in again.'
fi

# 401: log in again, once. 429: wait for the seconds in Retry-After.
curl -sS -o answer.json -w '%{http_code} %header{retry-after}\\n' \\
  '${baseUrl}/clients' -H "Authorization: Bearer $TOKEN"`,
      };
    case 'node':
      return {
        name: 'A client that keeps its session',
        code: `let session;

async function signIn() {
  const answer = await fetch('${baseUrl}/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: '${inScript(email)}', password: process.env.PORTAL_PASSWORD }),
  });
  if (!answer.ok) throw new Error((await answer.json()).detail);
  session = await answer.json();
}

export async function call(path, init = {}, triesLeft = 2) {
  if (!session || Date.parse(session.expiresAt) - Date.now() < 60_000) await signIn();
  const headers = { ...init.headers, authorization: \`Bearer \${session.accessToken}\` };
  const answer = await fetch('${baseUrl}' + path, { ...init, headers });
  if (triesLeft === 0) return answer;
  // Revoked early: logged out elsewhere, or the password was changed.
  if (answer.status === 401) session = undefined;
  else if (answer.status === 429) await new Promise((done) => setTimeout(done, 1000 * (answer.headers.get('retry-after') ?? 1)));
  else return answer;
  return call(path, init, triesLeft - 1);
}`,
      };
    case 'python':
      return {
        name: 'A client that keeps its session',
        code: `import os
import time
from datetime import datetime, timezone

import requests

session = None


def sign_in():
    global session
    answer = requests.post("${baseUrl}/auth/login", json={"email": "${email}", "password": os.environ["PORTAL_PASSWORD"]})
    answer.raise_for_status()
    session = answer.json()


def seconds_left():
    ends = datetime.fromisoformat(session["expiresAt"].replace("Z", "+00:00"))
    return (ends - datetime.now(timezone.utc)).total_seconds()


def call(method, path, tries_left=2, **rest):
    global session
    if session is None or seconds_left() < 60:
        sign_in()
    headers = {"Authorization": f"Bearer {session['accessToken']}"}
    answer = requests.request(method, "${baseUrl}" + path, headers=headers, **rest)
    if tries_left == 0 or answer.status_code not in (401, 429):
        return answer
    if answer.status_code == 401:
        session = None  # ended before its time: logged out elsewhere, or the password was changed
    else:
        time.sleep(int(answer.headers.get("Retry-After", "1")))
    return call(method, path, tries_left - 1, **rest)`,
      };
  }
}
