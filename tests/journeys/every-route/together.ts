import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isFollowedTogether, isReadTogether, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { addSuspended, type CallerName, type Callers, callRoute, createCallers, type RouteCall } from '../../harness/callers.ts';
import type { Demo } from '../../harness/demo.ts';
import { isFull } from '../../harness/full.ts';
import { openStream } from '../../harness/event-stream.ts';
import { buildCall, type Ids, OF_A_CLIENT } from '../../harness/route-cases.ts';
import type { System } from '../../harness/system.ts';

// /reads and /streams return the same as the route alone, for each kind of person. The test finds the routes in the route table.

const routeOf = (name: RouteName): RouteShape => routes[name];
const GETS = (Object.keys(routes) as RouteName[]).filter((name) => routeOf(name).method === 'GET'); // the keys of the table itself
const READ = GETS.filter((name) => isReadTogether(routeOf(name)));
const FOLLOWED = GETS.filter((name) => isFollowedTogether(routeOf(name)));
const PEOPLE = [
  'staff',
  'owner',
  'moderator',
  'clientUser',
  'rivalOwner',
  'viewOfPartner',
  'viewOfClient',
  'suspendedOwner',
  'suspendedClientUser',
] as const;
/** No account is being removed. */
const WITHOUT_REPLY: RouteName[] = ['getPurge'];
/** Number of route streams in one call; the remaining stream is for an unknown route. */
const STREAMS = LIMITS.streamsTogetherMax - 1;
const OF_REQUEST: ReadonlySet<string> = new Set(['requestId', 'responseMs']);
type PersonName = (typeof PEOPLE)[number];
/** Who reads the routes of a role. */
const READERS = [
  ['staff', 'ADMIN'],
  ['owner', 'PARTNER'],
  ['clientUser', 'CLIENT'],
] as const;
type Answer = { status: number; body: unknown };

let system: System;
let ids: Ids;
let bearers: Record<PersonName, string>;
/** Routes of which someone got a reply. */
const replied = new Set<RouteName>();

const callOf = (name: RouteName): RouteCall => buildCall(name, ids, OF_A_CLIENT.includes(name) ? 'clientId' : undefined);

function readersOf(name: RouteName): PersonName[] {
  const { access } = routeOf(name);
  return READERS.filter(([, role]) => access.kind === 'session' && access.roles.includes(role)).map(([person]) => person);
}

/**
 * The reads that this person tries: each is tried by one of those who may, the next by the next, and by one other; all in a full run. The response of
 * a route depends on its declaration and its handler, which /reads calls as the route does.
 */
function readsOf(person: PersonName): RouteName[] {
  return READ.filter((name, turn) => {
    const readers = readersOf(name);
    return isFull || readers[turn % readers.length] === person || PEOPLE[turn % PEOPLE.length] === person;
  });
}

/** The streams that this person tries: each third, the next ones for the next person; all in a full run. */
function followedBy(person: PersonName): RouteName[] {
  return FOLLOWED.filter((_name, turn) => isFull || (turn + PEOPLE.indexOf(person)) % 3 === 0);
}

/** Path and query of a call with good values. */
function addressOf(name: RouteName): string {
  const { params, query } = callOf(name);
  const path = routeOf(name).path.replace(/:([A-Za-z]+)/g, (_, member: string) => encodeURIComponent(params?.[member] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search ? `${path}?${search}` : path;
}

async function readAlone(name: RouteName, person: PersonName): Promise<Answer> {
  const { status, text } = await callRoute(system, name, { ...callOf(name), authorization: bearers[person] });
  return { status, body: JSON.parse(text) };
}

/** Returns the response of each read, in their order. */
async function readTogether(reads: readonly string[], person: PersonName): Promise<Answer[]> {
  const { status, text } = await callRoute(system, 'readTogether', { body: { reads }, authorization: bearers[person] });
  assert.equal(status, 200, text);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer & { read: number }); // by the contract
  const ordered = lines.toSorted((a, b) => a.read - b.read);
  assert.deepEqual(
    ordered.map(({ read }) => read),
    [...reads.keys()],
  );
  return ordered.map(({ status: one, body }) => ({ status: one, body }));
}

/** Names in parts that one call takes. */
function divide<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, part) => all.slice(part * most, (part + 1) * most));
}

/** Every value by its place, without the id of the request and what the service measures for it. */
function leavesOf(value: unknown, place = '', found: Map<string, unknown> = new Map()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) found.set(place, value);
  else for (const [member, one] of Object.entries(value)) if (!OF_REQUEST.has(member)) leavesOf(one, `${place}/${member}`, found);
  return found;
}

/** The places where two answers differ. */
function differences(one: Answer, other: Answer): Set<string> {
  const [a, b] = [leavesOf(one), leavesOf(other)];
  const places = [...new Set([...a.keys(), ...b.keys()])];
  return new Set(places.filter((place) => JSON.stringify(a.get(place)) !== JSON.stringify(b.get(place))));
}

/** The codes with which `/streams` refuses this person `count` of the routes, and a path of none. */
async function refusedTogether(names: readonly RouteName[], person: PersonName, count: number): Promise<Record<string, string>> {
  const body = { follow: [...names.map(addressOf), '/nowhere'].map((path) => ({ path })) };
  const stream = await openStream(`${system.baseUrl}/streams`, { authorization: bearers[person] }, body);
  const isRefusal = ({ event }: { event: string }): boolean => event === 'refused';
  const events = await stream.until((all) => all.filter(isRefusal).length > count);
  stream.close();
  return Object.fromEntries(events.filter(isRefusal).map(({ id, data }) => [names[Number.parseInt(id, 10)] ?? 'none', data.code]));
}

async function viewBy(callers: Callers, by: CallerName, whom: object): Promise<string> {
  const { text } = await callRoute(system, 'viewAs', {
    body: { ...whom, reason: 'A test' },
    authorization: `Bearer ${callers[by].token()}`,
  });
  return `Bearer ${(JSON.parse(text) as { accessToken: string }).accessToken}`; // the contract's answer
}

export function testTogether(open: () => Promise<Demo>): void {
  before(async () => {
    const { facts, workspace, ...demo } = await open();
    ({ system, ids } = demo);
    const callers = await createCallers(system, facts, 'together.example', 1);
    const shut = await createCallers(system, await addSuspended(system, facts, 'together'), 'shut-together.example', 1);
    const bearer = (from: Callers, name: CallerName): string => `Bearer ${from[name].token()}`;
    bearers = {
      staff: bearer(callers, 'staff'),
      owner: bearer(callers, 'owner'),
      moderator: bearer(callers, 'moderator'),
      clientUser: bearer(callers, 'clientUser'),
      rivalOwner: bearer(callers, 'rivalOwner'),
      viewOfPartner: await viewBy(callers, 'staff', { partnerId: workspace.partnerId }),
      viewOfClient: await viewBy(callers, 'owner', { clientId: workspace.oakStreetId }),
      suspendedOwner: bearer(shut, 'owner'),
      suspendedClientUser: bearer(shut, 'clientUser'),
    };
  });

  describe('several reads of one request', () => {
    for (const person of PEOPLE) {
      it(`give ${person} what each route alone gives`, async () => {
        for (const names of divide(readsOf(person), LIMITS.readsTogetherMax)) {
          const alone = await Promise.all(names.map((name) => readAlone(name, person)));
          const together = await readTogether(names.map(addressOf), person);
          for (const [at, name] of names.entries()) {
            const [own, shared] = [alone[at], together[at]];
            assert.ok(own && shared, name);
            assert.equal(shared.status, own.status, `${name} as ${person}`);
            if (own.status === 200) replied.add(name);
            const different = differences(own, shared);
            if (different.size === 0) continue;
            // Members that differ between two calls of the route itself depend on the time.
            const changing = differences(own, await readAlone(name, person));
            assert.deepEqual([...different.difference(changing)], [], `${name} as ${person}`);
          }
        }
      });
    }

    it('have someone who gets a reply, each', async () => {
      for (const name of READ.filter((one) => !replied.has(one)))
        for (const person of readersOf(name)) {
          const [answer] = await readTogether([addressOf(name)], person);
          if (answer?.status === 200) replied.add(name);
        }
      assert.deepEqual(
        READ.filter((name) => !replied.has(name)),
        WITHOUT_REPLY,
      );
    });

    it('are none of another route', async () => {
      const others = GETS.filter((name) => !READ.includes(name));
      for (const person of ['staff', 'owner'] as const) {
        for (const names of divide(others, LIMITS.readsTogetherMax)) {
          const answers = await readTogether(names.map(addressOf), person);
          for (const [at, name] of names.entries()) assert.equal(answers[at]?.status, 404, name);
        }
      }
    });
  });

  describe('several streams of one request', () => {
    for (const person of PEOPLE) {
      it(`are refused to ${person} as each alone is, and no other`, async () => {
        for (const names of divide(followedBy(person), STREAMS)) {
          const alone: Record<string, string> = {};
          for (const name of names) {
            const { problem } = await callRoute(system, name, { ...callOf(name), authorization: bearers[person] });
            if (problem) alone[name] = problem.code;
          }
          const together = await refusedTogether(names, person, Object.keys(alone).length);
          assert.deepEqual(together, { ...alone, none: 'not_found' });
        }
      });
    }
  });
}
