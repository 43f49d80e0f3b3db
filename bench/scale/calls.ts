import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { FREE_PARAMS, type Kind, kindOf } from '@partner-portal/tests/harness/route-cases.ts';
import { z } from 'zod';
import type { Seats } from '@partner-portal/tests/harness/scale-rows.ts';

/** Who calls: a member of an agency of each size, a user of the huge agency's first client, and staff. */
export const CALLERS = ['small', 'large', 'huge', 'client', 'staff'] as const;
export type Caller = (typeof CALLERS)[number];
export const ROLE_OF: Record<Caller, Role> = { small: 'PARTNER', large: 'PARTNER', huge: 'PARTNER', client: 'CLIENT', staff: 'ADMIN' };

/** One record of each kind that the caller's paths and filters name; none for kinds of which there is none. */
export type KnownIds = Partial<Record<Kind, string>>;
/** `cursor`: follows the first page once. */
export type Call = { name: RouteName; caller: Caller; filter: string; path: string; hasCursor: boolean };

/** Routes that add up or count all rows of a range or of an agency: only the bound in milliseconds holds for them. */
export const SUMS: ReadonlySet<string> = new Set([
  'getMySummary',
  'getClientsActivity',
  'getMyClientSummary',
  'getUsage',
  'getWorkflowStats',
  'listFailureCauses',
  'getClientReport',
  'getRevenue',
  'listAiMargins',
  'getChatbotFigures',
  'getMyAutomation',
  'getAutomation',
  'getWorkQueue',
  'getStaffOverview',
  'countRequirements',
  'listRequirements',
  'listDeliveryDays',
  'previewDeletion',
]);

/** Returns every GET of the route table that answers with JSON, for each caller it is for, plain and with each declared filter. */
export function listCalls(seats: Seats, idsOf: (caller: Caller) => KnownIds, now: Date): Call[] {
  const calls: Call[] = [];
  for (const [name, route] of Object.entries(routes) as [RouteName, RouteShape][]) {
    const { access, format = 'json' } = route;
    if (route.method !== 'GET' || format !== 'json' || access.kind !== 'session') continue;
    for (const caller of CALLERS) {
      if (!access.roles.includes(ROLE_OF[caller])) continue;
      const ids = idsOf(caller);
      const path = pathOf(route, ids);
      const add = (filter: string, query: Record<string, string>, hasCursor = false): void => {
        const search = new URLSearchParams({ ...needed(name, ids), ...query }).toString();
        calls.push({ name, caller, filter, path: search === '' ? path : `${path}?${search}`, hasCursor });
      };
      add('', {});
      for (const [member, schema] of Object.entries(route.query?.shape ?? {})) {
        if (member === 'cursor') add('next page', { limit: '25' }, true);
        if (member === 'partnerId' && caller !== 'staff') continue;
        for (const value of valuesOf(route, member, schema as z.ZodType, ids, now)) {
          add(`${member}=${shorten(value, now)}`, { [member]: value });
          if (SUMS.has(name) && route.query?.shape['from'] !== undefined && member === 'groupBy')
            add(`${member}=${value} 365 d`, { [member]: value, from: daysBefore(now, 365) });
        }
      }
    }
  }
  return calls
    .filter(({ path }) => !path.includes(':'))
    .filter(({ caller, path }) => caller !== 'staff' || !path.includes(seats.housePartnerId));
}

/** Members without which a route refuses. */
function needed(name: RouteName, ids: KnownIds): Record<string, string> {
  if (name === 'previewDeletion') return { scope: 'client', clientId: ids.client ?? '' };
  if (name === 'searchKnowledge') return { q: 'parking', clientId: ids.client ?? '' };
  if (name === 'getChatbot' || name === 'listKnowledge' || name === 'getChatbotFigures')
    return ids.client === undefined ? {} : { clientId: ids.client };
  if (name === 'listPartnerOnboarding') return { ids: ids.partner ?? '' };
  return {};
}

function pathOf(route: RouteShape, ids: KnownIds): string {
  return route.path.replaceAll(/:(\w+)/g, (_, member: string) => {
    const kind = kindOf(route, member);
    return (kind === undefined || kind === 'free' ? FREE_PARAMS[member] : (ids[kind] ?? FREE_PARAMS['id'])) ?? member;
  });
}

const ENUM_MAX = 12;
const TEXTS: Record<string, string[]> = {
  q: ['client 7', 'zqzq'],
  cause: ['twilio_down', 'none_of_these'],
  actor: ['owner@huge.test', 'system'],
  targetType: ['agent'],
  templateName: ['lead-qualifier', 'none-of-these'],
  action: ['agent.updated', 'rollout.started'],
  kind: ['digest'],
};

/** Returns the values with which a filter is tried: each of a short list, texts that are found and not, and ranges of a week and a year. */
function valuesOf(route: RouteShape, member: string, schema: z.ZodType, ids: KnownIds, now: Date): string[] {
  if (member === 'cursor') return [];
  if (member === 'limit') return ['100'];
  const { enum: listed, format } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { enum?: string[]; format?: string };
  if (listed) return listed.length <= ENUM_MAX ? listed : (TEXTS[member] ?? []).filter((value) => listed.includes(value));
  if (format === 'date-time' || format === 'date') {
    const at = (days: number): string => (format === 'date' ? daysBefore(now, days).slice(0, 10) : daysBefore(now, days));
    return member === 'to' ? [at(330)] : [at(7), at(365)];
  }
  const kind = kindOf(route, member);
  if (kind !== undefined && kind !== 'free') return ids[kind] === undefined ? [] : [ids[kind]];
  if (member === 'targetId') return ids.workflow === undefined ? [] : [ids.workflow];
  if (member === 'month') return [daysBefore(now, 35).slice(0, 7)];
  if (member === 'months') return ['36'];
  return TEXTS[member] ?? [];
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString();
}

/** Ids and times differ from one walk to the next. */
function shorten(value: string, now: Date): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return `${Math.round((now.getTime() - Date.parse(value)) / 86_400_000)} d ago`;
  return value.length === 36 ? '…' : value;
}
