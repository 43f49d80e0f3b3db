import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeEmail } from './email-address.ts';
import { email } from './primitives.ts';

describe('an address of a person', () => {
  const cases: [what: string, given: string, stored: string | null][] = [
    ['in capitals, with spaces around it', '  Kate@Example.COM ', 'kate@example.com'],
    ['with the Kelvin sign for a k', '\u212Aate@example.com', null],
    ['with a long s', 'ro\u017Fe@example.com', null],
    ['with an accent', 'ren\u00e9@example.com', null],
    ['with a combining accent', 'rene\u0301@example.com', null],
    ['with a zero-width space', 'kate\u200b@example.com', null],
    ['with letters beyond ASCII in its domain', 'kate@ex\u00e4mple.com', null],
    ['with a tag', 'kate+news@example.com', 'kate+news@example.com'],
    ['without a domain', 'kate', null],
    ['with a space', 'no mail', null],
    ['with a space before the domain', 'kate @example.com', null],
    ['of two people', 'a@example.com,b@example.com', null],
    ['longer than 254 characters', `${'a'.repeat(250)}@example.com`, null],
  ];
  for (const [what, given, stored] of cases) {
    it(`${what} is ${stored ?? 'refused'}, at logins, invitations and providers alike`, () => {
      assert.equal(normalizeEmail(given), stored);
      const parsed = email.safeParse(given);
      assert.equal(parsed.success ? parsed.data : null, stored);
    });
  }

  it('is refused for its letters only when it has some that are not allowed', () => {
    const reasons = (given: string) => email.safeParse(given).error?.issues.map(({ message }) => message);
    assert.match(reasons('ren\u00e9@example.com')?.join() ?? '', /unaccented/);
    assert.doesNotMatch(reasons('no mail')?.join() ?? '', /unaccented/);
  });
});
