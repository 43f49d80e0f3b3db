import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { defineRoute, type RouteShape } from './define-route.ts';
import { fieldErrors } from './field-errors.ts';
import { routes } from './index.ts';

const errorsOf = (schema: z.ZodType | undefined, body: unknown) => {
  const parsed = schema?.safeParse(body);
  return parsed?.error ? fieldErrors(parsed.error).map(({ field, code }) => [field, code]) : [];
};
const declare = (method: 'PATCH' | 'POST', body: z.ZodType) =>
  defineRoute({
    method,
    path: '/things/:id',
    tag: 'health',
    summary: 'test',
    access: { kind: 'public' },
    limit: 'caller',
    body,
    reply: { 204: z.undefined() },
    errors: [],
  });

describe('an unknown member of a PATCH', () => {
  for (const [name, route] of Object.entries(routes as Record<string, RouteShape>)) {
    if (route.method !== 'PATCH') continue;
    it(`is refused by name: ${name}`, () => {
      const errors = errorsOf(route.body, { noSuchMember: 1 });
      assert.ok(errors.some(([field, code]) => field === 'noSuchMember' && code === 'unknown_member'), JSON.stringify(errors)); // prettier-ignore
    });
  }

  const profile = z.object({ hours: z.string() });
  const body = z.object({
    one: profile.optional(),
    none: profile.nullable().optional(),
    many: z.array(profile).default([]),
    free: z.record(z.string(), z.unknown()).optional(),
    open: z.looseObject({ name: z.string() }).optional(),
  });
  it('is refused at any depth, but where any member is meant', () => {
    const { body: strict } = declare('PATCH', body);
    const given = { one: { hours: 'x', a: 1 }, none: { hours: 'x', b: 1 }, many: [{ hours: 'x', c: 1 }], d: 1, e: 1 };
    assert.deepEqual(errorsOf(strict, given), [
      ['one.a', 'unknown_member'],
      ['none.b', 'unknown_member'],
      ['many.0.c', 'unknown_member'],
      ['d', 'unknown_member'],
      ['e', 'unknown_member'],
    ]);
    const known = { one: { hours: 'x' }, none: null, free: { a: 1 }, open: { name: 'x', more: 1 } };
    assert.deepEqual(strict.parse(known), { ...known, many: [] });
  });

  it('is dropped from the body of another method, and the schema of the record stays as it was', () => {
    assert.deepEqual(declare('POST', profile).body.parse({ hours: 'x', a: 1 }), { hours: 'x' });
    declare('PATCH', z.object({ profile }));
    assert.deepEqual(profile.parse({ hours: 'x', a: 1 }), { hours: 'x' });
  });

  it('is shown cut when its name is long, and at most fifty are', () => {
    const { body: strict } = declare('PATCH', z.object({}));
    const [[field] = []] = errorsOf(strict, { ['x'.repeat(5_000)]: 1 });
    assert.equal(field, `${'x'.repeat(100)}…`);
    assert.equal(errorsOf(strict, Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`m${n}`, 1]))).length, 50);
  });
});
