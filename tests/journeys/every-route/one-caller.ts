import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { bodyLimitOf, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { callRoute, type RouteResponse } from '../../harness/callers.ts';
import type { Demo } from '../../harness/demo.ts';
import { isFull } from '../../harness/full.ts';
import { properCall } from '../../harness/proper-call.ts';
import { bodyOf } from '../../harness/route-cases.ts';

// No single request holds the event loop with its content: the largest allowed body of each shape that is costly to read, on every route
// that reads one. Generated from the route table.

/** Processor time of the main thread in one turn of the loop. Inherently costly work (hashing, XML, rendering) runs on other threads. */
const BUDGET_MS = 150;
/** Measurements of a request that holds the loop for longer; the least counts. */
const MEASURES = 3;
/** Without a full run, a route meets this many of the shapes, the next route the next ones; the first that receives bodies in its way meets all. */
const SHAPES = { withSession: 1, others: 3 };

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
// A form with a file has its own tests (platform/http/receive-upload.test.ts).
const withBody = NAMES.filter((name) => routeOf(name).body !== undefined && !routeOf(name).upload);

const fill = (part: string, bytes: number): string => part.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(part))));
const list = (part: string, bytes: number): string => `[${fill(`${part},`, bytes - part.length - 2)}${part}]`;

/** One piece of code receives the bodies of all routes with the same kind of proof, limit and format. */
const receiving = (name: RouteName): string => [routeOf(name).access.kind, bodyLimitOf(routeOf(name)), routeOf(name).format].join(' ');
const isFirst = (name: RouteName, of: readonly RouteName[]): boolean => of.find((one) => receiving(one) === receiving(name)) === name;

/** A JSON value of at most `bytes` bytes. */
const VALUES: { [shape: string]: (bytes: number) => string } = {
  'lists in lists': (bytes) => fill('[', bytes / 2) + fill(']', bytes / 2),
  'objects in objects': (bytes) => `${fill('{"a":', (bytes - 1) * (5 / 6))}1${fill('}', (bytes - 1) / 6)}`,
  'many empty lists': (bytes) => list('[]', bytes),
  'many numbers': (bytes) => list('1e-9', bytes),
  'many members': (bytes) => {
    const members = Array.from({ length: Math.floor(bytes / 12) }, (_, n) => `"k${n.toString(36).padStart(6, '0')}":0`);
    return `{${members.join(',')}}`;
  },
  'one long text': (bytes) => `"${'x'.repeat(bytes - 2)}"`,
  'half surrogates': (bytes) => `"${fill('\\ud800', bytes - 2)}"`,
  'escaped characters': (bytes) => `"${fill('\\u0000', bytes - 2)}"`,
  'many spaces': (bytes) => `${' '.repeat(bytes - 1)}1`,
};

/** The valid body with this value in its last member, which a route reads when the ones before it are right. */
function bodyWith(name: RouteName, value: (bytes: number) => string, bytes: number): string {
  const members = Object.entries(bodyOf(name, routeOf(name)) ?? {});
  const last = members.pop()?.[0] ?? 'value';
  const head = `{${members.map(([member, one]) => `${JSON.stringify(member)}:${JSON.stringify(one)},`).join('')}${JSON.stringify(last)}:`;
  return `${head}${value(bytes - Buffer.byteLength(head) - 1)}}`;
}

let demo: Demo;

/** A content holds the loop each time. What comes on top differs: a job of each minute, collected garbage, a virtual processor that was taken away. */
async function holdOf(what: string, request: () => Promise<RouteResponse>): Promise<RouteResponse> {
  for (let left = MEASURES; ; left -= 1) {
    await demo.longestHoldMs();
    const answer = await request();
    const heldMs = await demo.longestHoldMs();
    assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
    if (heldMs < BUDGET_MS) return answer;
    assert.ok(left > 1, `${what} held the event loop for ${Math.round(heldMs)} ms: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
}

export function testOneCaller(open: () => Promise<Demo>): void {
  before(async () => {
    demo = await open();
  });

  const send = (name: RouteName, rawBody: string): Promise<RouteResponse> => {
    const call = properCall(name, demo.system, demo.callers, demo.ids);
    return callRoute(demo.system, name, { ...call, rawBody });
  };

  describe('the largest body that a route accepts', () => {
    for (const [index, name] of withBody.entries()) {
      const route = routeOf(name);
      const shapes = Object.entries(VALUES);
      const count = route.access.kind === 'session' ? SHAPES.withSession : SHAPES.others;
      const isWhole = isFull || (count > 1 && isFirst(name, withBody));
      const tried = isWhole ? shapes : shapes.filter((_, n) => (n + index * count) % shapes.length < count);
      it(`holds the event loop for no one through ${name}`, async () => {
        for (const [shape, value] of tried)
          await holdOf(`${name} with ${shape}`, () => send(name, bodyWith(name, value, bodyLimitOf(route))));
      });
    }
  });

  describe('a body without a proof', () => {
    // One piece of code asks for the proof before it reads the body.
    const closed = withBody.filter((one) => routeOf(one).access.kind !== 'public');
    for (const name of closed.filter((one) => isFull || isFirst(one, closed))) {
      it(`is not looked at by ${name}`, async () => {
        const { params } = properCall(name, demo.system, demo.callers, demo.ids);
        const answer = await holdOf(name, () =>
          callRoute(demo.system, name, {
            ...(params ? { params } : {}),
            rawBody: bodyWith(name, VALUES['lists in lists'] ?? String, bodyLimitOf(routeOf(name))),
          }),
        );
        assert.ok([401, 404].includes(answer.status), `${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
      });
    }
  });

  it('a preview of many placeholders and a long input holds it for no one', async () => {
    const config = { message: fill('{callerNumber} ', 20_000) };
    const input = { callerNumber: 'x'.repeat(40_000), businessNumber: '+13125550100' };
    await holdOf('testAgent', () => send('testAgent', JSON.stringify({ config, input })));
  });
}
