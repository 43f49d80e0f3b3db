import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { fieldErrors } from './field-errors.ts';
import { email, id, slug, text, time, webAddress } from './primitives.ts';

const SHAPE = z.object({
  name: text(5),
  id,
  email,
  at: time,
  site: webAddress,
  slug,
  mode: z.enum(['platform', 'byok']),
  only: z.literal('FAILED'),
  count: z.number().int().min(1).max(3),
  list: z.array(z.string()).min(1).max(1),
  yes: z.boolean(),
  data: z.record(z.string(), z.json()),
});
const GOOD = {
  name: 'Oak',
  id: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01',
  email: 'a@b.example',
  at: '2026-01-05T09:12:44.102Z',
  site: 'https://b.example',
  slug: 'oak-street',
  mode: 'byok',
  only: 'FAILED',
  count: 2,
  list: ['x'],
  yes: true,
  data: {},
};

const complaint = (change: object): [string, string, string][] => {
  const parsed = SHAPE.safeParse({ ...GOOD, ...change });
  return parsed.success ? [] : fieldErrors(parsed.error).map(({ field, code, message }) => [field, code, message]);
};

describe('the message of a field', () => {
  it('say nothing of a good value', () => {
    assert.deepEqual(complaint({}), []);
  });

  it('tell a person what to do, never how the program sees it', () => {
    assert.deepEqual(complaint({ name: undefined }), [['name', 'required', 'This field is required.']]);
    assert.deepEqual(complaint({ name: '  ' }), [['name', 'too_small', 'This field is required.']]);
    assert.deepEqual(complaint({ name: 'too long' }), [['name', 'too_big', 'Use at most 5 characters.']]);
    assert.deepEqual(complaint({ name: 3 }), [['name', 'invalid_type', 'This should be a text.']]);
    assert.deepEqual(complaint({ id: 'x' }), [['id', 'invalid_format', 'This is not a valid ID.']]);
    assert.deepEqual(complaint({ email: 'x' }), [['email', 'invalid_format', 'Enter an e-mail address, such as name@example.com.']]);
    assert.deepEqual(complaint({ mode: 'mine' }), [['mode', 'invalid_value', 'Choose one of: platform, byok.']]);
    assert.deepEqual(complaint({ only: 'x' }), [['only', 'invalid_value', 'Choose FAILED.']]);
    assert.deepEqual(complaint({ count: 0 }), [['count', 'too_small', 'The minimum is 1.']]);
    assert.deepEqual(complaint({ count: 4 }), [['count', 'too_big', 'The maximum is 3.']]);
    assert.deepEqual(complaint({ list: [] }), [['list', 'too_small', 'Enter at least 1.']]);
    assert.deepEqual(complaint({ data: [] }), [['data', 'invalid_type', 'This should be an object.']]);
  });

  it('keep the words that a rule of ours brings', () => {
    assert.deepEqual(complaint({ slug: '-' }), [['slug', 'invalid_format', 'Use 3 to 40 lower-case letters, digits and hyphens.']]);
  });

  it('never speak the library\u2019s language', () => {
    for (const member of Object.keys(GOOD)) {
      for (const value of [undefined, null, 7, 'x', [], {}, true]) {
        for (const [, , message] of complaint({ [member]: value })) assert.doesNotMatch(message, /Invalid|Too |expected|received/, member);
      }
    }
  });
});
