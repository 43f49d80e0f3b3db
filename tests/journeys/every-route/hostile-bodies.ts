import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { bodyLimitOf, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { callRoute, type Callers, createCallers, type RouteCall, type RouteResponse } from '../../harness/callers.ts';
import type { Demo } from '../../harness/demo.ts';
import { isFull } from '../../harness/full.ts';
import { readGauges } from '../../harness/held.ts';
import { properCall } from '../../harness/proper-call.ts';
import { type Ids, KINDS } from '../../harness/route-cases.ts';
import { until, untilNothingHeld } from '../../harness/system.ts';
import { whenClosed } from '../../harness/when-closed.ts';
import {
  askHealth,
  BODY_ROUTES,
  ENDINGS,
  type Ending,
  halfRequest,
  type HostileRequest,
  inParallel,
  sendHostile,
} from './hostile-sender.ts';

// Bodies that never arrive as they should, on every route that reads one, by callers with and without a proof. Generated from the route table.

/** What the walk may hold the event loop for: a request of anyone else waits for it no longer. */
const HOLD_SECONDS = 0.05;
/** Routes walked at once. */
const AT_ONCE = 8;
/** Answers that do not depend on who sends, and none of a fault. 503: there is no room for a body. */
const isNoFault = (status: number): boolean => status < 500 || status === 503;

let demo: Demo;
/** Not those of the other walks: some of these calls are carried out, and log their caller out. */
let callers: Callers;
let ids: Ids;

let lastAddress = 0;
/** Another network for each request, as from a crowd; those of callRoute begin with 10. */
const nextAddress = (): string => `11.${(++lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
const proper = (name: RouteName): RouteCall => properCall(name, demo.system, callers, ids);
/** The same call by someone who has no proof of anything. */
function unproven(name: RouteName): RouteCall {
  const { authorization: _session, headers: _proof, ...call } = proper(name);
  const { kind } = (routes[name] as RouteShape).access;
  return kind === 'ingest' ? { ...call, query: { token: '0'.repeat(64) } } : call;
}
/** One piece of code receives the bodies of all routes with the same kind of proof, limit and format. */
const receiving = (name: RouteName): string => {
  const route: RouteShape = routes[name];
  return [route.access.kind, bodyLimitOf(route), route.format, route.upload !== undefined].join(' ');
};
/**
 * The bodies that a route gets: of each ending with and without a proof, where it is the first that receives them so, and in a full run; else of one
 * ending with a proof and of another without, the next ones at the next route.
 */
function requestsOf(name: RouteName, turn: number): [HostileRequest, readonly Ending[]][] {
  const isWhole = isFull || BODY_ROUTES.find((one) => receiving(one) === receiving(name)) === name;
  return [proper(name), unproven(name)].map((call, nth) => {
    const at = (turn + 3 * nth) % ENDINGS.length;
    return [{ name, call, address: nextAddress() }, isWhole ? ENDINGS : ENDINGS.slice(at, at + 1)];
  });
}

/** For how long the event loop was held in all but one of a hundred turns since the last reading, in seconds; and both in words. */
async function readLoop(): Promise<{ held: number; words: string }> {
  const gauges = Object.entries(
    await readGauges(demo.system.metricsPort, ['portal_event_loop_hold_seconds', 'portal_event_loop_delay_seconds']),
  );
  const wordsOf = (name: string): string =>
    gauges
      .filter(([one]) => one.startsWith(name))
      .map(([one, seconds]) => `${/"(.*)"/.exec(one)?.[1]}: ${Math.round(seconds * 1_000)} ms`)
      .join(', ');
  const [, held] = gauges.find(([name]) => name === 'portal_event_loop_hold_seconds{quantile="0.99"}') ?? [];
  assert.ok(held !== undefined && held > 0);
  return { held, words: `processor time of a turn ${wordsOf('portal_event_loop_hold')}; waited ${wordsOf('portal_event_loop_delay')}` };
}

/** Sends bodies to every route, and each ending to each way of receiving. Those that the server has to cut wait meanwhile. */
async function walk(): Promise<void> {
  const waiting: Promise<void>[] = [];
  const requests = BODY_ROUTES.flatMap((name, turn) => requestsOf(name, turn));
  await inParallel(requests, AT_ONCE, async ([request, endings]) => {
    for (const ending of endings) {
      const { sent, statuses } = sendHostile(demo.system.port, request, ending);
      const checked = statuses.then((all) => check(request, ending, all));
      if (ending !== 'stalled' && ending !== 'dripping') await checked;
      else waiting.push(checked);
      await sent;
    }
  });
  await Promise.all(waiting);
}

function check(request: HostileRequest, ending: Ending, statuses: readonly number[]): void {
  assert.ok(statuses.every(isNoFault), `${ending} ${request.name}: ${statuses.join(' ')}`);
  if (ending !== 'aborted' && ending !== 'halfClosed' && ending !== 'huge')
    assert.ok(statuses.length > 0, `${ending} ${request.name} was not answered`);
}

export function testHostileBodies(open: () => Promise<Demo>): void {
  before(async () => {
    demo = await open();
    callers = await createCallers(demo.system, demo.facts, 'hostile.example');
    // No one's: nothing is changed by a call that is carried out.
    ids = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind
  });

  describe('bodies that never arrive as they should', () => {
    it('cost nothing afterwards on any route, and hold no one up meanwhile', async (context) => {
      const { system } = demo;
      // Whole bodies run all code once, and are what the hostile ones are compared with.
      const honest = (proof: (name: RouteName, turn: number) => RouteCall): Promise<void> =>
        inParallel([...BODY_ROUTES.entries()], AT_ONCE, async ([turn, name]) => {
          const answer = await callRoute(system, name, { ...proof(name, turn), rawBody: `{"pad":"${'x'.repeat(12_000)}"}` });
          assert.ok(isNoFault(answer.status), `${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
        });
      await honest((name) => proper(name));
      await readLoop();
      await honest((name, turn) => (turn % 2 === 0 ? proper(name) : unproven(name)));
      const baseline = await readLoop();
      const stop = new AbortController();
      const asked = askHealth(system.baseUrl, stop.signal);
      await walk();
      const loop = await readLoop();
      stop.abort();
      assert.ok((await asked) > 0);
      context.diagnostic(`honest: ${baseline.words}`);
      context.diagnostic(`hostile: ${loop.words}`);
      // Processor time, because other processes of the machine make anyone wait; not the longest turn, in which a job of each minute may fall.
      // Each ending is a sixth of what is sent: one that holds the loop shows among a hundred turns.
      assert.ok(
        loop.held <= Math.max(HOLD_SECONDS, baseline.held),
        `the event loop was held for ${loop.held} s, and by honest bodies for ${baseline.held} s`,
      );
      await untilNothingHeld(system.metricsPort);
    });
  });

  describe('all bodies that callers without a proof may have in flight', () => {
    const sockets: Socket[] = [];
    /** Stalls bodies from some addresses until the process takes no more of them. */
    async function stall(name: RouteName, call: RouteCall, bytes: number, count: number): Promise<void> {
      for (let at = 0; at < count; at += 1) {
        const socket = connect(demo.system.port, '127.0.0.1');
        socket.on('error', () => undefined).resume();
        sockets.push(socket);
        await once(socket, 'connect');
        socket.write(halfRequest({ name, call, address: `192.0.2.${at % 8}` }, bytes + 1, bytes));
      }
    }
    const allClosed = async (some: readonly Socket[]): Promise<void> => {
      for (const socket of some) await whenClosed(socket);
    };
    const held = async (kind: string): Promise<number> =>
      Object.values(await readGauges(demo.system.metricsPort, [`portal_held_body_bytes_${kind}`]))[0] ?? 0;
    const large = (name: RouteName, call: RouteCall, start = '"pad":'): Promise<RouteResponse> =>
      callRoute(demo.system, name, { ...call, rawBody: `{${start}"${'x'.repeat(100_000)}"}` });

    /** What the page says that follows a large response of a provider: that route answers a person. */
    const problemAtAcs = async (): Promise<string> => {
      const { status, headers } = await fetch(`${demo.system.baseUrl}/sso/unknown/acs`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.255.255.1' },
        body: `{"pad":"${'x'.repeat(100_000)}"}`,
      });
      assert.equal(status, 302);
      return new URL(headers.get('location') ?? '').searchParams.get('problem') ?? '';
    };

    it('leave room for callers with a session, for events and for reports; and are all given back', async () => {
      // The walk logged its caller out everywhere: tokens are of whole seconds, and those of that second ended with it.
      const isLoggedIn = async (): Promise<boolean> =>
        (await callRoute(demo.system, 'getMyPartner', proper('getMyPartner'))).status === 200;
      await until('a token of the next second is valid', isLoggedIn);
      const bytes = 40_000;
      await stall('ssoAssertion', proper('ssoAssertion'), bytes, 240);
      await until('no body without a proof has room', async () => (await held('anonymous')) > 8 * LIMITS.bodyBytesMax - 100_000);
      // None of these is held by a caller without a proof.
      await stall('reportExecution', unproven('reportExecution'), bytes, 8);
      await stall('ingestEvent', unproven('ingestEvent'), bytes, 8);
      assert.match(await problemAtAcs(), /^(rate_limited|service_unavailable)$/);
      assert.equal(
        (await large('updateMyPartner', proper('updateMyPartner'), '"name":')).status,
        422,
        'read, and refused for what it says',
      );
      const executionId = '00000000-0000-4000-8000-000000000000';
      const report = await large(
        'reportExecution',
        proper('reportExecution'),
        `"executionId":"${executionId}","workflowId":"${executionId}","status":"SUCCEEDED","output":`,
      );
      assert.equal(report.status, 404, report.text);
      ids = { ...ids, workflow: demo.workspace.workflowIds['missed-call-text-back'] ?? '' };
      const event = await large('ingestEvent', proper('ingestEvent'));
      assert.deepEqual([event.status, event.problem?.code], [422, 'missing_input'], event.text);
      assert.ok((await held('tenant')) === 0);
      // Cut by the server: no sender goes away by itself.
      await allClosed(sockets);
      await untilNothingHeld(demo.system.metricsPort);
      assert.equal(await problemAtAcs(), 'answer_not_readable', 'the body is read again');
    });

    it('of one client user leave room for the rest of its agency', async () => {
      const bytes = 1_000_000;
      const user = callers.clientUser.token();
      const stalling = { authorization: `Bearer ${user}` };
      const before = sockets.length;
      for (let at = 0; at < 17; at += 1) await stall('updateMyClient', stalling, bytes, 1);
      await until('the user has no more room', async () => (await held('tenant')) > 11 * LIMITS.bodyBytesMax - bytes);
      const own = await callRoute(demo.system, 'updateMyClient', { ...stalling, rawBody: `{"contactName":"${'x'.repeat(900_000)}"}` });
      assert.equal(own.status, 429, own.text);
      assert.equal((await large('updateMyPartner', proper('updateMyPartner'), '"name":')).status, 422);
      await allClosed(sockets.slice(before));
      await untilNothingHeld(demo.system.metricsPort);
      const after = await callRoute(demo.system, 'updateMyClient', { ...stalling, rawBody: `{"contactName":"${'x'.repeat(900_000)}"}` });
      assert.equal(after.status, 422, after.text);
    });
  });

  describe('a NUL in an address', () => {
    it('is refused in every path and every query, and is no fault', async () => {
      const faults: string[] = [];
      // One piece of code reads all addresses: a member of each, the next one at the next route.
      const inTurn = (members: readonly string[], turn: number): readonly string[] =>
        isFull ? members : members.slice(turn % members.length).slice(0, 1);
      await inParallel([...(Object.keys(routes) as RouteName[]).entries()], 8, async ([turn, name]) => {
        const route: RouteShape = routes[name];
        const call = proper(name);
        const note = async (what: string, given: RouteCall): Promise<void> => {
          const answer = await callRoute(demo.system, name, given);
          if (!isNoFault(answer.status)) faults.push(`${name} with a NUL in ${what}: ${answer.status}`);
        };
        for (const member of inTurn(Object.keys(route.params?.shape ?? {}), turn))
          await note(member, { ...call, params: { ...call.params, [member]: 'a\u0000b' } });
        if (route.method !== 'GET') return;
        for (const member of inTurn(Object.keys(route.query?.shape ?? {}), turn))
          await note(member, { ...call, query: { ...call.query, [member]: 'a\u0000b' } });
      });
      assert.deepEqual(faults, []);
    });
  });
}
