import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { routes } from './index.ts';
import { businessProfileChange } from './records/client.ts';
import { json, jsonObject, optionalText, searchText, text, time, timezone } from './primitives.ts';

describe('a time', () => {
  for (const value of [
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00.123Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-03-01T10:00:00+14:00',
    '2026-03-01T10:00:00-12:00',
  ]) {
    it(`${value} is one`, () => assert.ok(time.safeParse(value).success));
  }
  for (const value of [
    '0000-01-01T00:00:00Z',
    '2026-03-01T10:00:00+23:59',
    '2026-03-01T10:00:00-15:00',
    '2026-02-30T10:00:00Z',
    '2026-03-01',
    '',
  ]) {
    it(`${JSON.stringify(value)} is none`, () => assert.ok(!time.safeParse(value).success));
  }
});

describe('a text that is stored, searched or compared', () => {
  const decomposed = 'Mu\u0308ller';
  it('is composed (NFC), as short as it then is, and otherwise as it was typed', () => {
    assert.equal(text(6).parse(` ${decomposed} `), 'M\u00fcller');
    assert.equal(optionalText(6).parse(decomposed), 'M\u00fcller');
    assert.equal(searchText(6).parse(decomposed), 'M\u00fcller');
    assert.equal(text(20).parse('ﬁne ½ ｗｉｄｅ'), 'ﬁne ½ ｗｉｄｅ');
  });

  it('is searched in that form on every route', () => {
    const searched = Object.entries(routes).flatMap(([name, route]) => {
      const q: unknown =
        'query' in route && route.query instanceof z.ZodObject ? (route.query.shape as Record<string, unknown>)['q'] : undefined;
      return q instanceof z.ZodType ? [{ name, q }] : [];
    });
    assert.ok(searched.length >= 8);
    for (const { name, q } of searched) assert.equal(q.parse(decomposed), 'M\u00fcller', name);
  });

  it('of a profile and of a name is composed too', () => {
    assert.equal(businessProfileChange.parse({ address: decomposed }).address, 'M\u00fcller');
    assert.equal(routes.createClient.body.parse({ name: decomposed }).name, 'M\u00fcller');
  });
});

describe('a time zone', () => {
  for (const [zone, good] of [
    ['America/Chicago', true],
    ['UTC', true],
    ['Etc/GMT+5', true],
    ['+02:00', false],
    ['-0530', false],
    ['CET', true],
    ['AET', false],
    ['sst', false],
    ['US/Pacific-New', false],
    ['Canada/East-Saskatchewan', false],
    ['Mars/Olympus', false],
    ['', false],
  ] as const) {
    it(`${JSON.stringify(zone)} is ${good ? 'one' : 'none'}`, () => assert.equal(timezone.safeParse(zone).success, good));
  }
});

describe('a link of a business', () => {
  for (const [link, good] of [
    ['https://oak.example/book', true],
    ['', true],
    ['javascript:alert(1)', false],
    [' JavaScript:alert(1)', false],
    ['data:text/html,x', false],
    ['//oak.example', false],
    ['oak.example', false],
  ] as const) {
    it(`${JSON.stringify(link)} may ${good ? '' : 'not '}be sent to strangers`, () => {
      for (const member of ['bookingUrl', 'reviewUrl']) assert.equal(businessProfileChange.safeParse({ [member]: link }).success, good);
    });
  }
});

describe('a JSON member', () => {
  it('is handed on as it is: what came in as JSON is not walked a second time', () => {
    const value = { a: [{ b: null }] };
    assert.equal(json.parse(value), value);
    assert.equal(jsonObject.parse({ value })['value'], value);
    assert.ok(!jsonObject.safeParse([1]).success);
    assert.ok(!jsonObject.safeParse('text').success);
  });

  it('costs a body of any route nothing but its own size', () => {
    const walked = Object.entries(routes).flatMap(([name, route]) => ('body' in route && holdsJsonWalk(route.body) ? [name] : []));
    assert.deepEqual(walked, []);
  });
});

/** Whether a schema walks JSON again, as `z.json()` does: a nameless schema that holds itself. */
function holdsJsonWalk(schema: z.ZodType): boolean {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return text.includes('#/$defs/__schema');
}
