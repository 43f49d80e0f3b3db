import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { ownAddresses, withOwnLinks } from './own-links.ts';

const template = findBundle('quote-follow-up')?.template;
assert.ok(template);
const reminder = findBundle('appointment-reminder')?.template;
assert.ok(reminder);
const PAGES = {
  website: 'www.oak.example',
  bookingUrl: 'https://calendar.example/oak/',
  reviewUrl: '',
  host: 'portal.agency.example',
  config: {},
};
const addresses = ownAddresses(template, PAGES);
const given = (values: object) =>
  withOwnLinks(template, { customerName: 'Ada Byron', quoteUrl: 'https://oak.example/q/1', ...values }, addresses);

describe('a link that a visitor names', () => {
  for (const link of [
    'https://oak.example/q/1',
    'https://www.oak.example/',
    'https://quotes.oak.example/1?x=2',
    'https://calendar.example/oak/visit',
    'https://calendar.example/oak',
    'https://portal.agency.example/quotes/1',
  ])
    it(`${link} is the business's own`, () =>
      assert.deepEqual(given({ quoteUrl: link }), { input: { customerName: 'Ada Byron', quoteUrl: link } }));

  for (const link of [
    'https://evil.example/q',
    'https://oak.example.evil.example/',
    'https://notoak.example/',
    'https://oak.example@evil.example/',
    'https://oak.example:8443/',
    'https://evil.example/oak.example',
    'https://calendar.example/mallory',
    'https://calendar.example/oakland',
    'https://calendar.example/oak/../mallory',
    'https://agency.example/',
  ])
    it(`${link} is not`, () => assert.deepEqual(given({ quoteUrl: link }), { foreign: 'quoteUrl' }));

  it('counts the links of the settings of its agent', () => {
    const own = ownAddresses(reminder, { ...PAGES, config: { rescheduleUrl: 'https://move.example', smsText: 'https://text.example' } });
    assert.deepEqual(own, ['www.oak.example', 'https://calendar.example/oak/', 'portal.agency.example', 'https://move.example']);
  });

  it('is sent as a browser reads it', () => {
    assert.deepEqual(given({ quoteUrl: 'https:\\\\OAK.example\\q' }), {
      input: { customerName: 'Ada Byron', quoteUrl: 'https://oak.example/q' },
    });
  });

  it('does not stand in a name or another short text', () => {
    for (const customerName of ['evil.example/free', 'see https://oak.example', 'www.evil.example', 'a@evil.example'])
      assert.deepEqual(given({ customerName }), { foreign: 'customerName' }, customerName);
    assert.ok('input' in given({ customerName: 'Dr. J. R. R. Tolkien' }));
  });
});
