import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { seedChatbot } from '@partner-portal/service/quick-start/seed-chatbot.ts';
import { DEMO, ingestUrl, postJson, seedWorkspace, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';

/**
 * `npm run demo`: the main flow of the product in the terminal, on a system of its own in a temporary folder. A missed call arrives, the
 * flow runs, a text is sent (to the sandbox), the execution reports back and is metered; then an account event is delivered, and a
 * receiver verifies its signature. At last a visitor of the client's website asks the chatbot.
 */

const ROOT = join(import.meta.dirname, '..');
const PASSWORD = 'demo password of this run';
const ADMIN = { email: 'staff@portal.example', password: PASSWORD };
const READY_LIMIT_MS = 60_000;
const RUN_LIMIT_MS = 30_000;

const bold = (text: string): string => (process.stdout.isTTY ? `\u001B[1m${text}\u001B[0m` : text);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'portal-demo-'));
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
let system: ChildProcess | undefined;
try {
  say(bold('\n1. An empty system starts: Postgres, the workflow engine, a sandbox for third-party services, the service.'));
  system = await startSystem();
  say(bold('\n2. An agency is set up.'));
  const sandboxUrl = `http://127.0.0.1:${readFileSync(join(dataDir, 'sandbox-port'), 'utf8')}`;
  const token = readFileSync(join(dataDir, 'sandbox-token'), 'utf8');
  const receiver = { url: `${sandboxUrl}/receiver/northwind-crm`, token };
  const report = (sentence: string): void => say(`   ${sentence}`);
  const options = { baseUrl, admin: ADMIN, password: PASSWORD, receiver, report };
  const workspace = await seedWorkspace(options);
  if (workspace.problem !== null) throw new Error(workspace.problem);
  await showProvisioning(workspace);
  await showMissedCall(workspace);
  await showWebhook(workspace);
  await showChatbot(await seedChatbot({ ...options, report: () => undefined }, workspace, { url: `${sandboxUrl}/sandbox/website`, token }));
  say(
    bold(
      '\nYou have seen one incoming event, from the missed call to the meter, one outgoing webhook and one conversation. npm start shows the same in the browser.\n',
    ),
  );
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await stopSystem();
  rmSync(dataDir, { recursive: true, force: true });
}

async function startSystem(): Promise<ChildProcess> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    PORT: String(port),
    DATA_DIR: dataDir,
    PUBLIC_BASE_URL: baseUrl,
    SEED_ADMIN_EMAIL: ADMIN.email,
    SEED_ADMIN_PASSWORD: ADMIN.password,
  };
  const child = spawn(process.execPath, [join(ROOT, 'service', 'main.ts'), '--empty'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problem = '';
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const until = Date.now() + READY_LIMIT_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(problem.trim() || `the service ended with ${child.exitCode}`);
    // Printed once the engine is set up as well; the service listens before.
    if (output.includes('portal is at')) return child;
    await delay(100);
  }
  throw new Error('the service was not ready in time');
}

async function stopSystem(): Promise<void> {
  const running = system;
  if (!running || running.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
  running.kill('SIGTERM');
  await ended;
}

async function showProvisioning({ admin, partnerId }: Workspace): Promise<void> {
  const { steps } = await admin.listSteps({ params: { id: partnerId } });
  say(bold('\n3. Provisioning, as staff see it: the steps that installed the agents.'));
  for (const step of steps)
    say(
      `   ${step.status === 'succeeded' ? '✔' : '✖'} ${step.name.padEnd(22)}${String(step.durationMs ?? 0).padStart(5)} ms   ${step.summary ?? ''}`,
    );
}

async function showMissedCall({ admin, owner, workflowIds }: Workspace): Promise<void> {
  const url = await ingestUrl(owner, workflowIds['missed-call-text-back']);
  const event = { callerNumber: '+13125550148', businessNumber: DEMO.businessNumber };
  say(bold('\n4. A caller reaches Oak Street Dental and no one answers. The phone system posts:'));
  say(`   POST ${url.replace(/token=.{8}.*/, (text) => `${text.slice(0, 14)}…`)}\n   ${JSON.stringify(event)}`);
  const response = await postJson(url, event);
  const { executionId } = (await response.json()) as { executionId: string }; // the contract's response to an accepted event
  say(`   ${response.status} accepted, run ${executionId}`);

  const until = Date.now() + RUN_LIMIT_MS;
  let run = await owner.getExecution({ params: { id: executionId } });
  while (run.status === 'RUNNING' && Date.now() < until) {
    await delay(50);
    run = await owner.getExecution({ params: { id: executionId } });
  }
  say(bold(`\n5. The flow ran: ${run.summary}`));
  for (const step of run.steps)
    say(
      `   ${step.status === 'succeeded' ? '✔' : step.status === 'skipped' ? '–' : '✖'} ${step.label.padEnd(26)}${step.durationMs === null ? '' : `${Math.round(step.durationMs)} ms`.padStart(8)}`,
    );
  if (run.status !== 'SUCCEEDED') throw new Error(run.error?.message ?? `the run is ${run.status}`);

  const { data: calls } = await admin.listOutbox({ query: { provider: 'twilio' } });
  const text = new URLSearchParams(calls[0]?.body ?? '');
  say(bold('\n6. The text message, as the sandbox received it:'));
  say(`   From ${text.get('From')} to ${text.get('To')}\n   “${text.get('Body')}”`);

  const quota = await owner.getQuota();
  const ledger = await owner.listLedger({ query: { limit: 1 } });
  say(bold('\n7. The meter:'));
  say(`   ${quota.used} of ${quota.limit} credits used; the newest entry is ${ledger.data[0]?.credits} for ${ledger.data[0]?.agentName}.`);
}

/** Shows an account event from its cause to the receiver that verifies it. */
async function showWebhook({ owner, admin, lakeviewId }: Workspace): Promise<void> {
  const [endpoint] = await owner.listWebhooks();
  if (!endpoint) throw new Error('The agency has no webhook endpoint.');
  say(bold('\n8. The agency requests one more agent. Its own systems are notified:'));
  await owner.createAgentRequest({ body: { clientId: lakeviewId, templateName: 'no-show-rebooking' } });
  const until = Date.now() + RUN_LIMIT_MS;
  const find = async () => {
    const rows = await owner.listDeliveries({ params: { id: endpoint.id } });
    return rows.find((row) => row.eventType === 'agent_request.submitted');
  };
  let delivery = await find();
  while (delivery?.status !== 'delivered' && Date.now() < until) {
    await delay(50);
    delivery = await find();
  }
  if (delivery?.status !== 'delivered') throw new Error(delivery?.attempts.at(-1)?.explanation?.message ?? 'no delivery was made');
  const [attempt] = delivery.attempts;
  say(`   POST ${endpoint.url}\n   X-Service-Event: ${delivery.eventType}\n   X-Service-Signature: t=…,v1=… over the bytes below`);
  say(`   ${delivery.requestBody.slice(0, 140)}…`);
  say(`   ${attempt?.httpStatus} after ${attempt?.durationMs} ms: ${attempt?.responsePreview}`);
  const { data: received } = await admin.listOutbox({ query: { provider: 'receiver', q: delivery.eventId } });
  say(bold('\n9. The receiver verified the signature with the secret from the registration:'));
  say(`   ${received[0]?.status === 200 && received[0].body === delivery.requestBody ? '✔ valid, byte for byte' : '✖ invalid'}`);
}

/** Lets a visitor ask something the chatbot knows, then for a text that an agent sends. */
async function showChatbot(chatbotId: string): Promise<void> {
  const visitor = createClient(routes, { baseUrl, fetch });
  say(bold('\n10. A visitor of the website of Oak Street Dental writes to its chatbot:'));
  let conversationId: string | undefined;
  for (const text of ['How much does a cleaning cost?', 'Please text me the booking link, my number is (312) 555-0149.']) {
    const body = { text, ...(conversationId === undefined ? {} : { conversationId }) };
    const answer = await visitor.sendVisitorMessage({ params: { chatbotId }, body });
    ({ conversationId } = answer);
    if (!('reply' in answer)) throw new Error('the chatbot did not answer in time');
    const sources = answer.message?.sources.map(({ title }) => title).join(', ') ?? '';
    say(`   Visitor: ${text}\n   Chatbot: ${answer.reply ?? ''}${sources === '' ? '' : ` (from: ${sources})`}`);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
