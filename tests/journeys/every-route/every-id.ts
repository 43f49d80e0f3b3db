import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { buildCall, bodyOf, type Ids, idsOf, KINDS } from '../../harness/route-cases.ts';
import {
  type RouteResponse,
  callRoute,
  type RouteCall,
  comparable,
  refusalOf,
  type CallerName,
  type Callers,
  createCallers,
} from '../../harness/callers.ts';
import { type System } from '../../harness/system.ts';
import type { Demo } from '../../harness/demo.ts';
import { fingerprint } from '../../harness/tenant-ids.ts';
import { isFull } from '../../harness/full.ts';

// No id that one partner can see reveals anything to another, in whichever parameter it is sent: every answer to it is the
// answer to an id of nothing. Both the ids and the places are found, not listed.

/** Ids of each kind that an admin tries. */
const IDS_PER_KIND = isFull ? 2 : 1;
/**
 * Without a full run, each place is tried by one of the strangers with ids of this many kinds; the next place by the next stranger with the next kinds.
 * That no place takes a foreign id of its own kind is walked for each stranger by tenant-isolation.ts.
 */
const KINDS_PER_PLACE = 2;
const AT_ONCE = 8;
/** The strangers: all callers of another agency. */
const STRANGERS = ['owner', 'moderator', 'rivalClientUser'] as const satisfies CallerName[];
const ID = /\bevt_[0-9A-Z]{26}\b|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;
/** Records and responses that are the same for every caller: plans, rates and example events. */
const SHARED = ['plan', 'ai_rate'];
const EXAMPLES = ['listEventTypes'];

type Found = { id: string; table: string };
/** One member of a route that an id can be put into. */
type Place = { name: RouteName; part: 'params' | 'query' | 'body'; member: string };

const routeOf = (name: RouteName): RouteShape => routes[name];
/** The audit log first: later it shows each partner its own attempts. */
const NAMES = (Object.keys(routes) as RouteName[]) // the keys of the table itself
  .filter((name) => routeOf(name).access.kind === 'session')
  .toSorted((a, b) => Number(routeOf(b).tag === 'audit-log') - Number(routeOf(a).tag === 'audit-log'));

let system: System;
let workspace: Workspace;
let strangers: Callers;
let own: Ids;
let found: Found[];
let untouched: string;

const authorization = (caller: CallerName): string => `Bearer ${strangers[caller].token()}`;

/** Creates records of the other agency, so that a foreign id is also tried together with valid ids. */
async function ownIds(partnerId: string, clientId: string): Promise<Ids> {
  const created = await callRoute(system, 'createWebhook', {
    body: { url: 'https://93.184.216.34/in' },
    authorization: authorization('owner'),
  });
  assert.equal(created.status, 201, created.text);
  const [user] = await system.query<{ id: string }>('select id from app_user where client_id = $1 limit 1', [clientId]);
  const [workflow] = await system.query<{ id: string }>(
    `insert into workflow (partner_id, client_id, template_name, name) values ($1, $2, 'lead-qualifier', 'Of the rival') returning id`,
    [partnerId, clientId],
  );
  return {
    ...(Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids), // one id per kind
    partner: partnerId,
    client: clientId,
    user: user?.id ?? '',
    workflow: workflow?.id ?? '',
    endpoint: (JSON.parse(created.text) as { id: string }).id, // the contract's record
  };
}

/** Every id in every answer that this person can read. */
async function collectSeen(caller: CallerName, ids: Ids, bearer: (caller: CallerName) => string): Promise<string[]> {
  const claims = strangers[caller].claims;
  const readable = NAMES.filter(
    (name) => routeOf(name).method === 'GET' && !EXAMPLES.includes(name) && refusalOf(routeOf(name), claims) === undefined,
  );
  const answers = await together(readable, (name) => callRoute(system, name, { ...buildCall(name, ids), authorization: bearer(caller) }));
  return answers.filter((answer) => answer.status === 200).flatMap((answer) => answer.text.match(ID) ?? []);
}

/** What each id is, by the tables that have a row of that name (a run and its booking share one), and a few of each kind. */
async function sortIds(seen: readonly string[], shown: ReadonlySet<string>): Promise<Found[]> {
  const tables = await system.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const uuids = [...new Set(seen)].filter((id) => !id.startsWith('evt_'));
  const keys = tables.map(({ name }) => `select '${name}' as "table", id::text as id from ${name} where id = any($1::uuid[])`);
  const text = `select id, string_agg("table", ' and ' order by "table") as "table" from (${keys.join(' union all ')}) k group by id`;
  const known = new Map((await system.query<{ id: string; table: string }>(text, [uuids])).map(({ id, table }) => [id, table]));
  const kept = new Map<string, Found[]>();
  for (const id of new Set(seen)) {
    const table = id.startsWith('evt_') ? 'event' : (known.get(id) ?? 'no table');
    if (SHARED.includes(table)) continue;
    assert.ok(!shown.has(id), `${table} ${id} is shown to both`);
    const row = kept.get(table) ?? [];
    kept.set(table, row);
    if (row.length < IDS_PER_KIND) row.push({ id, table });
  }
  return [...kept.values()].flat();
}

async function together<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const turn = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return results;
}

/** Every member of a route that is called like an id, and those that look for any text. */
function placesOf(name: RouteName): Place[] {
  const route = routeOf(name);
  // A tax id is a text of the agency's own.
  const takesId = (member: string): boolean => /^(id|actor|q)$|Ids?$/.test(member) && member !== 'taxId';
  const place =
    (part: Place['part']) =>
    (member: string): Place => ({ name, part, member });
  const body = Object.keys({ ...bodyOf(name, route), ...shapeOf(route.body) });
  return [
    ...Object.keys(idsOf(name, route).params).map(place('params')),
    ...Object.keys(route.query?.shape ?? {})
      .filter(takesId)
      .map(place('query')),
    ...body.filter(takesId).map(place('body')),
  ];
}

/** The members of a body that is one object. */
function shapeOf(body: unknown): object {
  return typeof body === 'object' && body !== null && 'shape' in body && typeof body.shape === 'object' ? (body.shape ?? {}) : {};
}

/** A call with the stranger's own ids everywhere but in this place. */
function put(id: string, { name, part, member }: Place): RouteCall {
  const call = buildCall(name, own);
  const value = member.endsWith('Ids') ? [id] : id;
  const { clientId: _one, ...others } = call.body ?? {};
  const body = member === 'clientIds' ? others : call.body;
  if (part === 'body') return { ...call, body: { ...body, [member]: value } };
  return { ...call, [part]: { ...call[part], [member]: id } };
}

/** Removes the requested id from the response: some repeat it. */
const withoutId = (answer: RouteResponse, id: string): string => comparable(answer).replaceAll(id, 'ID');

async function toldOfNothing(call: (id: string) => Promise<RouteResponse>, id: string): Promise<string> {
  const answer = await call(id);
  assert.ok(answer.status !== 429 && answer.status < 500, answer.text);
  return withoutId(answer, id);
}

/** Returns `count` of them, the next ones in the next turn; all in a full run. */
function inTurn<T>(items: readonly T[], count: number, turn: number): T[] {
  if (isFull || items.length <= count) return [...items];
  return Array.from({ length: count }, (_, n) => items[(turn * count + n) % items.length]).filter((item) => item !== undefined);
}

export function testEveryId(open: () => Promise<Demo>): void {
  before(async () => {
    const { facts, callers, ids: theirs, ...demo } = await open();
    ({ system, workspace } = demo);
    const { rivalOwner } = facts;
    strangers = await createCallers(
      system,
      { ...facts, owner: rivalOwner, moderator: { ...rivalOwner, partnerRole: 'moderator' } },
      'strangers.example',
      80,
    );
    const bearer = (caller: CallerName): string => `Bearer ${callers[caller].token()}`;
    own = await ownIds(rivalOwner.partnerId, facts.rivalClientUser.clientId ?? '');
    const people = ['owner', 'moderator', 'clientUser'] as const;
    const seen = (await Promise.all(people.map((caller) => collectSeen(caller, theirs, bearer)))).flat();
    const shown = new Set(await collectSeen('owner', own, () => authorization('owner')));
    found = await sortIds([...seen, ...Object.values(theirs)], shown);
    untouched = await fingerprint(system, workspace.partnerId);
  });

  describe('the ids that an agency can see', () => {
    it('are many: of every kind of thing it has', () => {
      const tables = found.flatMap(({ table }) => table.split(' and '));
      for (const table of [
        'client',
        'app_user',
        'workflow',
        'execution',
        'invitation',
        'agent_request',
        'webhook_endpoint',
        'delivery',
        'event',
        'alert',
        'notification',
        'usage_entry',
        'audit_entry',
      ])
        assert.ok(tables.includes(table), `${table} is not among ${tables.join(', ')}`);
    });
  });

  describe('an id that another agency can see', () => {
    for (const name of NAMES) {
      const places = placesOf(name);
      if (places.length === 0) continue;
      it(`reveals nothing to a stranger through ${name} (${places.map(({ member }) => member).join(', ')})`, async () => {
        const allowed = STRANGERS.filter((one) => refusalOf(routeOf(name), strangers[one].claims) === undefined);
        for (const [order, place] of places.entries()) {
          const turn = NAMES.indexOf(name) + order;
          const tried = inTurn(found, KINDS_PER_PLACE, turn);
          for (const caller of inTurn(allowed, 1, turn)) {
            const call = (id: string): Promise<RouteResponse> =>
              callRoute(system, name, { ...put(id, place), authorization: authorization(caller) });
            const isEvent = ({ id }: Found): boolean => id.startsWith('evt_');
            const none = tried.every(isEvent) ? '' : await toldOfNothing(call, randomUUID());
            const noEvent = tried.some(isEvent) ? await toldOfNothing(call, eventIdText(randomUUID())) : '';
            await together(tried, async (one) => {
              assert.equal(
                withoutId(await call(one.id), one.id),
                isEvent(one) ? noEvent : none,
                `${name} ${place.part}.${place.member} as ${caller} with the id of a ${one.table}`,
              );
            });
          }
        }
      });
    }

    it('and changes nothing of it by all these attempts', async () => {
      assert.equal(await fingerprint(system, workspace.partnerId), untouched);
    });
  });
}
