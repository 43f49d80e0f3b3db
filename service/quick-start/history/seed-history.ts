import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { Temporal } from 'temporal-polyfill';
import type { Database } from '../../platform/db/tx.ts';
import { DEMO, type DemoClient, type NewAgent, type SeedOptions, type Workspace } from '../seed-workspace.ts';
import { BUSINESSES, OAK_STREET, TROUBLED } from './businesses.ts';
import { makeConversations } from './make-conversations.ts';
import { makeRuns, type Past, type PastAgent } from './make-runs.ts';
import { addToMeter, countUsage, CHAT_MODEL, markAgents, markPast, preparePartitions, readAgency, readRates } from './store-past.ts';
import { writeConversations, writeRuns } from './write-history.ts';

export { seedPastBilling } from './seed-past-billing.ts';

/** As long as the contents of runs are kept. */
const DAYS = 90;
const DAY_MS = 86_400_000;
/** Clients and agents were there this long before the first event. */
const LEAD_MS = 5 * DAY_MS;

/** Adds the clients that the demo has only with a past. Returns their agents, which are installed with the others. */
export async function addPastClients(owner: DemoClient): Promise<NewAgent[]> {
  const agents: NewAgent[] = [];
  for (const { name, client, agents: plans } of BUSINESSES) {
    if (!client) continue;
    const { id: clientId } = await owner.createClient({ body: { name, ...client } });
    for (const { template, config = {} } of plans) agents.push({ clientId, templateName: template, config });
  }
  return agents;
}

/**
 * Gives the demo agency a past, marked as sample data: the runs, conversations and usage of its clients in the 90 days up to the hour in which it was
 * created. All of it is older than the agency, which distinguishes it from what is real (docs/adr/0076-sample-data.md).
 */
export async function seedHistory({ report }: SeedOptions, { partnerId, owner }: Workspace, db: Database): Promise<void> {
  const [clients, agents] = await Promise.all([owner.listClients({ query: { limit: 100 } }), owner.listAgents({ query: { limit: 100 } })]);
  const idOf = (name: string): string | undefined => clients.data.find((one) => one.name === name)?.id;
  const [{ createdAt, timezone }, rates] = await db.asSystem('seed', (tx) =>
    Promise.all([readAgency(tx, partnerId), readRates(tx, partnerId)]),
  );
  const past = pastUntil(createdAt, timezone);
  const templates = new Map(loadCatalog().map((template) => [template.name, template]));
  const pastAgents = BUSINESSES.flatMap((business) =>
    business.agents.flatMap((plan): PastAgent[] => {
      const clientId = idOf(business.name);
      const agent = agents.data.find((one) => one.templateName === plan.template && one.clientId === clientId);
      const template = templates.get(plan.template);
      if (clientId === undefined || !agent || !template) return [];
      return [{ business, plan, template, workflowId: agent.id, clientId, flowTokenRate: rates.flows }];
    }),
  );
  const runs = pastAgents.flatMap((agent) => makeRuns(agent, past, agent.business.name === TROUBLED));
  const oakStreet = BUSINESSES.find(({ name }) => name === OAK_STREET);
  const oakStreetId = idOf(OAK_STREET);
  const chatbot = oakStreetId === undefined ? null : await owner.getChatbot({ query: { clientId: oakStreetId } });
  await db.asSystem('seed', (tx) => preparePartitions(tx, new Date(past.end.getTime() - DAYS * DAY_MS)));
  await db.asSystem('seed', async (tx) => {
    const beginsAt = new Date(past.end.getTime() - DAYS * DAY_MS - LEAD_MS);
    await markPast(tx, partnerId, { beginsAt, endsAt: past.end });
    await writeRuns(tx, partnerId, runs);
    if (oakStreet && oakStreetId !== undefined && chatbot?.id) {
      const origin = chatbot.allowedOrigins[0] ?? '';
      const chat = { partnerId, clientId: oakStreetId, chatbotId: chatbot.id, origin, personName: DEMO.clientUser.fullName };
      await writeConversations(tx, chat, { ...rates.chat, model: CHAT_MODEL }, makeConversations(oakStreet, past, rates.chat));
    }
    await markAgents(tx, partnerId, past.end);
    await addToMeter(tx, partnerId, past.end);
    await countUsage(tx, partnerId);
  });
  report(
    `Six clients have a past of ${DAYS} days with ${runs.length} runs. It is sample data, which the agency can remove with one click.`,
  );
}

/** The past of an agency ends with the hour before the one in which it was created. */
function pastUntil(createdAt: Date, timezone: string): Past {
  const end = new Date(createdAt);
  end.setUTCMinutes(0, 0, 0);
  const today = Temporal.Instant.fromEpochMilliseconds(end.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  return { firstDay: today.subtract({ days: DAYS - 1 }), days: DAYS, end };
}
