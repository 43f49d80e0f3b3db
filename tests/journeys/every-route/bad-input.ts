import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { bodyLimitOf, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { bodyOf, type Ids, idsOf, KINDS } from '../../harness/route-cases.ts';
import { type RouteResponse, type RouteCall, callRoute, assertProblem, refusalOf, type Callers } from '../../harness/callers.ts';
import { isFull } from '../../harness/full.ts';
import { properCall } from '../../harness/proper-call.ts';
import type { System } from '../../harness/system.ts';
import type { Demo } from '../../harness/demo.ts';

// Any malformed request gets a declared refusal, and the next caller is served. Generated from the route table.

let system: System;
let workspace: Workspace;
let callers: Callers;
let ids: Ids;

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
// A form with a file has its own tests (platform/http/receive-upload.test.ts).
/** These routes read only the token in the address: mail programs send arbitrary bodies with it. */
const WITHOUT_LOOKING: readonly RouteName[] = ['unsubscribe', 'unsubscribeReport'];
const withBody = NAMES.filter((name) => routeOf(name).body !== undefined && !routeOf(name).upload && !WITHOUT_LOOKING.includes(name));
/** These routes take arbitrary JSON, which is validated when the agent runs. */
const FREE_JSON = ['triggerWorkflow', 'rerunExecution', 'ingestEvent', 'testAgent'];

/** A caller who is allowed, with valid path parameters. */
const proper = (name: RouteName): RouteCall => properCall(name, system, callers, ids);
const send = (name: RouteName, sent: RouteCall): Promise<RouteResponse> => callRoute(system, name, { ...proper(name), ...sent });

/** Each member with a value of another type. */
function wrongTypes(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([member, value]) => [member, typeof value === 'object' ? 7 : { wrong: [1] }]));
}

/** Each text as long as a book, or as long as all of them may be together. */
function tooLong(value: unknown, bodyLimit: number): unknown {
  const texts = JSON.stringify(value).split('":"').length;
  return withTexts(value, 'x'.repeat(Math.min(100_000, Math.floor((bodyLimit * 0.9) / texts))));
}

function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withTexts(inner, text)]));
}

const receiving = (name: RouteName): string =>
  JSON.stringify([routeOf(name).access.kind, routeOf(name).format, bodyLimitOf(routeOf(name))]);

/** One of them, the next in the next turn; all in a full run. */
function inTurn<T>(values: readonly T[], turn: number): T[] {
  return values.filter((_value, index) => isFull || index === turn % values.length);
}

/** Returns the stored rows without the traces of runs, because routes that take free JSON start runs. */
async function fingerprint(): Promise<string> {
  const row = `(to_jsonb(t) - '{last_run_at,last_run_day,consecutive_failures,has_failures,updated_at}'::text[])`;
  const tables = ['partner', 'client', 'invitation', 'workflow', 'credential', 'provisioning_attempt', 'plan'];
  const parts = tables.map(
    (table) => `select '${table}' as name, md5(coalesce(string_agg(${row}::text, '|' order by t.id), '')) as sum from ${table} t`,
  );
  return JSON.stringify(await system.query(parts.join(' union all ')));
}

export function testBadInput(open: () => Promise<Demo>): void {
  before(async () => {
    ({ system, workspace, callers } = await open());
    const none = Object.fromEntries(KINDS.map((kind) => [kind, randomUUID()])) as Ids; // one id per kind
    ids = {
      ...none,
      partner: workspace.partnerId,
      client: workspace.oakStreetId,
      workflow: workspace.workflowIds['missed-call-text-back'] ?? '',
    };
  });

  describe('a body', () => {
    for (const [turn, name] of withBody.entries()) {
      const route = routeOf(name);
      const body = bodyOf(name, route) ?? {};
      // One piece of code receives and reads the bodies of all routes of one kind of access and format.
      const isFirst = withBody.find((one) => receiving(one) === receiving(name)) === name;
      it(`of ${name} that cannot be read, is too large or comes as something else is refused as such`, async () => {
        const bad = [
          [{ rawBody: '{"a":' }, 'malformed_json'],
          [{ rawBody: `{"a":"${'x'.repeat(LIMITS.bodyBytesMax)}"}` }, 'too_large'],
          [{ rawBody: 'a=b', contentType: 'text/plain' }, 'unsupported_media_type'],
        ] as const;
        for (const [sent, code] of isFirst ? bad : inTurn(bad, turn)) {
          const answer = await send(name, sent);
          // A person follows a redirect, and reads a page of the portal in any case (modules/2-tenancy/sso).
          if (route.format === 'redirect') assert.equal(answer.status, 200, `${name}: ${code}`);
          else assertProblem(answer, code, name);
        }
      });
      it(`of ${name} with the wrong values is refused with the fields that are wrong, and changes nothing`, async () => {
        const start = await fingerprint();
        for (const sent of [...inTurn([{ rawBody: '[]' }, { rawBody: '"text"' }], turn), { body: wrongTypes(body) }]) {
          const answer = await send(name, sent);
          if (name === 'ingestEvent' && 'body' in sent) continue;
          // A redirect from an identity provider always ends at the portal (modules/2-tenancy/sso).
          if (route.format === 'redirect') continue;
          assertProblem(answer, 'validation_failed', name);
          assert.ok((answer.problem?.errors ?? []).length > 0, `${name} names no field`);
        }
        const longer = tooLong(body, bodyLimitOf(route)) as Record<string, unknown>; // an object, as the body
        // A proof is for this execution alone.
        if ('executionId' in body) longer['executionId'] = body['executionId'] ?? ids.execution;
        const long = await send(name, { body: longer });
        // A body of switches alone has nothing that could be too long.
        const hasLonger = JSON.stringify(longer) !== JSON.stringify(body);
        if (hasLonger && route.format !== 'redirect' && !FREE_JSON.includes(name))
          assertProblem(long, 'validation_failed', `${name} too long`);
        assert.ok(long.status < 500, long.text);
        // A preview shows what would be sent, so it repeats what came in.
        if (name !== 'testAgent') assert.ok(!long.text.includes('x'.repeat(5_000)), 'what was sent is not sent back');
        assert.equal(await fingerprint(), start);
      });
    }

    it('with unknown members is refused by their names where it is a PATCH, and nothing of it is changed', async () => {
      const authorization = `Bearer ${callers.owner.token()}`;
      const refused = await callRoute(system, 'updateMe', {
        authorization,
        body: { fullName: 'Unknown', role: 'ADMIN', partnerRole: 'moderator', email: 'new@callers.example' },
      });
      assertProblem(refused, 'validation_failed', 'unknown members');
      assert.deepEqual(
        refused.problem?.errors?.map(({ field }: { field: string }) => field),
        ['role', 'partnerRole', 'email'],
      );
      const answer = await callRoute(system, 'updateMe', { authorization, body: { fullName: 'Known' } });
      assert.equal(answer.status, 200);
      const user = JSON.parse(answer.text) as Record<string, unknown>;
      assert.deepEqual([user['fullName'], user['role'], user['partnerRole']], ['Known', 'PARTNER', 'admin']);
      assert.notEqual(user['email'], 'new@callers.example');
      assertProblem(
        await callRoute(system, 'updateMe', { authorization, rawBody: '{"__proto__":{"role":"ADMIN"},"fullName":"Known"}' }),
        'malformed_json',
        'a prototype',
      );
    });
  });

  describe('a path and a query', () => {
    it('with what is no id lead nowhere', async () => {
      const withId = NAMES.filter(
        (one) => Object.keys(idsOf(one, routeOf(one)).params).length > 0 && routeOf(one).access.kind === 'session',
      );
      for (const [turn, name] of withId.entries()) {
        for (const bad of inTurn(['1', '\u0000', 'x'.repeat(200), "' or 1=1 --"], turn)) {
          const good = proper(name);
          const params = Object.fromEntries(Object.keys(good.params ?? {}).map((member) => [member, bad]));
          const body = bodyOf(name, routeOf(name));
          assertProblem(
            await callRoute(system, name, { ...good, params, ...(body ? { body } : {}) }),
            'not_found',
            `${name} with ${JSON.stringify(bad)}`,
          );
        }
      }
    });

    it('with values that are none are refused as such, each by its name', async () => {
      for (const [order, name] of NAMES.entries()) {
        const route = routeOf(name);
        for (const [turn, member] of Object.keys(route.query?.shape ?? {}).entries()) {
          if (route.access.kind !== 'session') continue;
          const caller =
            refusalOf(route, callers.staff.claims) === undefined
              ? 'staff'
              : refusalOf(route, callers.owner.claims) === undefined
                ? 'owner'
                : 'clientUser';
          for (const bad of inTurn(['\u0000', `💥${'x'.repeat(600)}`], order + turn)) {
            const answer = await callRoute(system, name, {
              ...proper(name),
              query: { ...proper(name).query, [member]: bad },
              authorization: `Bearer ${callers[caller].token()}`,
            });
            if (
              member === 'cursor' ||
              member === 'q' ||
              member === 'cause' ||
              member === 'category' ||
              member === 'templateName' ||
              member === 'provider'
            ) {
              assert.ok(answer.status < 500, `${name} ${member}: ${answer.text}`);
              continue;
            }
            assert.equal(answer.problem?.code, 'invalid_query', `${name} ${member}: ${answer.status} ${answer.text}`);
            assert.match(answer.problem.detail, new RegExp(`"${member}"`));
          }
        }
      }
    });
  });

  it('leaves the service ready', async () => {
    assert.equal((await fetch(`${system.baseUrl}/health/ready`)).status, 200);
  });
}
