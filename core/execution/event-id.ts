import { mailHeader } from '../template/read/mail-header.ts';
import type { EventIdSource, Json, JsonObject } from '../template/types.ts';

/**
 * Event ids: a sender that repeats an event starts nothing twice. Rules: docs/behaviour/executions.md.
 */

/** `from` names the place, for the inbound log. A header names the whole body, also when that is a list. */
export type EventId = { from: string; id: string; isHeader: boolean };

/**
 * Headers in which senders name a delivery, the same one each time they repeat it: Standard Webhooks, Svix, Shopify, Twilio, GitHub, Atlassian,
 * Contentful, PandaDoc. `X-Request-Id` is none: it names an attempt.
 */
export const DELIVERY_HEADERS = [
  'webhook-id',
  'svix-id',
  'x-shopify-webhook-id',
  'i-twilio-idempotency-token',
  'x-github-delivery',
  'x-atlassian-webhook-identifier',
  'x-contentful-idempotency-key',
  'x-pandadoc-webhook-event-id',
] as const;

/**
 * Returns the id of an event: by what the agent says, else by the template, else by the header of a known sender. Undefined when none of them has
 * a value. `event` is null for a body that cannot be read.
 */
export function eventIdOf(
  sources: { agent: EventIdSource | null; template: EventIdSource | undefined },
  header: (name: string) => string | undefined,
  event: JsonObject | null,
): EventId | undefined {
  const known: EventIdSource[] = DELIVERY_HEADERS.map((name) => ({ header: name }));
  for (const source of [sources.agent, sources.template, ...known]) {
    if (!source) continue;
    const id = 'header' in source ? header(source.header.toLowerCase()) : event && valueIn(event, source.input);
    const found = id?.trim();
    const isHeader = 'header' in source;
    if (found) return { from: isHeader ? `the header ${source.header}` : `"${source.input}"`, id: found, isHeader };
  }
  return undefined;
}

/** A mail names its id `Message-Id` or `Message-ID`, and gateways pass it on as a field or among its headers. */
function valueIn(event: JsonObject, name: string): string | undefined {
  const folded = name.toLowerCase();
  const member = memberOf(event, name) ?? Object.entries(event).find(([key]) => key.toLowerCase() === folded)?.[1];
  return textOf(member) ?? mailHeader(event, folded) ?? undefined;
}

function memberOf(event: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(event, name)) return event[name];
  let value: Json | undefined = event;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
