import type { AiProvider, Locale } from '@partner-portal/contract/vocabulary.ts';
import { DEFAULT_COLOUR } from '@partner-portal/core/tenancy/brand.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** The facts of a chatbot that a turn and the widget need. */
export type ChatbotFacts = {
  id: string;
  partnerId: string;
  clientId: string;
  name: string;
  greeting: string;
  persona: string;
  provider: AiProvider;
  model: string;
  handoffEmail: string;
  handoffPhrases: string[];
  handoffWhenUnsure: boolean;
  reminderMinutes: number;
  routes: { intent: string; workflowId: string }[];
  /** Its own, or that of the agency. */
  brandColor: string;
  allowedOrigins: string[];
  privacyUrl: string;
  businessName: string;
  /** The language of the business. */
  locale: Locale;
  timezone: string;
  agencyName: string;
  /** A path of the portal; null: the agency has no logo. */
  logoUrl: string | null;
};

type FactsRow = ChatbotFacts & { isServed: boolean };

/** Returns the facts of a chatbot that the transaction may read, whether or not it is served. */
export async function readFacts(tx: Tx, chatbotId: string): Promise<ChatbotFacts | undefined> {
  const row = await findFacts(tx, chatbotId);
  if (!row) return undefined;
  const { isServed: _, ...facts } = row;
  return facts;
}

/** Returns the facts of a chatbot that visitors may talk to: switched on, included in the plan, of accounts that are active. */
export async function readServed(tx: Tx, chatbotId: string): Promise<ChatbotFacts | undefined> {
  const row = await findFacts(tx, chatbotId);
  if (!row?.isServed) return undefined;
  const { isServed: _, ...facts } = row;
  return facts;
}

async function findFacts(tx: Tx, chatbotId: string): Promise<FactsRow | undefined> {
  const [row] = await runStatement<'chatbot_facts', FactsRow>(tx, {
    name: 'chatbot_facts',
    text: `select b.id, b.partner_id, b.client_id, b.name, b.greeting, b.persona, b.provider, b.model, b.handoff_email, b.handoff_phrases,
        b.handoff_when_unsure, b.reminder_minutes, coalesce(b.brand_color, p.brand_color, $2) as brand_color, b.allowed_origins, b.privacy_url,
        c.name as business_name, c.locale, c.timezone, p.name as agency_name, p.logo_url,
        coalesce((select json_agg(json_build_object('intent', r.intent, 'workflowId', r.workflow_id) order by r.n) from chatbot_route r where r.chatbot_id = b.id), '[]') as routes,
        b.is_active and may_run_agents(p.status, c.status, s.status) and has_feature(p.id, 'chatbot') as is_served
      from chatbot b join client c on c.id = b.client_id join partner p on p.id = b.partner_id left join subscription s on s.partner_id = b.partner_id where b.id = $1`,
    values: [chatbotId, DEFAULT_COLOUR],
  });
  return row;
}
