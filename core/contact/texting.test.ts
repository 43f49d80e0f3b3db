import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCostlyToText, ownCountries, whyNotTexted } from './texting.ts';

describe('who may be texted', () => {
  for (const [number, what] of [
    ['+19005550199', 'premium-rate'],
    ['+1 (900) 555-0199', 'premium-rate, as it is written'],
    ['001 900 555 0199', 'premium-rate with 00'],
    ['+41900123456', 'premium-rate abroad'],
    ['+491805123456', 'shared-cost'],
    ['+8816123456789', 'satellite'],
    ['+870773111632', 'satellite'],
    ['+80812345678', 'international shared-cost'],
    ['+97912345678', 'international premium-rate'],
    ['+18005550199', 'toll-free'],
    ['+447012345678', 'personal number that forwards'],
    ['+15551234567', 'in no numbering plan'],
    ['+4990012345678', 'longer than its range'],
  ] as const) {
    it(`${number} (${what}) is not texted, whatever countries are allowed`, () => {
      assert.equal(whyNotTexted(number, [])?.reason, 'number_not_textable');
      assert.equal(whyNotTexted([number], ['US', 'GB', 'DE', 'CH'])?.reason, 'number_not_textable', 'a list is sent as its text');
    });
  }

  for (const number of ['+13125550121', '+12025550123', '+15005550001']) {
    it(`${number} is texted by a business in its country`, () => assert.equal(whyNotTexted(number, ['US']), null));
  }

  it('a business texts the countries it is allowed', () => {
    assert.equal(whyNotTexted('+18765550199', ['US'])?.reason, 'country_not_allowed');
    assert.equal(whyNotTexted('+18765550199', ['US', 'JM']), null);
    assert.equal(whyNotTexted('+14165550199', ['US'])?.reason, 'country_not_allowed', 'the same calling code is not the same country');
    assert.equal(whyNotTexted('+442079460000', []), null, 'no country is known');
  });

  it('leaves what is no phone number to the flow', () => {
    for (const value of ['anonymous', '', null, undefined, 'client:ada', '+1']) assert.equal(whyNotTexted(value, ['US']), null);
  });

  it('a setting may name a number abroad, and none that costs a multiple', () => {
    assert.deepEqual(
      ['+442079460000', '+18005550199', '+19005550199', '+8816123456789', ''].map((number) => isCostlyToText(number)),
      [false, false, true, true, false],
    );
  });

  it('takes the country of the phone number, else of the time zone', () => {
    assert.deepEqual(ownCountries({ phone: '+1 876 555 0199', timezone: 'America/Chicago' }), ['JM']);
    assert.deepEqual(ownCountries({ phone: null, timezone: 'America/Chicago' }), ['US']);
    assert.deepEqual(ownCountries({ phone: '(312) 555-0100', timezone: 'US/Central' }), ['US']);
    assert.deepEqual(ownCountries({ phone: null, timezone: 'Europe/Berlin' }), ['DE']);
    assert.deepEqual(ownCountries({ phone: null, timezone: 'UTC' }), []);
  });
});
