import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { judge } from './judge.ts';
import { TABLES } from './inputs/index.ts';
import { type Case, startWorld, type World } from './world-system.ts';

// What phone systems, forms, calendars, mail gateways, spreadsheets and people send, through the ingest route, the engine and the provider sandbox.

const casesOf = new Map<string, Case[]>(
  Object.entries(TABLES).map(([origin, rows]) => [origin, rows.flatMap((row) => row.templates.map((template) => ({ row, template })))]),
);

let world: World;
before(async () => {
  world = await startWorld([...casesOf.values()].flat());
});
after(() => world?.close());

for (const [origin, cases] of casesOf) {
  describe(origin, () => {
    for (const one of cases) it(`${one.row.name}: ${one.template}`, () => judge(one, world.outcomeOf(one)));
  });
}

describe('the table', () => {
  it('holds at least 250 inputs, each under a name of its own', () => {
    const names = Object.entries(TABLES).flatMap(([origin, rows]) => rows.map(({ name }) => `${origin}: ${name}`));
    assert.ok(names.length >= 250, `${names.length} inputs`);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });
});

describe('all that was sent', () => {
  it('goes to possible numbers, whole and with the way to opt out', () => {
    assert.ok(world.texts.length > 0);
    for (const text of world.texts) {
      assert.ok(parsePhoneNumberFromString(text.to)?.isPossible(), text.to);
      assert.match(text.body, /(?:Reply STOP to opt out|Antworten Sie STOP, um sich abzumelden|Responda STOP para darse de baja)\./);
      assert.ok(text.body.isWellFormed(), text.body);
      assert.ok(text.body.length <= 1600);
    }
  });

  it('is what the flows say they sent', () => {
    const difference = (said: readonly object[], received: readonly object[]) => {
      const rest = received.map((one) => JSON.stringify(one));
      const lacking = said
        .map((one) => JSON.stringify(one))
        .filter((one) => !rest.includes(one) || rest.splice(rest.indexOf(one), 1).length === 0);
      return { lacking, rest };
    };
    const nothing = { lacking: [], rest: [] };
    const texts = world.runs.flatMap((run) => run.texts);
    const mails = world.runs.flatMap((run) => run.mails);
    assert.deepEqual(difference(texts, world.texts), nothing);
    assert.deepEqual(difference(mails, world.mails), nothing);
  });

  it('is accepted by the mail service', () => {
    assert.ok(world.mails.length > 0);
    assert.deepEqual(
      world.mails.filter((mail) => mail.status !== 200),
      [],
    );
  });

  it('came of runs none of which failed by a fault of the product', () => {
    const internal = /^(?:step_failed|engine_|internal|report_|.*_unreadable$|not_reported|timed_out)/;
    assert.deepEqual(
      world.runs.filter((run) => internal.test(run.errorCode ?? '')).map(({ came, errorCode }) => ({ errorCode, came })),
      [],
    );
  });
});
