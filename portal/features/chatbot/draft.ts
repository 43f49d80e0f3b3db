import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { Chatbot } from '../../queries/chatbot.ts';
import type { Client } from '../../queries/clients.ts';

export type AgentRoute = Chatbot['agentRoutes'][number];

/** The settings as the form holds them. */
export type Draft = {
  name: string;
  greeting: string;
  persona: string;
  /** Empty: the colour of the agency. */
  brandColor: string;
  privacyUrl: string;
  /** Provider and model, which are chosen together. */
  model: string;
  knowledgeText: string;
  agentRoutes: readonly AgentRoute[];
  handoffEmail: string;
  handoffPhrases: readonly string[];
  handoffWhenUnsure: boolean;
  reminderMinutes: string;
  allowedOrigins: readonly string[];
};

/** One value for provider and model, as a select field needs. */
export function modelKey({ provider, model }: { provider: string; model: string }): string {
  return `${provider}/${model}`;
}

/** The provider and model of such a value. */
export function modelOf(key: string): { provider: AiProvider; model: string } {
  const at = key.indexOf('/');
  return { provider: key.slice(0, at) === 'anthropic' ? 'anthropic' : 'openai', model: key.slice(at + 1) };
}

/** Names what the form holds: a member of the record that the body does not know would be refused. */
export function draftOf(chatbot: Chatbot): Draft {
  return {
    name: chatbot.name,
    greeting: chatbot.greeting,
    persona: chatbot.persona,
    brandColor: chatbot.brandColor ?? '',
    privacyUrl: chatbot.privacyUrl,
    model: modelKey(chatbot),
    knowledgeText: chatbot.knowledgeText,
    agentRoutes: chatbot.agentRoutes.map(({ intent, workflowId }) => ({ intent, workflowId })),
    handoffEmail: chatbot.handoffEmail,
    handoffPhrases: chatbot.handoffPhrases,
    handoffWhenUnsure: chatbot.handoffWhenUnsure,
    reminderMinutes: String(chatbot.reminderMinutes),
    allowedOrigins: chatbot.allowedOrigins,
  };
}

/** The body that saves the draft. */
export function bodyOf({ model, brandColor, reminderMinutes, agentRoutes, handoffPhrases, allowedOrigins, ...plain }: Draft) {
  return {
    ...plain,
    ...modelOf(model),
    brandColor: brandColor.trim() || null,
    reminderMinutes: Number(reminderMinutes),
    agentRoutes: [...agentRoutes],
    handoffPhrases: [...handoffPhrases],
    allowedOrigins: [...allowedOrigins],
  };
}

/** Routes that a preview can use: those with an intent and an agent. */
export function completeRoutes(routes: readonly AgentRoute[]): AgentRoute[] {
  return routes.filter(({ intent, workflowId }) => intent.trim() !== '' && workflowId !== '');
}

type Profile = Client['businessProfile'];

/** What the profile of a client holds to answer from, in words. */
export function profileParts({
  businessProfile: profile,
  phone,
  website,
  contactEmail,
}: Pick<Client, 'businessProfile' | 'phone' | 'website' | 'contactEmail'>): string[] {
  const parts = {
    'opening hours': profile.hours,
    address: profile.address,
    'contact details': phone ?? website ?? contactEmail,
    'booking link': profile.bookingUrl,
    'review link': profile.reviewUrl,
    'questions and answers': profile.faqText,
  };
  return Object.entries(parts).flatMap(([name, text]) => (text ? [name] : []));
}

/** Whether the profile of a client holds more than how to reach the business. */
export function answersQuestions({ businessProfile: { hours, address, faqText } }: Pick<Client, 'businessProfile'>): boolean {
  return [hours, address, faqText].some(Boolean);
}

/** Questions to begin a test with: two that the business profile answers, where it has questions, otherwise one that it can, and one for a person. */
export function starters({ faqText, hours }: Pick<Profile, 'faqText' | 'hours'>): string[] {
  const own = faqText
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[#*•-]+|(?:q|question)\s*:)\s*/i, '').trim())
    .filter((line) => line.endsWith('?') && line.length <= 60);
  const first = own.length > 0 ? own.slice(0, 2) : [hours ? 'When are you open?' : 'How can I reach you?'];
  return [...new Set([...first, 'Can I talk to a person?'])];
}

/** Why the draft cannot be sent, by field. */
export function checkDraft({ agentRoutes }: Draft): { agentRoutes?: string } {
  return completeRoutes(agentRoutes).length === agentRoutes.length
    ? {}
    : { agentRoutes: 'Each line needs what the visitor wants and an agent. Remove the lines you do not need.' };
}

/** The list with the item at `from` moved by one place. */
export function moved<Item>(items: readonly Item[], from: number, step: -1 | 1): Item[] {
  const next = [...items];
  const to = from + step;
  const item = next[from];
  if (item === undefined || to < 0 || to >= next.length) return next;
  next.splice(from, 1);
  next.splice(to, 0, item);
  return next;
}

const HOST = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?$/;

/** Adds the addresses in a text to the list of origins: paths are dropped, `https` is the scheme of one without. */
export function withOrigins(origins: readonly string[], text: string): { items: string[]; bad: string | undefined } {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  const found = words.map((word) => ({ word, origin: originOf(word) }));
  const good = found.flatMap(({ origin }) => (origin ? [origin] : []));
  return { items: [...new Set([...origins, ...good])].slice(0, 20), bad: found.find(({ origin }) => !origin)?.word };
}

function originOf(word: string): string | undefined {
  const text = word.toLowerCase();
  const scheme = /^(https?):\/\//.exec(text)?.[1];
  const typed = (scheme ? text.slice(scheme.length + 3) : text).split(/[/?#]/)[0] ?? '';
  // Letters beyond a to z as browsers write them in an origin.
  const host = /[^ -~]/.test(typed) && URL.canParse(`http://${typed}`) ? new URL(`http://${typed}`).host : typed;
  const isLocal = host === 'localhost' || host.startsWith('localhost:');
  if (!HOST.test(host) || (!scheme && !host.includes('.') && !isLocal)) return undefined;
  const origin = `${scheme ?? (isLocal ? 'http' : 'https')}://${host}`;
  // Ports above 65535 and numbers that are no IPv4 address.
  return URL.canParse(origin) ? origin : undefined;
}

/** Adds a phrase to the list, unless it is there. */
export function withPhrases(phrases: readonly string[], text: string): { items: string[]; bad: string | undefined } {
  const words = text
    .split(/[\n,;]+/)
    .map((word) => word.trim().slice(0, 100))
    .filter(Boolean);
  const known = new Set(phrases.map((phrase) => phrase.toLowerCase()));
  return { items: [...phrases, ...words.filter((word) => !known.has(word.toLowerCase()))].slice(0, 50), bad: undefined };
}

export type Lack = 'key' | 'knowledge' | 'site';

/** What a chatbot lacks before it can answer visitors of a website. */
export function lacksOf(
  chatbot: Pick<Chatbot, 'provider' | 'allowedOrigins'>,
  models: readonly { provider: string }[] | undefined,
  knowledge: readonly { passages: number }[] | undefined,
): Lack[] {
  const hasKey = models === undefined || models.some(({ provider }) => provider === chatbot.provider);
  const hasKnowledge = knowledge === undefined || knowledge.some(({ passages }) => passages > 0);
  return [
    ...(hasKey ? [] : (['key'] as const)),
    ...(hasKnowledge ? [] : (['knowledge'] as const)),
    ...(chatbot.allowedOrigins.length > 0 ? [] : (['site'] as const)),
  ];
}
