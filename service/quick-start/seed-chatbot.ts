import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO, type DemoClient, type SeedOptions, type Workspace } from './seed-workspace.ts';

/** The sandbox's website of the demo client, and the sandbox's bearer. */
export type Website = { url: string; token: string };

const READ_LIMIT_MS = 10_000;
const POLL_MS = 50;
const GUIDE = 'patient-guide.txt';

const TEXT = `# Opening hours

Oak Street Dental is open Monday to Friday from 8:00 to 17:00. On Saturday and Sunday the practice is closed.

# Appointments

Book online at https://oakstreet.example/book or call (312) 555-0100. We can send you the booking link as a text message. Cancel at least 24 hours before your visit.

# Prices

A check-up with cleaning costs $120. A filling costs from $180. Whitening costs $300. An emergency visit costs $95.

# Emergencies

With pain or a broken tooth, call before 10:00 and we see you the same day.`;

/**
 * Gives Oak Street Dental a chatbot that knows its profile, a text and a file, may have the agent send a text, and is on its website. Returns
 * the chatbot's id.
 */
export async function seedChatbot(
  { report }: SeedOptions,
  { owner, oakStreetId, workflowIds, problem }: Workspace,
  website: Website,
): Promise<string> {
  const textBack = problem === null ? workflowIds['missed-call-text-back'] : undefined;
  const { id } = await owner.changeChatbot({
    query: {},
    body: {
      clientId: oakStreetId,
      isActive: true,
      name: 'Olive',
      greeting: 'Hello, I am Olive, the assistant of Oak Street Dental. Ask me about hours, prices and appointments.',
      persona: 'Warm, calm and short. Say “we” for the practice.',
      knowledgeText: TEXT,
      provider: 'openai',
      model: 'gpt-4.1-mini',
      handoffEmail: DEMO.clientUser.email,
      handoffPhrases: ['complaint'],
      agentRoutes: textBack === undefined ? [] : [{ intent: 'A text message with the booking link', workflowId: textBack }],
      allowedOrigins: originsOf(website.url),
    },
  });
  if (id === null) throw new Error('The chatbot has no id.');
  const form = new FormData();
  form.set('clientId', oakStreetId);
  form.set('file', new File([readFileSync(join(import.meta.dirname, GUIDE))], GUIDE, { type: 'text/plain' }));
  await owner.uploadKnowledge({ body: form });
  await untilRead(owner, oakStreetId);
  const response = await fetch(website.url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${website.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ chatbotId: id }),
  });
  if (!response.ok) throw new Error(`The website returned ${response.status}.`);
  report('Oak Street Dental has a chatbot on its website; it answers from the business profile, a text and a patient guide.');
  return id;
}

/** Waits until the chatbot can answer from all that it was given, for at most a few seconds. */
async function untilRead(owner: DemoClient, clientId: string): Promise<void> {
  const until = Date.now() + READ_LIMIT_MS;
  while (Date.now() < until) {
    const documents = await owner.listKnowledge({ query: { clientId } });
    if (documents.every(({ status }) => status !== 'pending')) return;
    await wait(POLL_MS);
  }
}

/** A browser may name this machine in two ways. */
function originsOf(url: string): string[] {
  const { origin, port } = new URL(url);
  return [origin, `http://localhost:${port}`];
}
